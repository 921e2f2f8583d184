import cluster from 'node:cluster';
import { setTimeout } from 'node:timers/promises';
import { openKeys } from '../service/access/key-file.node.js';
import type { KeyStore } from '../service/access/key-store.js';
import { openLocations } from '../service/access/location-file.node.js';
import { createHandler } from '../service/handler/create-handler.js';
import { createListener } from '../service/handler/listener/create-listener.node.js';
import { cellLocation } from '../service/point/place.js';
import type { Dataset } from '../service/source/dataset.js';
import { type FolderStore, openStore } from '../service/source/folder/index.node.js';
import type { Snapshot } from '../service/source/source.js';
import { isLoopback, listen } from './http-server.js';
import { withPages } from './pages/pages.js';
import { serveWithWorkers, type WorkerReady } from './serve-workers.js';
import { type ServerLog, serverLog } from './server-log.js';
import { stopSignal, workerStopSignal } from './stop-signal.js';
import { DEMO_KEYS } from './write-demo-store.js';

/** How a store is served. */
export interface ServeOptions {
  store: string;
  host: string;
  port: number;
  workers: number;
  basePath?: string;
  explorer: boolean;
  docs: boolean;
  responseCache: number;
  log?: boolean;
  drainSeconds: number;
  shutdownSeconds: number;
}

/** Serves a store until the process gets a signal: in this process, or in several. */
export async function serve(options: ServeOptions): Promise<void> {
  const log = serverLog(options.log ?? false);
  if (options.workers > 1 && cluster.isPrimary) {
    const { workers, drainSeconds, shutdownSeconds } = options;
    const patienceSeconds = drainSeconds + shutdownSeconds + 5;
    process.exitCode = await serveWithWorkers({ workers, patienceSeconds }, log);
    return;
  }
  const source = await openStore(options.store, { onFault: log.fault });
  try {
    await serveSource(source, log, options);
  } finally {
    await source.close();
  }
}

/** Serves a source until the process gets a signal. */
async function serveSource(
  source: FolderStore,
  log: ServerLog,
  { store, host, port, ...options }: ServeOptions,
): Promise<void> {
  const rejectDemoKeys = !isLoopback(host);
  const keys = await openKeys(store, { rejectDemoKeys, onFault: log.fault });
  const locations = await openLocations(store, { onFault: log.fault });
  let isDraining = false;
  const handler = createHandler({
    source,
    keys,
    locations,
    isDraining: () => isDraining,
    basePath: options.basePath,
    responseCacheBytes: Math.round(options.responseCache * 2 ** 20),
    onRequest: log.request,
    onError: (error, { id }) => log.fault(error, id),
  });
  if (rejectDemoKeys && (await hasDemoKey(await openKeys(store)))) {
    log.note(
      "other machines may reach this address, so the demo's keys are rejected; make one with plumecast key create",
    );
  }
  const stopped = cluster.isWorker ? workerStopSignal() : stopSignal();
  const basePath = (options.basePath ?? '').replace(/\/+$/, '');
  const { explorer, docs } = options;
  const key = (await hasDemoKey(keys)) ? DEMO_KEYS.coarse : undefined;
  const listener = await withPages(createListener(handler), { basePath, explorer, docs, key, onRequest: log.request });
  const server = await listen(listener, { host, port });

  const base = `${server.address}${basePath}`;
  const example = exampleCommand(base, await source.snapshot(), key);
  announce(`Serving ${store} at ${base}\n\n${example}${pageAddresses(base, options)}Ctrl-C stops it.\n`);
  const signal = await stopped;
  isDraining = true;
  if (signal === 'SIGTERM' && options.drainSeconds > 0) {
    server.drain();
    await setTimeout(options.drainSeconds * 1000);
  }
  const interrupted = await server.stop(options.shutdownSeconds);
  // Else the connection to the process that started this one would keep it alive.
  if (cluster.isWorker) process.disconnect();
  if (interrupted > 0) log.note(`${interrupted} requests were cut off after ${options.shutdownSeconds} s`);
}

/** Shows that this process serves; of several, the one that started them shows it once. */
function announce(announcement: string): void {
  if (cluster.isWorker) cluster.worker?.send({ announcement } satisfies WorkerReady);
  else process.stdout.write(announcement);
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
  const { latitude, longitude } = cellLocation(places, places.latitude.length >> 1);
  const slug = variables.has('precipitation') ? 'precipitation' : [...variables.keys()][0];
  return `lat=${latitude}&lon=${longitude}&var=${slug}`;
}
