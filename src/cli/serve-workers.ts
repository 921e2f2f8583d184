import cluster, { type Worker } from 'node:cluster';
import { setTimeout } from 'node:timers/promises';
import type { ServerLog } from './server-log.js';
import { type StopSignal, stopSignal, type WorkerOrder } from './stop-signal.js';

/** How the workers of a server are kept. */
export interface WorkersOptions {
  readonly workers: number;
  /** How long a worker may take to stop, in seconds; then it is killed. */
  readonly patienceSeconds: number;
}

/** What a worker says when it serves: the text to show. */
export interface WorkerReady {
  readonly announcement: string;
}

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
  process.stdout.write(announcement);
  await team.stop(await stopped);
  return 0;
}

class Member {
  readonly worker: Worker;
  /** Resolves to what to announce when it serves; to undefined where it ends before. */
  readonly ready: Promise<string | undefined>;
  readonly ended: Promise<void>;
  readonly #startedAt = performance.now();
  isStopping = false;

  constructor() {
    this.worker = cluster.fork();
    this.ended = new Promise((resolve) => this.worker.once('exit', () => resolve()));
    // A message to a worker that is just ending: that it ends is all that matters.
    this.worker.on('error', () => {});
    this.ready = new Promise((resolve) => {
      this.worker.once('message', ({ announcement }: WorkerReady) => resolve(announcement));
      this.worker.once('exit', () => resolve(undefined));
    });
  }

  get exitCode(): number | null {
    return this.worker.process.exitCode;
  }

  get isShortLived(): boolean {
    return performance.now() - this.#startedAt < SHORT_LIFE_MILLISECONDS;
  }

  /** Asks it to stop, and kills it where it does not. */
  async stop(signal: StopSignal, patienceSeconds: number): Promise<void> {
    this.isStopping = true;
    const order: WorkerOrder = { stop: signal };
    // One that is still starting does not listen for orders yet.
    this.ready.then(() => {
      if (this.worker.isConnected()) this.worker.send(order);
    });
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
  #isStopping = false;
  #replacing: Promise<void> = Promise.resolve();

  constructor(options: WorkersOptions, log: ServerLog) {
    this.#options = options;
    this.#log = log;
  }

  start(): Member {
    const member = new Member();
    this.#members.add(member);
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

  async stop(signal: StopSignal): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#members].map((member) => member.stop(signal, this.#options.patienceSeconds)));
  }

  async #ended(member: Member): Promise<void> {
    this.#members.delete(member);
    const isEnough = () => this.#isStopping || this.#members.size >= this.#options.workers;
    if (member.isStopping || isEnough()) return;
    const { pid, exitCode, signalCode } = member.worker.process;
    // The first one, which could not serve, is reported by itself.
    if ((await member.ready) === undefined && this.#members.size === 0) return;
    this.#log.note(`worker ${pid} has ended (${signalCode ?? `exit code ${exitCode}`}) and is replaced`);
    if (member.isShortLived) await setTimeout(SHORT_LIFE_MILLISECONDS);
    if (!isEnough()) this.start();
  }
}
