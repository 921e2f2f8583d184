import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Table } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../src/arrays.js';
import { gridEnsemble } from '../../src/files/cf/index.js';
import { encodeTable, readTable } from '../../src/files/index.js';
import { openArrays, writeNetcdf } from '../../src/files/node.js';
import {
  climatology,
  climatologyTable,
  defineVariable,
  memberWindows,
  statistics,
  streamStatistics,
} from '../../src/index.js';
import { createPool } from '../../src/threads/index.js';

const core = await loadCore();
const pool = await createPool({ threads: 0 });
const dir = mkdtempSync(join(tmpdir(), 'plumecast-own-'));
afterAll(async () => {
  await pool.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Two ensembles, of which one is of a variable that is not built in: of each member, 3 and 5 are the maxima. */
const DAYS = ['1,2', '3,5', '0,0', '0,1', '1,1', '2,0', '0,0'];
const CSV = `date,snow_depth_m1,snow_depth_m2,t2m_m1,t2m_m2
${DAYS.map(
  (day, i) => `2026-03-0${i + 2},${day},5,6
`,
).join('')}`;
writeFileSync(join(dir, 'snow.csv'), CSV);
const table = await readTable(new TextEncoder().encode(CSV));
const alone = table.select(['date', 'snow_depth_m1', 'snow_depth_m2']);
const snow = defineVariable({ slug: 'snow_depth', units: 'cm', window: 'max' });
const weekly = { granularity: 'weekly', partial: true } as const;

await writeNetcdf(join(dir, 'snow.nc'), {
  dimensions: new Map([['time', 2]]),
  attributes: new Map(),
  arrays: [
    {
      ...{ name: 'time', type: 'int32', dimensions: ['time'], values: Int32Array.of(0, 1) },
      attributes: new Map([['units', 'days since 2026-03-02']]),
    },
    ...['snow_depth', 'swe'].map((name) => ({
      ...{ name, type: 'float32' as const, dimensions: ['time'], values: Float32Array.of(3, 5) },
      attributes: new Map([['units', 'cm']]),
    })),
  ],
});

/** The variable and the mean of the first row of results. */
const firstOf = (results: Table) => [String(results.getChild('variable')?.get(0)), results.getChild('mean')?.get(0)];

async function firstOfAll(tables: AsyncIterable<Table>): Promise<unknown> {
  const all: Table[] = [];
  for await (const one of tables) all.push(one);
  return firstOf(all[0]);
}

/** Ways to name a variable of one's own. */
const OWN = {
  'a definition': { variable: snow },
  'the name of a definition': { variable: 'snow_depth', variables: [snow] },
  'a name and a rule': { variable: 'snow_depth', window: 'max' },
} as const;
type Own = (typeof OWN)[keyof typeof OWN];

const FUNCTIONS: Readonly<Record<string, (own: Own) => unknown>> = {
  statistics: (own) => firstOf(statistics(core, table, { ...weekly, ...own })),
  memberWindows: (own) => {
    const windows = memberWindows(core, table, { ...weekly, ...own });
    const [a, b] = ['member_00', 'member_01'].map((name) => windows.getChild(name)?.get(0));
    return [String(windows.getChild('variable')?.get(0) ?? windows.schema.metadata.get('variable')), (a + b) / 2];
  },
  streamStatistics: (own) => firstOfAll(streamStatistics(core, [table], { ...weekly, ...own })),
  'streamStatistics of bytes': async (own) =>
    firstOfAll(streamStatistics(core, await encodeTable(table, 'arrow-stream'), { ...weekly, ...own })),
  'pool.statistics': async (own) => firstOf(await pool.statistics(table, { ...weekly, ...own })),
  'statistics with a climatology': (own) => {
    const reference = { reference: '2026-2026', quantiles: [0.5] } as const;
    const climate = climatology(core, alone, { ...reference, granularity: 'weekly', ...own });
    expect(climatologyTable(climate).numRows).toBeGreaterThan(0);
    return firstOf(statistics(core, table, { climatology: climate, partial: true, ...own }));
  },
};

describe.each(Object.entries(OWN))('a variable of the caller, by %s', (_, own) => {
  it.each(Object.entries(FUNCTIONS))('works in %s', async (_name, compute) => {
    expect(await compute(own)).toEqual(['snow_depth', 4]);
  });

  it('works in gridEnsemble', async () => {
    const file = await openArrays(join(dir, 'snow.nc'));
    try {
      const ensemble = await gridEnsemble(file, own).catch((error) => error);
      // The file has no places, which is said after its array is found.
      expect(ensemble.message ?? ensemble.array).toMatch(/snow_depth/);
    } finally {
      await file.close();
    }
  });
});

const command = (...args: string[]) =>
  execFileSync(process.execPath, [fileURLToPath(new URL('../../dist/cli.js', import.meta.url)), ...args], {
    ...{ cwd: dir, encoding: 'utf8', timeout: 60_000, stdio: ['ignore', 'pipe', 'ignore'] },
  });
const requested = ['--granularity', 'weekly', '--partial', '--variable', 'snow_depth', '--window', 'max'];

describe('a variable of the caller, by a name and a rule,', () => {
  it('works on the command line', () => {
    expect(command('stats', 'snow.csv', ...requested)).toMatch(/\nsnow_depth,,,,2026-W10,.*,7,2,4,/);
  });

  it('works in a batch, and in the file of its plan', () => {
    command('batch', 'snow.csv', ...requested, '--out', 'flags', '--format', 'csv');
    const plan = { inputs: ['snow.csv'], out: 'plan', variables: ['snow_depth'], window: 'max', format: 'csv' };
    writeFileSync(join(dir, 'plan.json'), JSON.stringify({ ...plan, granularities: ['weekly'], partial: true }));
    command('batch', '--plan', 'plan.json');
    const [one, other] = ['flags', 'plan'].map((folder) => readFileSync(join(dir, folder, 'snow.csv'), 'utf8'));
    expect(one).toMatch(/\nsnow_depth,,,,2026-W10,.*,7,2,4,/);
    expect(other).toBe(one);
  });
});

it('the error for an unknown name says how to define a variable', () => {
  const allowed = /allowed: temp_mean, .*, solar_radiation; any other with window$/;
  expect(() => statistics(core, table, { variable: 'snow_depth' })).toThrow(allowed);
});
