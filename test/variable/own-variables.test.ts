import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Schema, Table, tableFromIPC } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../src/arrays.js';
import { checkPlan } from '../../src/batch/check-plan.js';
import type * as batches from '../../src/batch/index.js';
import { dayNumber } from '../../src/calendar.js';
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
import { createHandler, memoryKeys, PlaceIndex } from '../../src/service/index.js';
import { createPool } from '../../src/threads/index.js';
import { request, talk } from '../worker/talk.js';

const core = await loadCore();
/** Its threads are scripts of the built package. */
const batch: typeof batches = await import(/* @vite-ignore */ new URL('../../dist/batch.js', import.meta.url).href);
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

/** The definition as JSON has it. */
const OWN_JSON = { slug: 'snow_depth', units: 'mm', window: 'max', fileNames: ['schnee'], bounds: [0, null] } as const;
/** The values in millimetres; each file has one variable. */
const centimetres = new Map([...alone.schema.metadata, ['units', 'cm']]);
const inMetadata = new Table(new Schema(alone.schema.fields, centimetres), alone.batches);
writeFileSync(join(dir, 'schnee.csv'), CSV.replaceAll('snow_depth', 'schnee'));

describe('a definition in a plan', () => {
  const plan = (out: string) => ({
    ...{ inputs: [join(dir, 'schnee.csv')], out: join(dir, out), variables: [OWN_JSON], units: 'cm' },
    ...{ format: 'csv' as const, granularities: ['weekly'] as const, partial: true },
  });
  const rows = (out: string) => readFileSync(join(dir, out, 'schnee.csv'), 'utf8');

  it('makes the same of a plan as JSON, of a batch in shards, and of a batch that is resumed', async () => {
    const text = JSON.stringify(plan('json'));
    writeFileSync(join(dir, 'defined.json'), text);
    command('batch', '--plan', 'defined.json');
    expect(rows('json')).toMatch(/\nsnow_depth,mm,,,2026-W10,.*,7,2,40,/);
    for (const number of [1, 2]) await batch.runBatch(plan('shards'), { shard: { number, of: 2 } });
    expect((await batch.mergeShards(join(dir, 'shards'))).outputs).toBe(1);
    expect(rows('shards')).toBe(rows('json'));
    expect((await batch.runBatch(plan('json'), { resume: true })).kept).toBe(1);
    const other = { ...plan('json'), variables: [{ ...OWN_JSON, window: 'min' as const }] };
    expect(await batch.runBatch(other, { resume: true })).toMatchObject({ kept: 0, finished: 1 });
    expect(rows('json')).not.toBe(rows('shards'));
  }, 60_000);

  it('that is none is an error which names the field', () => {
    const checked = (variables: object[]) => () => checkPlan({ inputs: ['-'], out: '.', variables } as never);
    expect(checked([{ slug: 'snow_depth', units: 'cm' }])).toThrow('variable snow_depth: has no window');
    expect(checked([{ ...OWN_JSON, bounds: [5, 1] }])).toThrow('variable snow_depth: has unusable bounds');
    expect(checked([[]])).toThrow('variables: is not a list of texts');
  });
});

describe('a variable of the caller in a worker', () => {
  const requestedOptions = { granularity: 'weekly', partial: true };
  it.each([
    ['a definition', { options: { ...requestedOptions, variable: OWN_JSON } }, 40],
    ['the name of a definition', { options: { ...requestedOptions, variable: 'schnee', variables: [OWN_JSON] } }, 40],
    ['a name and a rule', { options: { ...requestedOptions, variable: 'snow_depth', window: 'max' } }, 4],
    ['a definition in a plan', { plan: { granularities: ['weekly'], partial: true, variables: [OWN_JSON] } }, 40],
  ])('works by %s', async (_, fields, mean) => {
    const { answers } = await talk(request(fields, inMetadata));
    expect(answers[0].error).toBeUndefined();
    expect(firstOf(tableFromIPC(answers[0].bytes))).toEqual(['snow_depth', mean]);
  });
});

it('a variable of the caller works in the service', async () => {
  const axis = { firstDay: dayNumber(2026, 3, 2), days: 7, members: 2 };
  const timeline = {
    ...{ revision: 'run-1', variables: new Map([['snow_depth', axis]]) },
    places: new PlaceIndex({ latitude: Float64Array.of(50), longitude: Float64Array.of(5) }),
    async read(_slug: string, _cell: number, into: Float64Array | Float32Array) {
      const days = DAYS.map((day) => day.split(',').map(Number));
      for (let m = 0; m < 2; m++) for (let day = 0; day < 7; day++) into[m * 7 + day] = days[day][m];
    },
  };
  const forecast = { initTime: '2026-03-02T00:00:00Z', version: '1', generation: 'run-1', timeline, horizons: {} };
  const handler = createHandler({
    source: { snapshot: () => ({ forecast }) },
    keys: memoryKeys([{ id: 'key-1', owner: 'me', downscaling: false, key: 'a key' }]),
    variables: [snow],
  });
  const url = 'http://localhost/v2/forecast/statistics?lat=50&lon=5&granularity=weekly&var=snow_depth';
  const response = await handler(new Request(url, { headers: { 'X-Api-Key': 'a key' } }));
  const { variables } = (await response.json()) as { variables: { snow_depth: { statistics: object } } };
  expect(variables.snow_depth.statistics).toMatchObject({ '2026-W10': { mean: 4 } });
});

it('the error for an unknown name says how to define a variable', () => {
  const allowed =
    /allowed: temp_mean, .*, solar_radiation; any other with the option window, or by defineVariable in variables$/;
  expect(() => statistics(core, table, { variable: 'snow_depth' })).toThrow(allowed);
});
