import type { ServiceMetrics } from '../service/handler/metrics.node.js';
import type { RateLimit, RateQuota } from '../service/handler/rate-limit.js';
import { WorkerRateLimit } from './shared-rate-limit.js';
import type { WorkerMessage, WorkerOrder } from './worker-messages.js';

const GIVE_BACK_MILLISECONDS = 1000;

/** The way from a worker of `serveWithWorkers` to the process that started it. */
export class TeamLink {
  /** The limit that all workers share; undefined where there is none. */
  readonly rateLimit: RateLimit | undefined;
  readonly #metrics: ServiceMetrics | undefined;

  constructor({ rateLimit, workers }: { rateLimit?: RateQuota; workers: number }, metrics: ServiceMetrics | undefined) {
    this.#metrics = metrics;
    const shared = rateLimit && new WorkerRateLimit(rateLimit, workers, (message) => void send(message));
    this.rateLimit = shared?.limit;
    process.on('message', (order: WorkerOrder) => {
      if (order.lease !== undefined) shared?.receive(order.lease);
      if (order.metrics) this.#sendMetrics();
    });
    if (shared !== undefined) setInterval(() => shared.giveBack(), GIVE_BACK_MILLISECONDS).unref();
  }

  /** Says that this worker serves; the text is shown once for all. */
  announce(announcement: string): void {
    send({ announcement });
  }

  /** Sends the last metrics, and ends the connection, which would keep the process alive. */
  async leave(): Promise<void> {
    await this.#sendMetrics();
    if (process.connected) process.disconnect();
  }

  async #sendMetrics(): Promise<void> {
    if (this.#metrics !== undefined) await send({ metrics: await this.#metrics.snapshot() });
  }
}

/** Resolves when a message is sent; without the process that started it, a worker ends anyway. */
function send(message: WorkerMessage): Promise<void> {
  return new Promise((done) => {
    if (process.connected) process.send?.(message, () => done());
    else done();
  });
}
