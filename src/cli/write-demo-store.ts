import { loadCore } from '../core/load.js';
import type { DemoStore } from '../demo/index.js';
import { createKey, openKeys } from '../service/access/key-file.node.js';
import { addLocation } from '../service/access/location-file.node.js';
import type { StoredLocation } from '../service/access/locations.js';
import { ingestForecast, ingestHistory } from '../service/ingest/index.js';
import type { HistoryPart } from '../service/source/folder/store-part.js';
import type { Progress } from './reporter.js';
import { updateStore } from './update-store.js';

/** The keys of the demo store, which are public. */
export const DEMO_KEYS = { coarse: 'demo', fine: 'demo-1km' } as const;

/**
 * The stored locations of the demo store: one on its grid, and one next to it, which forecasts cover but legacy history
 * does not.
 */
const DEMO_LOCATIONS: readonly StoredLocation[] = [
  { id: 'demo-field', latitude: 37.3, longitude: -79.84 },
  { id: 'demo-remote', latitude: 38.2, longitude: -79.84 },
];

const ATTRIBUTION = 'Made-up weather of the plumecast demo';

/** Writes the demo store, with its locations and keys, to a folder. Throws FileError. */
export async function writeDemoStore(dir: string, store: DemoStore, progress: Progress): Promise<void> {
  const { forecasts, history, grid } = store;
  const withProgress = <T extends { source: string; load(): unknown }>(file: T): T => ({
    ...file,
    load() {
      progress.report(file.source);
      return file.load();
    },
  });
  const core = await loadCore();
  await updateStore(dir, async (update) => {
    await ingestForecast(core, update, { files: forecasts.map(withProgress), replace: true, allowOlder: true });
    for (const [part, files] of Object.entries(history)) {
      await ingestHistory(update, part as HistoryPart, { files: files.map(withProgress), replace: true });
    }
    await update.setElevation(grid);
    update.addPreloaded(grid);
    update.setAttribution(ATTRIBUTION);
  });
  for (const location of DEMO_LOCATIONS) await addLocation(dir, location);
  await addDemoKey(dir, DEMO_KEYS.coarse, false);
  await addDemoKey(dir, DEMO_KEYS.fine, true);
}

async function addDemoKey(dir: string, key: string, downscaling: boolean): Promise<void> {
  const keys = await openKeys(dir);
  if ((await keys.find(key)) !== undefined) return;
  await createKey(dir, { owner: 'demo', downscaling, key, demo: true });
}
