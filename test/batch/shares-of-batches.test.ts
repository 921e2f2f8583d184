import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchPlan } from '../../src/batch/batch-plan.js';
import { checkPlan } from '../../src/batch/check-plan.js';
import type * as batches from '../../src/batch/index.js';
import { parseCondition } from '../../src/condition/parse-condition.js';
import { loadCore } from '../../src/core/load.js';
import { encodeTables } from '../../src/files/encode-tables.js';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { sharesOfInputs } from '../../src/input/shares-of-inputs.js';
import { formatDate, parseDate } from '../../src/period/day.js';
import { allTables } from '../../src/table/build/join-tables.js';
import { folderWith } from '../cli/run-command.js';
import { plumecastHere } from '../cli/run-here.js';
import { isFullCheck } from '../full-check.js';
import { table } from '../table/tables.js';
import { request, talk } from '../worker/talk.js';

const url = new URL('../../dist/batch.js', import.meta.url).href;
const { mergeShards, runBatch }: typeof batches = await import(/* @vite-ignore */ url);

const { folder, remove } = folderWith({});
afterAll(remove);
const at = (...names: string[]) => join(folder, ...names);
const text = (...names: string[]) => readFileSync(at(...names), 'utf8');

const [DAYS, MEMBERS, ROWS, WIDTH] = [35, 5, 3, 4];
/** Values that look random and are not. */
const noise = (i: number, seed: number, scale: number) =>
  Math.round(100 * (((i * 7919 + seed * 104_729) % 997) / (997 / scale) - scale / 4)) / 100;

/** Days, and values of both variables for each member. */
function columnsOf(seed: number) {
  const rows = Array.from({ length: DAYS * MEMBERS }, (_, i) => i);
  const date = rows.map((i) => formatDate(parseDate('2026-03-02') + Math.floor(i / MEMBERS)));
  const member = rows.map((i) => i % MEMBERS);
  const precipitation = rows.map((i) => Math.max(0, noise(i, seed, 20)));
  const temp_mean = rows.map((i) => noise(i, seed + 1, 12));
  return { date, member, precipitation, temp_mean };
}

const csvOf = (columns: Record<string, readonly unknown[]>) =>
  [Object.keys(columns), ...columns.date.map((_, i) => Object.values(columns).map((values) => values[i]))]
    .map((row) => row.join())
    .join('\n');

/** A file of arrays of both variables. */
async function writeGrid(path: string, seed: number, [rows, width] = [ROWS, WIDTH]): Promise<void> {
  const dimensions = { member: MEMBERS, time: DAYS, latitude: rows, longitude: width };
  const names = Object.keys(dimensions);
  const axis = (name: keyof typeof dimensions, units: string, of = (i: number) => i) => ({
    ...{ name, dimensions: [name], type: 'float64' as const, attributes: new Map([['units', units]]) },
    values: Float64Array.from({ length: dimensions[name] }, (_, i) => of(i)),
  });
  const field = (name: string, units: string, of: (i: number) => number) => ({
    ...{ name, dimensions: names, type: 'float32' as const, attributes: new Map([['units', units]]) },
    values: Float32Array.from({ length: MEMBERS * DAYS * rows * width }, (_, i) => of(i)),
  });
  await writeNetcdf4(path, {
    dimensions: new Map(Object.entries(dimensions)),
    attributes: new Map(),
    arrays: [
      axis('member', '1'),
      axis('time', 'days since 2026-03-02'),
      axis('latitude', 'degrees_north', (i) => 50 - i),
      axis('longitude', 'degrees_east'),
      field('precipitation', 'mm', (i) => Math.max(0, noise(i, seed, 20))),
      field('temp_mean', 'degC', (i) => noise(i, seed + 1, 12)),
    ],
  });
}

beforeAll(async () => {
  mkdirSync(at('runs'));
  mkdirSync(at('apart', 'a'), { recursive: true });
  mkdirSync(at('apart', 'b'));
  for (const seed of [1, 2]) {
    const { date, member, precipitation, temp_mean } = columnsOf(seed);
    writeFileSync(at('runs', `t${seed}.csv`), csvOf({ date, member, precipitation, temp_mean }));
    await writeGrid(at('runs', `g${seed}.nc`), seed);
    const name = seed === 1 ? 'a' : 'b';
    writeFileSync(at('apart', name, 'rain.csv'), csvOf({ date, member, precipitation }));
    writeFileSync(at('apart', name, 'cold.csv'), csvOf({ date, member, temp_mean }));
  }
});

const THRESHOLDS = ['precipitation>30 and temp_mean<2', 'temp_mean>=1 given precipitation>40', 'precipitation>50'];
const UNITS = { precipitation: 'mm', temp_mean: 'degC' };
const plan = (out: string, more: Partial<BatchPlan> = {}): BatchPlan => ({
  ...{ inputs: [at('runs')], out: at(out), granularities: ['weekly', 'days 1-9,20-24'], format: 'csv' },
  workers: 1,
  ...{ thresholds: THRESHOLDS, units: UNITS, ...more },
});
const FLAGS = THRESHOLDS.flatMap((condition) => ['--threshold', condition]);
/** The bytes that `plumecast stats` writes. */
async function stats(files: readonly string[], args: readonly string[] = [], format = 'csv'): Promise<Buffer> {
  const out = at(`stats.${format}`);
  const own = [...(args.includes('--windows') ? [] : ['--windows', 'weekly']), ...args];
  const conditions = args.includes('--threshold') ? [] : FLAGS;
  const { code, err } = await plumecastHere(
    ...['stats', ...files, ...own, ...conditions, '--format', format, '--out', out],
  );
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  return readFileSync(out);
}

describe('a batch of conditions on several variables', () => {
  it('has the shares of plumecast stats for each input and windows, in any number of threads and shards', async () => {
    await runBatch(plan('shares', { workers: 2 }), {});
    const names = ['t1', 't2', 'g1', 'g2'];
    for (const name of names) {
      const file = at('runs', `${name}.${name.startsWith('t') ? 'csv' : 'nc'}`);
      expect(text('shares', `${name}_weekly.csv`)).toBe(`${await stats([file])}`);
      expect(text('shares', `${name}_days-1-9_20-24.csv`)).toBe(
        `${await stats([file], ['--windows', 'days 1-9,20-24'])}`,
      );
    }
    expect(text('shares', 't1_weekly.csv').split('\n')[1]).toMatch(/^precipitation\+temp_mean,/);
    for (const number of [1, 2]) await runBatch(plan('shards', { workers: 1 }), { shard: { number, of: 2 } });
    await mergeShards(at('shards'));
    for (const name of readdirSync(at('shares'))) expect(text('shards', name)).toBe(text('shares', name));
  });

  if (isFullCheck) {
    it('does not depend on the memory, and keeps the grid in formats of arrays', async () => {
      const inputs = [at('runs', 'g1.nc')];
      const granularities = ['weekly'];
      for (const format of ['netcdf', 'arrow'] as const) {
        await runBatch(plan(format, { inputs, granularities, format, memory: '230MB', workers: 1 }), {});
        const ending = format === 'netcdf' ? 'nc' : 'arrow';
        expect(readFileSync(at(format, `g1.${ending}`)).equals(await stats(inputs, [], format))).toBe(true);
      }
    });

    it('has tables of the same rows however many values are in memory', async () => {
      const side = 50;
      await writeGrid(at('large.nc'), 4, [side, side]);
      const core = await loadCore();
      const conditions = [parseCondition('precipitation>4 and temp_mean<2')];
      const tables = (bytes?: number) => {
        const joint = { conditions, statistics: {}, values: {}, ...(bytes !== undefined && { bytes }) };
        return allTables(sharesOfInputs(core, [at('large.nc')], joint, () => {}));
      };
      const whole = await tables();
      const pieces = await tables(1_600_000);
      expect(whole.map(({ numRows }) => numRows)).toEqual([65_520, DAYS * side * side - 65_520]);
      const bytesOf = async (all: typeof whole) => {
        const blocks: Uint8Array[] = [];
        for await (const block of encodeTables(all, 'arrow')) blocks.push(block);
        return Buffer.concat(blocks);
      };
      expect((await bytesOf(pieces)).equals(await bytesOf(whole))).toBe(true);
      const {
        latitude,
        longitude,
        start,
        p_precipitation_gt_4_and_temp_mean_lt_2: share,
      } = whole[1].get(DAYS * (45 * side + 7) + 3 - 65_520) as unknown as Record<string, number>;
      expect([latitude, longitude, formatDate(Math.round(start / 86_400_000))]).toEqual([5, 7, '2026-03-05']);
      const indices = Array.from({ length: MEMBERS }, (_, m) => ((m * DAYS + 3) * side + 45) * side + 7);
      const found = indices.filter((i) => noise(i, 4, 20) > 4 && noise(i, 5, 12) < 2).length / MEMBERS;
      expect(share).toBeCloseTo(found, 6);
    });
  }

  it('joins files that have a variable each, and names outputs by all variables', async () => {
    const apart = { inputs: [at('apart')], join: 'folder', granularities: ['weekly'], name: '{variable}/{input}' };
    await runBatch(plan('joined', apart), {});
    for (const name of ['a', 'b']) {
      const files = ['cold.csv', 'rain.csv'].map((file) => at('apart', name, file));
      expect(text('joined', 'precipitation+temp_mean', `${name}.csv`)).toBe(`${await stats(files)}`);
    }
    // A pattern that one file alone matches.
    await runBatch(
      plan('one', { inputs: [at('runs', 't1.csv')], join: 't{member}.csv', granularities: ['weekly'] }),
      {},
    );
    const [name] = readdirSync(at('one')).filter((file) => file.endsWith('.csv'));
    expect(text('one', name)).toBe(`${await stats([at('runs', 't1.csv')])}`);
    const { outputs } = JSON.parse(text('joined', 'manifest.json'));
    expect(outputs[0].inputs).toEqual([at('apart', 'a', 'cold.csv'), at('apart', 'a', 'rain.csv')]);
  });

  if (isFullCheck) {
    it('is made anew where a condition or an input has changed, and kept where none has', async () => {
      const input = at('changed.csv');
      writeFileSync(input, text('runs', 't1.csv'));
      const made = (thresholds = THRESHOLDS) =>
        runBatch(plan('again', { inputs: [input], granularities: ['weekly'], thresholds }), { resume: true });
      expect(await made()).toMatchObject({ finished: 1, kept: 0 });
      expect(await made()).toMatchObject({ finished: 0, kept: 1 });
      expect(await made([...THRESHOLDS.slice(0, 2), 'precipitation>60'])).toMatchObject({ finished: 1, kept: 0 });
      writeFileSync(input, text('runs', 't2.csv'));
      expect(await made([...THRESHOLDS.slice(0, 2), 'precipitation>60'])).toMatchObject({ finished: 1, kept: 0 });
    });
  }

  it('takes units by variable, definitions and rules of its own, and conditions of one variable each', async () => {
    const more = { inputs: [at('runs', 't1.csv')], granularities: ['weekly'] };
    const shares = (csv: string) => csv.split('\n').map((line) => line.split(',').slice(-2));
    const thresholds = ['precipitation>300', 'temp_mean<-270.15'];
    await runBatch(plan('units', { ...more, thresholds, units: { precipitation: 'cm', temp_mean: 'K' } }), {});
    const [, ...expected] = shares(
      `${await stats(more.inputs, ['--threshold', 'precipitation>30', '--threshold', 'temp_mean<3'])}`,
    );
    expect(shares(text('units', 't1.csv')).slice(1)).toEqual(expected);
    expect(new Set(expected.flat()).size).toBeGreaterThan(3);
    const window = 'max' as const;
    const variables = Object.entries(UNITS).map(([slug, units]) => ({ slug, units, window }));
    const limits = ['precipitation>14.5 and temp_mean<8.9'];
    await runBatch(plan('own', { ...more, variables, thresholds: limits }), {});
    await runBatch(plan('rule', { ...more, window, thresholds: limits }), {});
    const largest = `${await stats(more.inputs, ['--window', 'max', '--threshold', limits[0]])}`;
    expect(text('rule', 't1.csv')).toBe(largest);
    expect(text('own', 't1.csv')).toBe(largest);
  });

  it('compares each variable with the quantiles of its climatology', async () => {
    const climatologies = ['precipitation', 'temp_mean'].map((variable) => at(`${variable}.arrow`));
    for (const [k, variable] of ['precipitation', 'temp_mean'].entries()) {
      const rows = Array.from({ length: 12 * 365 + 3 }, (_, i) => [
        formatDate(parseDate('1990-01-01') + i),
        k === 0 ? Math.max(0, noise(i, 7, 20)) : noise(i, 9, 12),
      ]);
      writeFileSync(at('history.csv'), [['date', variable], ...rows].map((row) => row.join()).join('\n'));
      const { code, err } = await plumecastHere(
        ...[
          'climatology',
          at('history.csv'),
          '--variable',
          variable,
          '--windows',
          'weekly',
          '--reference',
          '1991-2000',
        ],
        ...['--quantiles', '0.5,0.9', '--out', climatologies[k]],
      );
      expect([code, code === 0 ? '' : err]).toEqual([0, '']);
    }
    const thresholds = ['precipitation>q50 and temp_mean<q50'];
    const more = { inputs: [at('runs', 't1.csv')], climatologies, thresholds };
    const expected = `${await stats(more.inputs, ['--threshold', thresholds[0], '--climatology', climatologies.join()])}`;
    // The windows come from the climatologies.
    const { granularities: _, ...others } = plan('normal', more);
    await runBatch(others, {});
    expect(text('normal', 't1_weekly.csv')).toBe(expected);
    const { thresholds: given, units, climatologies: files } = others;
    const { answers } = await talk(
      request({ file: more.inputs[0], plan: { thresholds: given, units, climatologies: files } }),
    );
    const found = tableFromIPC(answers[0].bytes).getChild('p_precipitation_gt_clim_q50_and_temp_mean_lt_clim_q50');
    const [, ...lines] = expected.trim().split('\n');
    expect(Array.from(found ?? [], (share) => `${share}`)).toEqual(lines.map((line) => line.split(',').at(-1)));
    const idle = { ...others, thresholds: THRESHOLDS };
    expect(() => checkPlan(idle)).toThrow(
      /climatologies: is not for shares of conditions on several variables, such as/,
    );
  });

  it.each([
    [{ variables: ['precipitation', 'temp_mean'] }, /beside the option variables, .*; allowed: two plans: one of stat/],
    [{ variables: [{ slug: 'snow', units: 'cm', window: 'max' }] }, /beside the option variables/],
    [
      { thresholds: [THRESHOLDS[0], '>5'] },
      /thresholds: name several variables, and one comparison names none; received ">5"/,
    ],
    [{ thresholds: [THRESHOLDS[0], { operator: '>', limit: 5 }] }, /one comparison names none; received ">5"/],
    [{ thresholds: ['precipitation>q90 and temp_mean<2'] }, /thresholds: need a climatology/],
    [
      { thresholds: ['precipitation>1 and foo<2'], units: {} },
      /thresholds: a condition is on a variable that is not known; received "foo"/,
    ],
    [
      { quantiles: [0.5] },
      /quantiles: is not for shares of conditions on several .*; allowed: to leave it out; or two/,
    ],
    [{ bands: 0.9 }, /bands: is not for shares of conditions/],
    [{ units: { snow: 'cm' } }, /units: unknown option/],
    [
      { thresholds: ['"a/b">1 and c>2'], window: 'max', units: {}, name: '{variable}' },
      /received "a\/b\+c"; allowed: a name without/,
    ],
    [
      { thresholds: { precipitation: [THRESHOLDS[0]] }, variables: ['precipitation'], units: {} },
      /on another variable/,
    ],
  ] as [Partial<BatchPlan>, RegExp][])('is rejected in words: %j', (more, message) => {
    expect(() => checkPlan(plan('none', more))).toThrow(message);
  });
});

describe('a request to the worker with conditions on several variables', () => {
  const ofPlan = { granularities: ['weekly', 'days 1-9,20-24'], thresholds: THRESHOLDS, units: UNITS };

  it('has the shares of a file, and of data that follow, with the bytes of plumecast stats', async () => {
    for (const file of ['t1.csv', 'g1.nc']) {
      const streams: Buffer[] = [];
      for (const args of [[], ['--windows', 'days 1-9,20-24']])
        streams.push(await stats([at('runs', file)], args, 'arrow-stream'));
      const { answers } = await talk(request({ file: at('runs', file), plan: ofPlan }));
      expect(answers[0].error).toBeUndefined();
      expect(answers[0].bytes.equals(Buffer.concat(streams))).toBe(true);
    }
    const { answers } = await talk(request({ plan: ofPlan }, table(columnsOf(1) as never, {})));
    expect(answers[0].error).toBeUndefined();
    expect(
      answers[0].bytes.equals((await talk(request({ file: at('runs', 't1.csv'), plan: ofPlan }))).answers[0].bytes),
    ).toBe(true);
  });

  it('says what is wrong with data that do not have all variables', async () => {
    const { temp_mean: _, ...rain } = columnsOf(1);
    const { answers } = await talk(request({ plan: ofPlan }, table(rain as never, {})));
    expect(answers[0].error).toMatchObject({
      tag: 'option',
      message: expect.stringContaining('no file has temp_mean'),
    });
  });
});
