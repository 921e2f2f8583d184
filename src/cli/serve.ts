import cluster from 'node:cluster';
import { setTimeout } from 'node:timers/promises';
import { isAddress } from '../disk/local-path.js';
import { pointOf } from '../ensemble/nearest-place.js';
import { openKeys } from '../service/access/key-file.node.js';
import type { KeyStore, RateQuota } from '../service/access/key-store.js';
import { openLocations } from '../service/access/location-file.node.js';
import { memoryUsage } from '../service/access/usage.js';
import { fileUsage } from '../service/access/usage-file.node.js';
import type { ServiceDatabase } from '../service/database/open-database.node.js';
import type { OnFault } from '../service/fault-report.js';
import { nodeCompression } from '../service/handler/compression.node.js';
import { createHandler } from '../service/handler/create-handler.js';
import type { FORWARDED_HEADERS } from '../service/handler/listener/client-address.node.js';
import { createListener } from '../service/handler/listener/create-listener.node.js';
import { loadModules } from '../service/handler/load-modules.js';
import type { Mcp } from '../service/handler/mcp/mcp.js';
import { createMetrics } from '../service/handler/metrics.node.js';
import { createRateLimit } from '../service/handler/rate-limit.js';
import { createUsageMeter } from '../service/handler/usage-meter.node.js';
import type { Dataset } from '../service/source/dataset.js';
import { type FolderStore, openStore } from '../service/source/folder/index.node.js';
import type { Snapshot } from '../service/source/source.js';
import type { Tracing } from '../service/tracing.js';
import type { HorizonName } from '../variable/availability.js';
import { assertAccessFolder, databaseUrl } from './access-place.js';
import { isLoopback, type ListenOptions, listen } from './http-server.js';
import { serveMetrics } from './metrics-server.js';
import { withPages } from './pages/pages.js';
import { serveWithWorkers } from './serve-workers.js';
import { type ServerLog, serverLog } from './server-log.js';
import type { AccessPlace } from './shared-options.js';
import { stopSignal, workerStopSignal } from './stop-signal.js';
import { TeamLink } from './team-link.js';
import { DEMO_KEYS } from './write-demo-store.js';

/** How a store is served. */
export interface ServeOptions extends AccessPlace {
  store: string;
  keys?: string;
  refresh: number;
  publicCache?: boolean;
  databaseGrace?: number;
  host: string;
  port: number;
  workers: number;
  basePath?: string;
  explorer: boolean;
  docs: boolean;
  responseCache: number;
  compression: boolean;
  rateLimit?: RateQuota;
  usage?: boolean;
  unknownKeyLimit?: RateQuota;
  trustedProxies?: string[];
  forwardedHeader?: (typeof FORWARDED_HEADERS)[number];
  maxAge?: Partial<Record<HorizonName, number>>;
  metricsPort?: number;
  metricsHost: string;
  log?: boolean;
  traces?: boolean;
  mcp?: boolean;
  drainSeconds: number;
  shutdownSeconds: number;
}

type MetricsOptions = Pick<ServeOptions, 'metricsHost' | 'metricsPort'>;

/** Serves a store until the process gets a signal: in this process, or in several. */
export async function serve(options: ServeOptions): Promise<void> {
  const log = serverLog(options.log ?? false);
  if (options.workers > 1 && cluster.isPrimary) {
    const { workers, drainSeconds, shutdownSeconds } = options;
    const patienceSeconds = drainSeconds + shutdownSeconds + 5;
    const metrics = metricsAddress(options);
    process.exitCode = await serveWithWorkers({ workers, patienceSeconds, metrics }, log);
    return;
  }
  await loadModules();
  if (isAddress(options.store) && !process.env.PLUMECAST_CACHE && !cluster.isWorker) {
    log.note('what comes from the store is kept in memory alone; with --cache DIR on the disk, too');
  }
  const { store, refresh: refreshSeconds } = options;
  const tracing = options.traces ? await startTracing(log) : undefined;
  const source = await openStore(store, { allowEmpty: true, refreshSeconds, onFault: log.fault, tracing });
  try {
    const common = { rejectDemoKeys: !isLoopback(options.host), onFault: log.fault };
    const access = await openAccess(options, common);
    await serveSource(source, access, log, { ...options, tracing }).finally(() => access.close());
  } finally {
    await source.close();
  }
}

/** Serves a source until the process gets a signal. */
async function serveSource(
  source: FolderStore,
  access: Access,
  log: ServerLog,
  { store, host, port, ...options }: ServeOptions & { tracing: Tracing | undefined },
): Promise<void> {
  const rejectDemoKeys = !isLoopback(host);
  const { keys, locations, folder } = access;
  const usage = createUsageMeter(access.usage, { onFault: log.fault });
  let isDraining = false;
  const metricsAt = metricsAddress(options);
  const metrics = metricsAt && (await createMetrics());
  const team = cluster.isWorker ? new TeamLink(options, metrics) : undefined;
  const handler = createHandler({
    source,
    keys,
    locations,
    isDraining: () => isDraining,
    maxAgeSeconds: options.maxAge,
    publicCache: options.publicCache,
    basePath: options.basePath,
    responseCacheBytes: Math.round(options.responseCache * 2 ** 20),
    compression: options.compression && nodeCompression(),
    rateLimit: team?.rateLimit ?? createRateLimit(options.rateLimit),
    usage,
    unknownKeyLimit: options.unknownKeyLimit,
    tracing: options.tracing,
    mcp: options.mcp ? await loadMcp() : undefined,
    onRequest: log.request,
    onMetric: metrics?.onMetric,
    onError: log.fault,
  });
  metrics?.watch(handler);
  if (rejectDemoKeys && folder !== undefined && (await hasDemoKey(await openKeys(folder)))) {
    log.note(
      "other machines may reach this address, so the demo's keys are rejected; make one with plumecast key create",
    );
  }
  const metricsServer = team || !metrics || !metricsAt ? undefined : await serveMetrics(metrics.text, metricsAt);
  const stopped = cluster.isWorker ? workerStopSignal() : stopSignal();
  const basePath = (options.basePath ?? '').replace(/\/+$/, '');
  const { explorer, docs, trustedProxies, forwardedHeader } = options;
  const key = (await hasDemoKey(keys)) ? DEMO_KEYS.coarse : undefined;
  const listener = await withPages(createListener(handler, { trustedProxies, forwardedHeader }), {
    basePath,
    explorer,
    docs,
    key,
    onRequest: log.request,
  });
  const server = await listen(listener, { host, port }, log.fault);

  const base = `${server.address}${basePath}`;
  const example = exampleCommand(base, await source.snapshot(), key);
  const metricsLine = metricsServer === undefined ? '' : `Metrics are at ${metricsServer.address}/metrics\n\n`;
  const pages = pageAddresses(base, options);
  const announcement = `Serving ${store} at ${base}\n\n${example}${pages}${metricsLine}Ctrl-C stops it.\n`;
  if (team === undefined) process.stdout.write(announcement);
  else team.announce(announcement);
  const signal = await stopped;
  isDraining = true;
  if (signal === 'SIGTERM' && options.drainSeconds > 0) {
    server.drain();
    await setTimeout(options.drainSeconds * 1000);
  }
  const interrupted = await server.stop(options.shutdownSeconds);
  await metricsServer?.stop(0);
  await usage.close().catch(log.fault);
  await team?.leave();
  if (interrupted > 0) log.note(`${interrupted} requests were cut off after ${options.shutdownSeconds} s`);
}

/** The service for assistants, which loads the SDK of the protocol. */
async function loadMcp(): Promise<Mcp> {
  const { createMcp } = await import('../service/handler/mcp/create-mcp.node.js');
  return createMcp();
}

/** Spans by OpenTelemetry; a note where nobody takes them. */
async function startTracing(log: ServerLog): Promise<Tracing> {
  const { openTelemetry } = await import('../service/handler/open-telemetry.node.js');
  const tracing = await openTelemetry();
  if (!tracing.hasSdk) {
    log.note(
      'traces go nowhere, as no SDK of OpenTelemetry is registered; set NODE_OPTIONS="--import @opentelemetry/auto-instrumentations-node/register"',
    );
  }
  return tracing;
}

/** The keys and locations, and the folder that they are in; undefined for a database. */
interface Access extends ServiceDatabase {
  readonly folder: string | undefined;
}

/** The keys and locations: in the database where there is one, else in a folder, by default the store's. */
async function openAccess(
  { store, keys: folder = store, databaseGrace, usage, ...options }: ServeOptions,
  common: { rejectDemoKeys: boolean; onFault: OnFault },
): Promise<Access> {
  const url = await databaseUrl(options);
  if (url === undefined) {
    assertAccessFolder(folder, 'keys');
    const locations = await openLocations(folder, { onFault: common.onFault });
    const keys = await openKeys(folder, common);
    return { keys, locations, usage: usage ? fileUsage(folder) : memoryUsage(), folder, close: async () => {} };
  }
  const { openDatabase } = await import('../service/database/open-database.node.js');
  return { ...(await openDatabase(url, { ...common, graceSeconds: databaseGrace })), folder: undefined };
}

/** Where metrics are served; undefined where they are not. */
function metricsAddress({ metricsHost: host, metricsPort: port }: MetricsOptions): ListenOptions | undefined {
  return port === undefined ? undefined : { host, port };
}

/** A shell command with an example request. */
function exampleCommand(base: string, snapshot: Snapshot, key = 'YOUR-KEY'): string {
  const path = exampleRequest(snapshot);
  if (path === undefined) return 'The store has no data yet: plumecast ingest --help\n\n';
  return `$ curl -H 'X-Api-Key: ${key}' '${base}${path}'\n\n`;
}

/** Where the pages of the server are. */
function pageAddresses(base: string, { explorer, docs }: Pick<ServeOptions, 'explorer' | 'docs'>): string {
  const lines = [
    ...(explorer ? [`Open ${base}/ in a browser.`] : []),
    ...(docs ? [`The API is at ${base}/docs.`] : []),
  ];
  return lines.length > 0 ? `${lines.join('\n')}\n\n` : '';
}

async function hasDemoKey(keys: KeyStore): Promise<boolean> {
  return (await keys.find(DEMO_KEYS.coarse)) !== undefined;
}

/** The path and query of a request that a source can answer; undefined if it has no data. */
function exampleRequest({ forecast, history }: Snapshot): string | undefined {
  if (forecast !== undefined) return `/v2/forecast/statistics?${exampleQuery(forecast.timeline)}&granularity=weekly`;
  if (history !== undefined) return `/v2/history?${exampleQuery(history.data)}&granularity=monthly`;
  return undefined;
}

/** The query for a place in the middle of the data, and a variable, precipitation if possible. */
function exampleQuery({ places, variables }: Dataset): string {
  const { latitude, longitude } = pointOf(places, places.latitude.length >> 1);
  const slug = variables.has('precipitation') ? 'precipitation' : [...variables.keys()][0];
  return `lat=${latitude}&lon=${longitude}&var=${slug}`;
}
