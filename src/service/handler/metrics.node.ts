import type { Gauge, Registry } from 'prom-client';
import { loadPackage } from '../../files/load-package.js';
import type { Handler } from './create-handler.js';
import type { RequestMetric } from './handler-options.js';
import type { HandlerState } from './handler-state.js';

/** Metrics of a service in the text format of Prometheus. */
export interface ServiceMetrics {
  /** The hook of `createHandler`. */
  readonly onMetric: (metric: RequestMetric) => void;
  /** From now on the metrics also tell the state of this handler: its run, cache, memory and queue. */
  watch(handler: Handler): void;
  /** The media type of the text. */
  readonly contentType: string;
  text(): Promise<string>;
  /** The metrics as plain objects, to be sent to another process and joined there. */
  snapshot(): Promise<MetricsSnapshot>;
}

/** The metrics of a process as plain objects. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** What is counted of the requests to an endpoint with a status. */
interface Series {
  readonly endpoint: string;
  readonly observe: (seconds: number) => void;
  bytes: number;
  cached: number;
}

const BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Creates the metrics of this process, with those of Node (processor time, memory, delay of the event loop). Each
 * request costs about a microsecond. Rejects with PackageError where prom-client is not installed.
 */
export async function createMetrics(): Promise<ServiceMetrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await loadPrometheus();
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'plumecast_request_duration_seconds',
    help: 'From a request to its response; of a long response to the end of its sending.',
    labelNames: ['endpoint', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const byEndpoint = new Map<string, Map<number, Series>>();

  const addSeries = (endpoint: string, status: number): Series => {
    const series = { endpoint, observe: durations.labels(endpoint, `${status}`).observe, bytes: 0, cached: 0 };
    const byStatus = byEndpoint.get(endpoint) ?? new Map<number, Series>();
    byEndpoint.set(endpoint, byStatus.set(status, series));
    return series;
  };

  /** Counters are set when they are read: to add to them with every request would take longer. */
  const addCounter = (name: string, help: string, read: (series: Series) => number) =>
    new Counter({
      ...{ name, help, labelNames: ['endpoint'], registers },
      collect() {
        this.reset();
        for (const byStatus of byEndpoint.values()) {
          for (const series of byStatus.values()) this.inc({ endpoint: series.endpoint }, read(series));
        }
      },
    });
  addCounter('plumecast_response_bytes_total', 'Bytes of bodies, as sent.', ({ bytes }) => bytes);
  addCounter('plumecast_cached_responses_total', 'Responses whose body was kept.', ({ cached }) => cached);

  let watched: Handler | undefined;
  const addGauge = ([name, help, read, aggregator]: StateGauge) =>
    new Gauge({
      ...{ name, help, registers, aggregator },
      async collect() {
        const state = await watched?.state();
        const value = state && read(state);
        setOrRemove(this, value);
      },
    });
  for (const gauge of STATE_GAUGES) addGauge(gauge);

  return {
    onMetric({ endpoint, status, milliseconds, bytes, cached }) {
      const series = byEndpoint.get(endpoint)?.get(status) ?? addSeries(endpoint, status);
      series.observe(milliseconds / 1000);
      series.bytes += bytes;
      if (cached) series.cached++;
    },
    watch(handler) {
      watched = handler;
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
  };
}

/** A gauge of a handler's state: its name, what it tells, how it is read, and how those of several processes are joined. */
type StateGauge = readonly [
  name: string,
  help: string,
  read: (state: HandlerState) => number | undefined,
  aggregator: 'sum' | 'max',
];

const STATE_GAUGES: readonly StateGauge[] = [
  ['plumecast_forecast_age_seconds', 'Time since the short-term run was issued; absent without one.', age, 'max'],
  ['plumecast_response_cache_bytes', 'Size of the cache of responses.', (state) => state.responseCacheBytes, 'sum'],
  ['plumecast_core_memory_bytes', 'Memory of the WebAssembly core.', ({ coreBytes }) => coreBytes, 'sum'],
  ['plumecast_requests_answering', 'Requests whose answers are computed.', ({ answering }) => answering, 'sum'],
  ['plumecast_requests_waiting', 'Requests that wait for that.', ({ waiting }) => waiting, 'sum'],
  ['plumecast_responses_sending', 'Long responses that are being sent.', ({ sending }) => sending, 'sum'],
];

function age({ forecastInitTime }: HandlerState): number | undefined {
  return forecastInitTime === undefined ? undefined : (Date.now() - Date.parse(forecastInitTime)) / 1000;
}

function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}

/** The text of the metrics of several processes together: sums, or what each metric says of itself. */
export async function joinMetrics(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  const { AggregatorRegistry } = await loadPrometheus();
  return AggregatorRegistry.aggregate([...snapshots]).metrics();
}

/** What must not be forgotten when processes end: their counts, without the state that they had. */
export async function joinCounts(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  const { AggregatorRegistry } = await loadPrometheus();
  // The types of the package are names here, and numbers there.
  const isCount = ({ type }: { type: unknown }) => type === 'counter' || type === 'histogram';
  const joined = await AggregatorRegistry.aggregate([...snapshots]).getMetricsAsJSON();
  return joined.filter(isCount);
}

function loadPrometheus() {
  return loadPackage('prom-client', 'metrics', () => import('prom-client'));
}
