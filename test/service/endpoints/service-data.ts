import type { Table } from 'apache-arrow';
import { loadCore } from '../../../src/core/load.js';
import { type DemoTableOptions, demoTables } from '../../../src/demo/demo-table.js';
import { dayNumber } from '../../../src/period/day.js';
import { ingestForecast, ingestHistory } from '../../../src/service/ingest/index.js';
import type { Snapshot } from '../../../src/service/source/source.js';
import { HORIZONS, type HorizonName } from '../../../src/variable/availability.js';
import { filesOf, horizonTables, LOCATIONS, RecordingWriter, TODAY } from '../ingest/recording-writer.js';

/** A service's data in memory, and the tables that they are made of. */
export interface ServiceData {
  readonly data: Snapshot;
  readonly horizons: Readonly<Record<HorizonName, Record<string, Table>>>;
  readonly history: Record<string, Table>;
}

/** The members of all horizons: with one number the legacy answers are of the same members as the timeline. */
const MEMBERS = 9;

/** Half a grid step from the first of LOCATIONS, between 1 km places. */
export const FINE_LOCATIONS = [
  { latitude: 37.25, longitude: -80 },
  { latitude: 37.2583, longitude: -80 },
  { latitude: 37.25, longitude: -79.9917 },
];

const HISTORY = { initDate: dayNumber(1993, 1, 1), days: TODAY - dayNumber(1993, 1, 1), members: 1, seed: 4 };

/** Forecasts at three horizons from TODAY, a history from 1993 to the day before, both at 1 km too, and elevations. */
export async function serviceData(): Promise<ServiceData> {
  const core = await loadCore();
  const writer = new RecordingWriter();
  const horizons = Object.fromEntries(
    HORIZONS.map((horizon) => [horizon, horizonTables(horizon, { members: MEMBERS })]),
  ) as Record<HorizonName, Record<string, Table>>;
  const fine: DemoTableOptions = { members: MEMBERS, locations: FINE_LOCATIONS };
  const files = HORIZONS.flatMap((horizon) => [
    ...filesOf(horizon, horizons[horizon]),
    ...filesOf(horizon, horizonTables(horizon, { ...fine, seed: 40 + HORIZONS.indexOf(horizon) }), true),
  ]);
  await ingestForecast(core, writer, { files, generation: 'generation-1' });
  const history = demoTables({ ...HISTORY, locations: LOCATIONS });
  await ingestHistory(writer, 'reanalysis', { files: filesOf('seasonal', history) });
  await ingestHistory(writer, 'fine-reanalysis', {
    files: filesOf('seasonal', demoTables({ ...HISTORY, seed: 5, locations: FINE_LOCATIONS })),
  });
  const run = (horizon: HorizonName) => ({ initTime: '2026-03-02T00:00:00Z', data: writer.dataset(horizon) });
  const data: Snapshot = {
    forecast: {
      initTime: '2026-03-02T00:00:00Z',
      version: 'demo-1',
      generation: 'generation-1',
      timeline: writer.dataset('timeline'),
      fineTimeline: writer.dataset('fine-timeline'),
      horizons: { 'short-term': run('short-term'), subseasonal: run('subseasonal'), seasonal: run('seasonal') },
    },
    history: {
      data: writer.dataset('reanalysis'),
      fine: writer.dataset('fine-reanalysis'),
      isPreloaded: async (latitude, longitude) => latitude === 37.25 && longitude === -80,
    },
    elevation: (latitude, longitude) => (latitude === 37.25 && longitude === -80 ? 507 : Number.NaN),
    attribution: 'Made for tests.',
  };
  return { data, horizons, history };
}
