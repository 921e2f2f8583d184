import { generateEnsemble } from '../../src/demo/index.js';
import { dayNumber } from '../../src/period/day.js';
import { createHandler, type HandlerOptions } from '../../src/service/handler/index.js';
import type { Axis } from '../../src/service/source/dataset.js';
import { memoryDataset, memoryKeys, memorySource, type Snapshot } from '../../src/service/source/index.js';

const PLACE = { latitude: 37.25, longitude: -79.75 };
const INIT = dayNumber(2026, 3, 2);

export const KEY = 'a key of the tests';

/** A forecast and a history of one place, of the days before it. */
export function snapshot(seed = 1, historyDays = 100): Snapshot {
  const horizons = [
    { horizon: 'short-term', firstDay: INIT, lastDay: INIT + 14 },
    { horizon: 'seasonal', firstDay: INIT + 12, lastDay: INIT + 39 },
  ] as const;
  const timeline = dataset(`timeline-${seed}`, { firstDay: INIT, days: 40, members: 5, seed, horizons });
  const history = dataset('history', { firstDay: INIT - historyDays, days: historyDays, members: 1, seed: 9 });
  return {
    forecast: {
      initTime: '2026-03-02T00:00:00Z',
      version: 'demo-1',
      generation: `run-${seed}`,
      timeline,
      horizons: {},
    },
    history: { data: history, isPreloaded: () => false },
    attribution: 'Made up',
  };
}

/** A service of data in memory. */
export function memoryService(options: Partial<HandlerOptions> = {}, data = snapshot()) {
  const source = memorySource(data);
  const keys = memoryKeys([{ id: 'key-1', owner: 'tests', downscaling: false, key: KEY }]);
  return { source, handler: createHandler({ source, keys, ...options }) };
}

function dataset(revision: string, { firstDay, days, members, horizons, seed }: Axis & { readonly seed: number }) {
  const ensemble = generateEnsemble({ ...PLACE, days, members, seed, initDate: firstDay });
  const variable = (slug: 'temp_mean' | 'precipitation') => ({
    ...{ firstDay, days, members, horizons },
    values: Float32Array.from(ensemble[slug].flatMap((member) => [...member])),
  });
  return memoryDataset({
    revision,
    latitude: Float64Array.of(PLACE.latitude),
    longitude: Float64Array.of(PLACE.longitude),
    variables: { temp_mean: variable('temp_mean'), precipitation: variable('precipitation') },
  });
}
