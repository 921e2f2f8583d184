import type { Gauge, Metric, Registry } from 'prom-client';
import { loadPackage } from '../../files/load-package.js';
import type { SkillSeries } from '../source/source.js';
import type { Handler } from './create-handler.js';
import type { RequestMetric } from './handler-options.js';
import type { HandlerState } from './replies.js';

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

/** The metrics of a process as plain objects, of prom-client. */
export type MetricsSnapshot = readonly object[];

/** What is counted of the requests to an endpoint with a status. */
interface Series {
  readonly labels: { readonly endpoint: string; readonly status: string };
  /** The number of requests up to each of BUCKETS and above the one before; the last one is of those above all. */
  readonly buckets: Float64Array;
  seconds: number;
  bytes: number;
  cached: number;
}

/** What is counted of the requests with a key. */
interface KeySeries {
  owner: string;
  requests: number;
  cost: number;
}

const DURATION = {
  name: 'plumecast_request_duration_seconds',
  help: 'From a request to its response; of a long response to the end of its sending.',
  type: 'histogram',
  aggregator: 'sum',
} as const;

const BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Creates the metrics of this process, with those of Node (processor time, memory, delay of the event loop). Rejects
 * with PackageError where prom-client is not installed.
 *
 * Requests are counted in plain numbers, and prom-client gets these when the metrics are read: its own histogram takes
 * longer (4 us a request in a busy server) than all else that a limit, an id and a measured request cost together.
 */
export async function createMetrics(): Promise<ServiceMetrics> {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = await loadPrometheus();
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // Gauges by type are there, too; these have names of counters.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`);
  const byEndpoint = new Map<string, Map<number, Series>>();

  const byKey = new Map<string, KeySeries>();

  const addSeries = (endpoint: string, status: number): Series => {
    const labels = { endpoint, status: `${status}` };
    const series = { labels, buckets: new Float64Array(BUCKETS.length + 1), seconds: 0, bytes: 0, cached: 0 };
    const byStatus = byEndpoint.get(endpoint) ?? new Map<number, Series>();
    byEndpoint.set(endpoint, byStatus.set(status, series));
    return series;
  };

  const allSeries = () => [...byEndpoint.values()].flatMap((byStatus) => [...byStatus.values()]);
  const durations = { ...DURATION, get: () => ({ ...DURATION, values: allSeries().flatMap(histogramValues) }) };
  // All that a registry needs of a metric, as its own joined metrics show.
  registry.registerMetric(durations as unknown as Metric);
  const addCounter = (name: string, help: string, read: (series: Series) => number) =>
    new Counter({
      ...{ name, help, labelNames: ['endpoint'], registers },
      collect() {
        this.reset();
        for (const series of allSeries()) this.inc({ endpoint: series.labels.endpoint }, read(series));
      },
    });
  addCounter('plumecast_response_bytes_total', 'Bytes of bodies, as sent.', ({ bytes }) => bytes);
  addCounter('plumecast_cached_responses_total', 'Responses whose body was kept.', ({ cached }) => cached);

  const addKeyCounter = (name: string, help: string, read: (series: KeySeries) => number) =>
    new Counter({
      ...{ name, help, labelNames: ['key_id', 'owner'], registers },
      collect() {
        this.reset();
        for (const [key_id, series] of byKey) this.inc({ key_id, owner: series.owner }, read(series));
      },
    });
  addKeyCounter('plumecast_key_requests_total', 'Requests by key, where usage is counted.', ({ requests }) => requests);
  addKeyCounter('plumecast_key_cost_total', 'What the answers to a key cost.', ({ cost }) => cost);

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
  new Gauge({
    ...{ name: 'plumecast_run_age_seconds', help: 'Time since the run of a horizon was issued.', registers },
    ...{ labelNames: ['horizon'], aggregator: 'max' },
    async collect() {
      this.reset();
      const state = await watched?.state();
      for (const { horizon, initTime } of state?.runs ?? []) this.set({ horizon }, secondsSince(initTime) as number);
    },
  });
  for (const [name, help, read] of SKILL_GAUGES) {
    new Gauge({
      ...{ name, help, registers, labelNames: ['horizon', 'variable', 'granularity', 'lead'], aggregator: 'first' },
      async collect() {
        this.reset();
        const state = await watched?.state();
        for (const { horizon, granularity, slug, leads } of state?.record?.series ?? []) {
          for (const one of leads) {
            const value = read(one);
            if (value !== undefined) this.set({ horizon, variable: slug, granularity, lead: one.lead }, value);
          }
        }
      },
    });
  }

  return {
    onMetric({ endpoint, status, milliseconds, bytes, cached, usage }) {
      const series = byEndpoint.get(endpoint)?.get(status) ?? addSeries(endpoint, status);
      const seconds = milliseconds / 1000;
      let bucket = 0;
      while (seconds > BUCKETS[bucket]) bucket++;
      series.buckets[bucket]++;
      series.seconds += seconds;
      series.bytes += bytes;
      if (cached) series.cached++;
      if (usage === undefined) return;
      const { keyId, owner, cost } = usage;
      let used = byKey.get(keyId);
      if (used === undefined) byKey.set(keyId, (used = { owner, requests: 0, cost: 0 }));
      used.owner = owner;
      used.requests++;
      used.cost += cost;
    },
    watch(handler) {
      watched = handler;
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
  };
}

/** The values of a histogram, whose buckets hold all that is below their bounds. */
function histogramValues({ labels, buckets, seconds }: Series) {
  const { name } = DURATION;
  let count = 0;
  const inBuckets = Array.from(buckets, (inBucket, i) => {
    count += inBucket;
    return { labels: { le: BUCKETS[i] ?? '+Inf', ...labels }, value: count, metricName: `${name}_bucket` };
  });
  return [
    ...inBuckets,
    { labels, value: seconds, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
}

/** A gauge of a handler's state: its name and help, how it is read, and how those of several processes are joined. */
type StateGauge = readonly [
  name: string,
  help: string,
  read: (state: HandlerState) => number | undefined,
  aggregator: 'sum' | 'max',
];

const STATE_GAUGES: readonly StateGauge[] = [
  ['plumecast_forecast_age_seconds', 'Time since the short-term run was issued; absent without one.', age, 'max'],
  [
    'plumecast_skill_record_age_seconds',
    'Time since forecasts were last scored; absent without a record.',
    ({ record }) => secondsSince(record?.updated),
    'max',
  ],
  [
    'plumecast_keys_age_seconds',
    'Time since what keeps the keys could be reached; 0 while it can, absent where keys are in files.',
    ({ keysAgeSeconds }) => keysAgeSeconds,
    'max',
  ],
  [
    'plumecast_source_age_seconds',
    'Time since what has the data could be reached; 0 while it can, absent where the source does not say it.',
    ({ sourceAgeSeconds }) => sourceAgeSeconds,
    'max',
  ],
  ['plumecast_response_cache_bytes', 'Size of the cache of responses.', (state) => state.responseCacheBytes, 'sum'],
  ['plumecast_core_memory_bytes', 'Memory of the WebAssembly core.', ({ coreBytes }) => coreBytes, 'sum'],
  ['plumecast_requests_answering', 'Requests whose answers are computed.', ({ answering }) => answering, 'sum'],
  ['plumecast_requests_waiting', 'Requests that wait for that.', ({ waiting }) => waiting, 'sum'],
  ['plumecast_responses_sending', 'Long responses that are being sent.', ({ sending }) => sending, 'sum'],
];

type SkillOfLead = SkillSeries['leads'][number];

/** Gauges of the record of issued forecasts, of all places together, by lead. */
const SKILL_GAUGES: readonly [name: string, help: string, read: (lead: SkillOfLead) => number | undefined][] = [
  ['plumecast_skill_crpss', 'Skill of the CRPS of issued forecasts against the climatology.', (one) => one.crpsSkill],
  ['plumecast_skill_rpss', 'The same of the RPS of terciles.', (one) => one.rpsSkill],
  ['plumecast_skill_cases', 'Scored cases of issued forecasts.', ({ cases }) => cases],
];

function age({ forecastInitTime }: HandlerState): number | undefined {
  return secondsSince(forecastInitTime);
}

function secondsSince(time: string | undefined): number | undefined {
  return time === undefined ? undefined : (Date.now() - Date.parse(time)) / 1000;
}

function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}

/** The text of the metrics of several processes together: sums, or what each metric says of itself. */
export async function joinMetrics(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return (await joinedRegistry(snapshots)).metrics();
}

/** What must not be forgotten when processes end: their counts, without the state that they had. */
export async function joinCounts(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  // The types of the package are names here, and numbers there.
  const isCount = ({ type }: { type: unknown }) => type === 'counter' || type === 'histogram';
  const joined = await (await joinedRegistry(snapshots)).getMetricsAsJSON();
  return joined.filter(isCount);
}

async function joinedRegistry(snapshots: readonly MetricsSnapshot[]): Promise<Registry> {
  const { AggregatorRegistry } = await loadPrometheus();
  return AggregatorRegistry.aggregate(snapshots as Awaited<ReturnType<Registry['getMetricsAsJSON']>>[]);
}

function loadPrometheus() {
  return loadPackage('prom-client', 'metrics', () => import('prom-client'));
}
