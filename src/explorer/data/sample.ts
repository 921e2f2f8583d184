import type { Table } from 'apache-arrow';
import { type DemoTableOptions, demoTable, demoTables } from '../../demo/demo-table.js';
import { DEMO_VARIABLES } from '../../demo/demo-variables.js';
import { dayNumber } from '../../period/day.js';
import { horizonSource } from './horizon-source.js';
import type { OpenSource } from './open-source.js';

/** The runs of the sample, as `plumecast demo` writes them to files. */
export const SAMPLE_HORIZONS: readonly (DemoTableOptions & { readonly horizon: string; readonly folder: string })[] = [
  { horizon: 'short-term', days: 15, seed: 2, folder: 'plumecast-demo/short-term' },
  { horizon: 'subseasonal', days: 46, seed: 3, folder: 'plumecast-demo/subseasonal' },
  { horizon: 'seasonal', folder: 'plumecast-demo' },
];

/** The history of the sample. */
export const SAMPLE_HISTORY = {
  ...{ horizon: 'history', initDate: dayNumber(1993, 1, 1), days: 10_957, members: 1, seed: 4 },
} satisfies DemoTableOptions;

/** Opens the sample ensemble: generated weather of three horizons, and thirty years of history. */
export function openSample(): OpenSource {
  const horizons = SAMPLE_HORIZONS.map(({ folder: _, ...options }) => demoTables(options) as Record<string, Table>);
  const history = new Map<string, Table>();
  return horizonSource({
    origin: { kind: 'sample' },
    title: 'Sample ensemble',
    variables: DEMO_VARIABLES.map((key) => ({ key, isKnown: true })),
    horizons: horizons.map((tables, h) => ({
      name: SAMPLE_HORIZONS[h].horizon,
      variables: Object.keys(tables),
      read: async ({ variable }) => ({ table: tables[variable], notes: [] }),
    })),
    history: async (variable) => {
      const slug = DEMO_VARIABLES.find((name) => name === variable) ?? 'temp_mean';
      const table = history.get(slug) ?? demoTable(slug, SAMPLE_HISTORY);
      history.set(slug, table);
      return table;
    },
  });
}
