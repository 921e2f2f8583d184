import { joinCounts, joinMetrics, type MetricsSnapshot } from '../service/handler/metrics.node.js';
import { type ListenOptions, listen, type RunningServer } from './http-server.js';

/** The media type of `joinMetrics`. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Serves metrics at `/metrics` of an address of their own, which clients of the service need not reach. */
export function serveMetrics(text: () => Promise<string>, options: ListenOptions): Promise<RunningServer> {
  return listen((request, response) => {
    const { method = '', url = '' } = request;
    const send = (status: number, body: string) => {
      const headers = { 'content-type': METRICS_TYPE, 'content-length': Buffer.byteLength(body) };
      response.writeHead(status, { ...headers, 'cache-control': 'no-store' });
      response.end(method === 'HEAD' ? undefined : body);
    };
    if (method !== 'GET' && method !== 'HEAD') send(405, 'GET and HEAD are answered.\n');
    else if (url.split('?', 1)[0] !== '/metrics') send(404, 'The metrics are at /metrics.\n');
    else
      text().then(
        (body) => send(200, body),
        () => send(503, 'The metrics cannot be read now.\n'),
      );
  }, options);
}

/** The metrics of all workers that a server has and had: their counts only grow, also when one ends. */
export class TeamMetrics {
  readonly #last = new Map<number, MetricsSnapshot>();
  #ended: MetricsSnapshot = [];
  #replaced = 0;

  keep(worker: number, metrics: MetricsSnapshot): void {
    this.#last.set(worker, metrics);
  }

  /** Keeps the counts of a worker that has ended, as far as they are known. */
  async end(worker: number): Promise<void> {
    const last = this.#last.get(worker);
    this.#last.delete(worker);
    if (last !== undefined) this.#ended = await joinCounts([this.#ended, last]);
  }

  countReplaced(): void {
    this.#replaced++;
  }

  text(): Promise<string> {
    const own = [
      metric('plumecast_workers', 'Processes that serve.', 'gauge', this.#last.size),
      metric('plumecast_workers_replaced_total', 'Workers that ended by themselves.', 'counter', this.#replaced),
    ];
    return joinMetrics([own, ...this.#last.values(), this.#ended]);
  }
}

function metric(name: string, help: string, type: 'counter' | 'gauge', value: number) {
  return { name, help, type, values: [{ value, labels: {} }], aggregator: 'sum' };
}
