import type { Places, Point } from '../src/ensemble/nearest-place.js';
import { dayNumber } from '../src/period/day.js';
import { createKey } from '../src/service/access/key-file.node.js';
import { databaseKeys } from '../src/service/database/key-rows.node.js';
import { beginUpdate, migrateDatabase } from '../src/service/node.js';

/** Cells of the forecast, in a square grid. */
export const CELLS = 10_000;
export const FORECAST = { firstDay: 20_514, days: 215, members: 31 };
export const KEY = 'a-key-of-the-benchmark';
/** What is requested, without the point. */
export const WEEKS = '/v2/forecast/statistics?var=precipitation&granularity=weekly';
const HISTORY_CELLS = 100;
const HISTORY = { firstDay: dayNumber(1993, 1, 1), days: 12_113, members: 1 };

/** Writes a store with a forecast and a history of rain. */
export async function makeStore(folder: string): Promise<void> {
  const update = await beginUpdate(folder);
  const initTime = '2026-03-02T00:00:00Z';
  update.setForecast({ initTime, version: 'bench', generation: 'bench', horizonInitTimes: {} });
  await update.write('timeline', {
    ...{ slug: 'precipitation', units: 'mm', axis: FORECAST },
    places: squareGrid(CELLS),
    blocks: randomBlocks(CELLS, FORECAST.days * FORECAST.members),
  });
  await update.write('reanalysis', {
    ...{ slug: 'precipitation', units: 'mm', axis: HISTORY },
    places: squareGrid(HISTORY_CELLS),
    blocks: randomBlocks(HISTORY_CELLS, HISTORY.days),
  });
  await update.commit();
  await createKey(folder, { owner: 'bench', downscaling: false, key: KEY });
}

/** Makes the tables of a database, and the key in it, with a quota. */
export async function makeKey(database: string): Promise<void> {
  await migrateDatabase(database);
  await databaseKeys(database).create([{ owner: 'bench', downscaling: false, key: KEY, dailyQuota: 1e9 }]);
}

/** A point near a cell of the forecast. */
export function pointNear(cell: number): Point {
  const { latitude, longitude } = cellCentre(cell, CELLS);
  return { latitude: latitude + 0.05, longitude: longitude - 0.05 };
}

/** A square grid of 0.25 degrees from 30 S 120 W on; serve-load.mjs requests points of it. */
function squareGrid(cells: number): Places {
  const centres = Array.from({ length: cells }, (_, cell) => cellCentre(cell, cells));
  return {
    latitude: Float64Array.from(centres, ({ latitude }) => latitude),
    longitude: Float64Array.from(centres, ({ longitude }) => longitude),
  };
}

function cellCentre(cell: number, cells: number): Point {
  const side = Math.ceil(Math.sqrt(cells));
  return { latitude: -30 + Math.floor(cell / side) * 0.25, longitude: -120 + (cell % side) * 0.25 };
}

/** Seeded rain, or none, for each cell, in blocks of a hundred cells. */
function* randomBlocks(cells: number, valuesPerCell: number): Generator<Float32Array> {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let cell = 0; cell < cells; cell += 100) {
    const count = Math.min(100, cells - cell);
    yield Float32Array.from({ length: count * valuesPerCell }, () => {
      const wet = random() - 0.6;
      return wet < 0 ? 0 : Math.round(wet * 5000) / 100;
    });
  }
}
