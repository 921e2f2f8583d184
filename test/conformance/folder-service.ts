import { onTestFinished } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { demoTables } from '../../src/demo/index.js';
import { parseDate } from '../../src/period/day.js';
import { ingestForecast, ingestHistory } from '../../src/service/ingest/index.js';
import { beginUpdate, openStore } from '../../src/service/source/folder/index.node.js';
import { filesOf, horizonTables } from '../service/ingest/recording-writer.js';
import { createService, PLACES } from './service.js';

/** Writes a run of one variable to a store; calls `beforeCommit` when all is written and readers do not see it yet. */
export async function writeRun(dir: string, generation: string, seed: number, beforeCommit = async () => {}) {
  const { temp_mean } = horizonTables('short-term', { seed });
  const update = await beginUpdate(dir);
  await ingestForecast(await loadCore(), update, { files: filesOf('short-term', { temp_mean }), generation });
  await beforeCommit();
  await update.commit();
}

/** Writes 400 days of history to a store, whose legacy history is not pre-loaded. */
export async function writeHistory(dir: string) {
  const { temp_mean } = demoTables({ members: 1, days: 400, initDate: parseDate('2025-01-01'), locations: PLACES });
  const update = await beginUpdate(dir);
  await ingestHistory(update, 'reanalysis', { files: filesOf('seasonal', { temp_mean }) });
  await update.commit();
}

/** Functions that send requests to a service of a store folder, which looks for changes at each request. */
export async function folderService(dir: string) {
  const store = await openStore(dir, { refreshSeconds: 0 });
  onTestFinished(() => store.close());
  return createService({ source: store });
}
