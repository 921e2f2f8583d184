import { join } from 'node:path';
import { demoTables } from '../../src/demo/index.js';
import { encodeTable } from '../../src/files/index.js';
import { dayNumber } from '../../src/period/day.js';
import { openStore } from '../../src/service/source/folder/index.node.js';
import type { Snapshot } from '../../src/service/source/source.js';
import { folderWith, plumecast } from './run-command.js';

const locations = [37, 37.25].flatMap((latitude) => [-80, -79.75].map((longitude) => ({ latitude, longitude })));
const initDate = dayNumber(2026, 3, 2);
const grid = { locations, initDate, members: 3 };

const TABLES = {
  short: demoTables({ ...grid, days: 15, horizon: 'short-term' }),
  sub: demoTables({ ...grid, days: 46, horizon: 'subseasonal', seed: 2 }),
  seasonal: demoTables({ ...grid, days: 60, horizon: 'seasonal', seed: 3 }),
  old: demoTables({ ...grid, members: 1, initDate: initDate - 800, days: 795, seed: 4 }),
  recent: demoTables({ ...grid, members: 1, initDate: initDate - 20, days: 20, seed: 5 }),
};

/**
 * The files of a small forecast and its history: `short-temp_mean.arrow` and so on, two variables on two by two places.
 */
async function inputFiles(): Promise<Record<string, Uint8Array | string>> {
  const files: Record<string, Uint8Array | string> = {
    'elevation.csv': `latitude,longitude,elevation\n${locations.map(({ latitude, longitude }) => `${latitude},${longitude},300`).join('\n')}\n`,
  };
  for (const [name, tables] of Object.entries(TABLES)) {
    for (const slug of ['temp_mean', 'precipitation'] as const) {
      files[`${name}-${slug}.arrow`] = await encodeTable(tables[slug], 'arrow');
    }
  }
  return files;
}

/** The arguments of `plumecast ingest` for all of `inputFiles`. */
export const INGEST_ALL = [
  ...['--short-term', 'short-temp_mean.arrow', 'short-precipitation.arrow'],
  ...['--subseasonal', 'sub-temp_mean.arrow', 'sub-precipitation.arrow'],
  ...['--seasonal', 'seasonal-temp_mean.arrow', 'seasonal-precipitation.arrow'],
  ...['--history', 'old-temp_mean.arrow', 'old-precipitation.arrow'],
  ...['--recent-history', 'recent-temp_mean.arrow', 'recent-precipitation.arrow'],
  ...['--elevation', 'elevation.csv'],
];

/** A folder with the input files and a store of them, in `store`. */
export async function folderWithStore(): Promise<{ folder: string; store: string; remove: () => void }> {
  const { folder, remove } = folderWith(await inputFiles());
  const { code, err } = plumecast(['ingest', '--store', 'store', ...INGEST_ALL], { cwd: folder });
  if (code !== 0) throw new Error(err);
  return { folder, store: join(folder, 'store'), remove };
}

/** What `look` sees in a store. */
export async function snapshotOf<T>(dir: string, look: (snapshot: Snapshot) => T | Promise<T>): Promise<T> {
  const opened = await openStore(dir);
  try {
    return await look(await opened.snapshot());
  } finally {
    await opened.close();
  }
}
