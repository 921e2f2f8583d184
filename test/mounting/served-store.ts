import { loadCore } from 'plumecast';
import { dayNumber } from 'plumecast/calendar';
import { demoTables } from 'plumecast/demo';
import { type HorizonName, ingestForecast, ingestHistory } from 'plumecast/service';
import { beginUpdate } from 'plumecast/service/node';
import { createKey } from '../../src/service/access/key-file.node.js';
import { addLocation } from '../../src/service/access/location-file.node.js';

const INIT = dayNumber(2026, 3, 2);
const LOCATIONS = [37, 37.25].flatMap((latitude) => [-80, -79.75].map((longitude) => ({ latitude, longitude })));
const DAYS: Readonly<Record<HorizonName, number>> = { 'short-term': 15, subseasonal: 46, seasonal: 90 };

export const KEY = 'demo';

/** Writes a small store of made-up weather at two by two places, with a key and a location. */
export async function writeServedStore(folder: string): Promise<void> {
  const update = await beginUpdate(folder);
  const horizons = ['short-term', 'subseasonal', 'seasonal'] as const;
  const files = horizons.flatMap((horizon) => filesOf(horizon, { initDate: INIT, days: DAYS[horizon], members: 5 }));
  await ingestForecast(await loadCore(), update, { files });
  await ingestHistory(update, 'reanalysis', {
    files: filesOf('seasonal', { initDate: INIT - 500, days: 500, members: 1 }),
  });
  await update.commit();
  await createKey(folder, { owner: 'demo', downscaling: false, key: KEY, demo: true });
  await addLocation(folder, { id: 'field', latitude: 37.2, longitude: -79.8 });
}

function filesOf(horizon: HorizonName, span: { initDate: number; days: number; members: number }) {
  const tables = demoTables({ ...span, horizon, locations: LOCATIONS });
  return (['temp_mean', 'precipitation'] as const).map((slug) => ({
    horizon,
    fine: false,
    source: `${horizon} ${slug}`,
    load: async () => tables[slug],
  }));
}
