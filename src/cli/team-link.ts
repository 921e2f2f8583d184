import type { RateQuota } from '../service/access/key-store.js';
import type { ServiceMetrics } from '../service/handler/metrics.node.js';
import type { RateLimit } from '../service/handler/rate-limit.js';
import { WorkerRateLimit } from './shared-rate-limit.js';
import type { WorkerMessage, WorkerOrder } from './worker-messages.js';

const GIVE_BACK_MILLISECONDS = 1000;

/** The way from a worker of `serveWithWorkers` to the process that started it. */
export class TeamLink {
  /** The limit that all workers share. */
  readonly rateLimit: RateLimit;
  readonly #metrics: ServiceMetrics | undefined;

  constructor({ rateLimit, workers }: { rateLimit?: RateQuota; workers: number }, metrics: ServiceMetrics | undefined) {
    this.#metrics = metrics;
    const shared = new WorkerRateLimit(rateLimit, workers, (message) => void send(message));
    this.rateLimit = shared.limit;
    process.on('message', (order: WorkerOrder) => {
      if (order.lease !== undefined) shared.receive(order.lease);
      if (order.metrics) this.#sendMetrics();
    });
    setInterval(() => shared.giveBack(), GIVE_BACK_MILLISECONDS).unref();
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
