import cluster, { type Worker } from 'node:cluster';
import { setTimeout } from 'node:timers/promises';
import { keepNoneWaiting } from './handed-connection.js';
import type { ListenOptions } from './http-server.js';
import { serveMetrics, TeamMetrics } from './metrics-server.js';
import type { ServerLog } from './server-log.js';
import { RateLimitOwner } from './shared-rate-limit.js';
import { stopSignal } from './stop-signal.js';
import type { StopSignal, WorkerMessage, WorkerOrder } from './worker-messages.js';

/** How the workers of a server are kept. */
export interface WorkersOptions {
  readonly workers: number;
  /** How long a worker may take to stop, in seconds; then it is killed. */
  readonly patienceSeconds: number;
  /** Where the metrics of all are served. */
  readonly metrics: ListenOptions | undefined;
}

/** How long to wait for the metrics of a worker; then its last ones are those before. */
const METRICS_MILLISECONDS = 2000;

/** A worker that ends sooner than this is not replaced at once. */
const SHORT_LIFE_MILLISECONDS = 1000;

/**
 * Keeps a number of processes that serve on one port, each by the arguments of this one, until a signal stops all of
 * them: what ends by itself is replaced, and SIGHUP replaces one after the other, each by one that already serves.
 * Resolves to the exit code: that of the first worker where it cannot serve.
 */
export async function serveWithWorkers(options: WorkersOptions, log: ServerLog): Promise<number> {
  const team = new Team(options, log);
  const stopped = stopSignal();
  const first = team.start();
  const announcement = await first.ready;
  if (announcement === undefined) return first.exitCode ?? 1;
  await Promise.all(Array.from({ length: options.workers - 1 }, () => team.start().ready));
  process.on('SIGHUP', () => team.replaceAll());
  const { metrics } = options;
  const metricsServer = metrics && (await serveMetrics(() => team.metrics(), metrics));
  process.stdout.write(announcement);
  if (metricsServer !== undefined) process.stdout.write(`Metrics are at ${metricsServer.address}/metrics\n\n`);
  await team.stop(await stopped);
  await metricsServer?.stop(0);
  return 0;
}

class Member {
  readonly worker: Worker;
  /** Resolves to what to announce when it serves; to undefined where it ends before. */
  readonly ready: Promise<string | undefined>;
  readonly ended: Promise<void>;
  readonly #startedAt = performance.now();
  readonly #onMetrics = new Set<() => void>();
  isStopping = false;

  /** `receive` gets what it says while it serves. */
  constructor(receive: (message: WorkerMessage, member: Member) => void) {
    this.worker = cluster.fork();
    keepNoneWaiting(this.worker);
    this.worker.on('message', (message: WorkerMessage) => {
      receive(message, this);
      if (message.metrics === undefined) return;
      for (const done of this.#onMetrics) done();
    });
    this.ended = new Promise((resolve) => this.worker.once('exit', () => resolve()));
    // A message to a worker that is just ending: that it ends is all that matters.
    this.worker.on('error', () => {});
    this.ready = new Promise((resolve) => {
      this.worker.on('message', ({ announcement }: WorkerMessage) => {
        if (announcement !== undefined) resolve(announcement);
      });
      this.worker.once('exit', () => resolve(undefined));
    });
  }

  get exitCode(): number | null {
    return this.worker.process.exitCode;
  }

  get isShortLived(): boolean {
    return performance.now() - this.#startedAt < SHORT_LIFE_MILLISECONDS;
  }

  /** Sends an order; one that has just ended gets none. */
  order(order: WorkerOrder): void {
    if (this.worker.isConnected()) this.worker.send(order);
  }

  /** Asks for its metrics; resolves when `receive` has got them, and where it does not answer. */
  async askForMetrics(): Promise<void> {
    if (!this.worker.isConnected()) return;
    const waiting = new AbortController();
    const late = setTimeout(METRICS_MILLISECONDS, undefined, { signal: waiting.signal }).catch(() => undefined);
    const answered = new Promise<void>((done) => {
      this.#onMetrics.add(done);
      this.worker.once('exit', done);
      waiting.signal.addEventListener('abort', () => {
        this.#onMetrics.delete(done);
        this.worker.off('exit', done);
      });
    });
    this.order({ metrics: true });
    await Promise.race([answered, late]);
    waiting.abort();
  }

  /** Asks it to stop, and kills it where it does not. */
  async stop(signal: StopSignal, patienceSeconds: number): Promise<void> {
    this.isStopping = true;
    // One that is still starting does not listen for orders yet.
    this.ready.then(() => this.order({ stop: signal }));
    const patience = new AbortController();
    const kill = setTimeout(patienceSeconds * 1000, undefined, { signal: patience.signal }).then(
      () => this.worker.process.kill('SIGKILL'),
      () => undefined,
    );
    await this.ended;
    patience.abort();
    await kill;
  }
}

/** The workers of a server. */
class Team {
  readonly #options: WorkersOptions;
  readonly #log: ServerLog;
  readonly #members = new Set<Member>();
  readonly #rateLimit = new RateLimitOwner();
  readonly #metrics = new TeamMetrics();
  /** Whether a worker has served: what ends before is replaced from then on, too. */
  #hasServed = false;
  #isStopping = false;
  #replacing: Promise<void> = Promise.resolve();

  constructor(options: WorkersOptions, log: ServerLog) {
    this.#options = options;
    this.#log = log;
  }

  start(): Member {
    const member = new Member((message, from) => this.#receive(message, from));
    this.#members.add(member);
    member.ready.then((announcement) => {
      if (announcement !== undefined) this.#hasServed = true;
    });
    member.ended.then(() => this.#ended(member));
    return member;
  }

  /** Replaces the workers there are, one after the other; calls meanwhile wait for their turn. */
  replaceAll(): void {
    this.#replacing = this.#replacing.then(async () => {
      for (const member of [...this.#members]) {
        if (this.#isStopping || member.isStopping) continue;
        const replacement = this.start();
        if ((await replacement.ready) === undefined) {
          this.#log.note('a new worker could not serve: the others stay');
          return;
        }
        await member.stop('SIGINT', this.#options.patienceSeconds);
      }
    });
  }

  /** The metrics of all workers together. */
  async metrics(): Promise<string> {
    await Promise.all([...this.#members].map((member) => member.askForMetrics()));
    return this.#metrics.text();
  }

  #receive({ lease, unused, metrics }: WorkerMessage, member: Member): void {
    if (lease !== undefined) member.order({ lease: this.#rateLimit.lease(lease) });
    if (unused !== undefined) this.#rateLimit.giveBack(unused);
    if (metrics !== undefined) this.#metrics.keep(member.worker.id, metrics);
  }

  async stop(signal: StopSignal): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#members].map((member) => member.stop(signal, this.#options.patienceSeconds)));
  }

  async #ended(member: Member): Promise<void> {
    this.#members.delete(member);
    await this.#metrics.end(member.worker.id);
    const isEnough = () => this.#isStopping || this.#members.size >= this.#options.workers;
    if (member.isStopping || isEnough()) return;
    const { pid, exitCode, signalCode } = member.worker.process;
    // The first one, which could not serve, is reported by itself.
    if (!this.#hasServed && (await member.ready) === undefined && this.#members.size === 0) return;
    this.#log.note(`worker ${pid} has ended (${signalCode ?? `exit code ${exitCode}`}) and is replaced`);
    this.#metrics.countReplaced();
    if (member.isShortLived) await setTimeout(SHORT_LIFE_MILLISECONDS);
    if (!isEnough()) this.start();
  }
}
