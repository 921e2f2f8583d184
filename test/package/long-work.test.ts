import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Table, vectorFromArray } from 'apache-arrow';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { loadCore, MemberColumn, windowTable } from '../../src/arrays.js';
import type * as batch from '../../src/batch/index.js';
import type { Progress, WorkOptions } from '../../src/check/work.js';
import * as files from '../../src/files/index.js';
import * as filesNode from '../../src/files/node.js';
import { streamStatistics } from '../../src/index.js';
import { loadSkill, verificationTable, verify } from '../../src/skill/index.js';
import { createPool } from '../../src/threads/index.js';
import { gribFile, T2M } from '../files/grib/write-grib.js';
import { writeNetcdf3 } from '../files/netcdf3/write-netcdf3.js';
import { type FixtureArrays, zarrFixture } from '../files/zarr/zarr-fixture.js';
import { ensembleTable } from '../reference/ensemble-table.js';
import { seeded, seededField } from '../reference/fields.js';

/*
 * All public functions that are asynchronous and may take long: other work of the thread runs meanwhile, a signal ends
 * them with its reason, and what they need can be used afterwards as before.
 */

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const core = await loadCore();
const dir = mkdtempSync(join(tmpdir(), 'plumecast-work-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const path = (name: string) => join(dir, name);

const random = seeded(1);
const [cells, days] = [60, 300];
const members = Array.from({ length: 20 }, () => Float32Array.from({ length: cells * days }, () => 20 * random()));
const table = ensembleTable({ firstDay: 20_514, days, cells, members }, { form: 'wide', breaks: [6000, 12_000] });
const texts = new Map<string, Uint8Array>();
for (const [format, given] of [
  ['csv', table],
  ['arrow', table],
  ['arrow-stream', table],
  ['parquet', table],
] as const) {
  const blocks = files.encodeTables(format === 'parquet' ? [given, given, given, given] : [given], format);
  texts.set(format, Buffer.concat(await collected(blocks)));
  writeFileSync(path(`a.${format}`), texts.get(format) as Uint8Array);
}
const bytesOf = (format: string) => texts.get(format) as Uint8Array;
/** Bytes that come a few at a time. */
const pieces = async function* (bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000);
};

/** Its threads are scripts of the built package. */
const built: typeof batch = await import(/* @vite-ignore */ new URL('../../dist/batch.js', import.meta.url).href);
const daily = { variable: 'temp_mean', granularity: 'daily', quantiles: [0.1, 0.5, 0.9] } as const;
/** Later places of the same columns. */
const moreTables = [1, 2].map((n) => {
  const latitude = table.getChild('latitude')?.toArray() as Float64Array;
  return table.setChild('latitude', vectorFromArray(latitude.map((degrees) => degrees - 10 * n)));
});
const long = ensembleTable({ firstDay: 20_514, days: 60, cells, members }, { form: 'long' });

const pool = await createPool({ threads: 2 });
afterAll(() => pool.close());
const field = seededField({ days: 200, cells: 4000, members: 21 });
const shared = {
  ...field,
  members: field.members.map((member) => {
    const values = new Float32Array(new SharedArrayBuffer(4 * member.length));
    member.copyTo(values as never, 0, 0, member.length);
    return new MemberColumn(member.name, [{ values: values as never }]);
  }),
};
const windows = windowTable('weekly', field.firstDay, field.firstDay + 199, {});
const request = {
  window: 'mean',
  quantiles: [0.1, 0.5],
  quantileType: 7,
  thresholds: [],
  spread: false,
  minMemberShare: 0.8,
} as const;

await filesNode.writeNetcdf(path('a.nc'), table);
const later = { firstDay: 20_514 + days, days, cells };
await filesNode.writeNetcdf(path('b.nc'), ensembleTable({ ...later, members }, { form: 'wide' }));
const skill = await loadSkill();
const observed = ensembleTable({ ...later, firstDay: 20_514, members: members.slice(0, 1) }, { form: 'wide' });
const scored = { variable: 'temp_mean', granularity: 'daily', against: 'none', categories: 0 } as const;
writeFileSync(
  path('a.grib2'),
  gribFile(
    Array.from({ length: 3000 }, (_, i) => ({
      ...{ ...T2M, step: 24 * (i % 300), member: Math.floor(i / 300), value: i, rows: 8, columns: 8, bits: 16 },
    })),
  ),
);
const steps = 3000;
const cube: FixtureArrays = {
  time: {
    ...{ type: 'int32', dimensions: ['time'], shape: [steps], chunk: [steps] },
    ...{ values: Array.from({ length: steps }, (_, i) => i), attributes: { units: 'days since 2020-01-01' } },
  },
  latitude: {
    ...{ type: 'float64', dimensions: ['place'], shape: [200], chunk: [200] },
    ...{ values: Array.from({ length: 200 }, (_, i) => i / 4), attributes: { units: 'degrees_north' } },
  },
  longitude: {
    ...{ type: 'float64', dimensions: ['place'], shape: [200], chunk: [200] },
    ...{ values: Array.from({ length: 200 }, (_, i) => i / 4), attributes: { units: 'degrees_east' } },
  },
  temp_mean: {
    ...{ type: 'float32', dimensions: ['time', 'place'], shape: [steps, 200], chunk: [20, 200], codec: 'gzip' },
    ...{
      values: Float32Array.from({ length: steps * 200 }, random),
      attributes: { units: 'degC', coordinates: 'latitude longitude' },
    },
  },
};
const zarr = await zarrFixture(3, cube);
await mkdir(path('a.zarr'));
await zarr.writeTo(path('a.zarr'));
const classic = writeNetcdf3({
  ...{
    version: 1,
    records: 0,
    dimensions: [
      { name: 'time', length: steps },
      { name: 'x', length: 200 },
    ],
  },
  variables: [
    {
      ...{ name: 'time', type: 'int32', dimensions: [0], values: Array.from({ length: steps }, (_, i) => i) },
      attributes: [{ name: 'units', type: 'text', values: 'days since 2020-01-01' }],
    },
    {
      ...{ name: 'temp_mean', type: 'float32', dimensions: [0, 1] },
      values: Array.from({ length: steps * 200 }, (_, i) => i % 100),
      attributes: [{ name: 'units', type: 'text', values: 'degC' }],
    },
  ],
});

interface LongWork {
  /** Does the work; what it gives has to be the same each time. */
  readonly run: (work: WorkOptions) => Promise<unknown>;
  /** How often other work has to get its turn. */
  readonly turns: number;
  /** Whether there is so little to do that an abort may come too late. */
  readonly mayBeDone?: true;
  /** What an aborted call must not leave. */
  readonly leaves?: string;
}

/** The values of all arrays of an open file, and its names. */
async function allOf(file: files.ArrayFile): Promise<unknown[]> {
  try {
    const found: unknown[] = [];
    for (const [name, array] of file.arrays) {
      const length = array.shape.reduce((product, count) => product * count, 1);
      const into = new (array.type === 'float32' ? Float32Array : array.type === 'int32' ? Int32Array : Float64Array)(
        length,
      );
      if (array.type !== 'text') await array.read({ start: array.shape.map(() => 0), count: array.shape }, into);
      found.push(name, sumOf(into));
    }
    return found;
  } finally {
    await file.close();
  }
}

/** Reads the ensemble of a file block by block. */
async function blocksOf(file: files.ArrayFile, work: WorkOptions): Promise<unknown> {
  try {
    const ensemble = await files.gridEnsemble(file, file.format === 'GRIB' ? { stamps: 'instant' } : {});
    const mark = core.memory.mark();
    const [block] = ensemble.blocks(2 ** 28, []);
    try {
      const { field } = await ensemble.read(block, core, work);
      return field.members.map(({ chunks: [{ values }] }) => sumOf(values));
    } finally {
      expect(core.memory.mark() === mark || !work.signal?.aborted).toBe(true);
      core.memory.release(mark);
    }
  } finally {
    await file.close();
  }
}

const closing = async <T>(file: files.ArrayFile, use: (file: files.ArrayFile) => Promise<T>): Promise<T> => {
  try {
    return await use(file);
  } finally {
    await file.close();
  }
};

const rowsOf = async (tables: AsyncIterable<Table>) => {
  const all: unknown[] = [];
  for await (const one of tables) all.push(one.numRows, digest(one));
  return all;
};

const WORK: Readonly<Record<string, LongWork>> = {
  'readTable of CSV': { run: (work) => files.readTable(bytesOf('csv'), work), turns: 1 },
  'readTable of Parquet': { run: (work) => files.readTable(bytesOf('parquet'), work), turns: 1 },
  'readTables of CSV': {
    run: (work) => rowsOf(files.readTables(core, pieces(bytesOf('csv')), work)),
    turns: 1,
  },
  'readTables of an Arrow stream': {
    run: (work) => rowsOf(files.readTables(core, pieces(bytesOf('arrow-stream')), work)),
    turns: 0,
    mayBeDone: true,
  },
  'readTables of Parquet': {
    run: (work) => rowsOf(files.readTables(core, new Blob([bytesOf('parquet') as BlobPart]), work)),
    turns: 1,
  },
  'encodeTables of CSV': {
    run: async (work) => (await collected(files.encodeTables([table, table], 'csv', work))).map(sumOf),
    turns: 1,
  },
  'encodeTables of Parquet': {
    run: async (work) =>
      (await collected(files.encodeTables([table, table, table, table], 'parquet', work))).map(sumOf),
    turns: 1,
  },
  'encodeTable of JSON': { run: async (work) => sumOf(await files.encodeTable(table, 'json', work)), turns: 1 },
  'readTables of a file of CSV': { run: (work) => rowsOf(filesNode.readTables(core, path('a.csv'), work)), turns: 1 },
  'readTables of a file of Parquet': {
    run: (work) => rowsOf(filesNode.readTables(core, path('a.parquet'), work)),
    turns: 1,
  },
  'readTables of a file of Arrow': {
    run: (work) => rowsOf(filesNode.readTables(core, path('a.arrow'), work)),
    turns: 1,
  },
  'openArrays of GRIB': {
    run: async (work) => allOf(await filesNode.openArrays(path('a.grib2'), work)),
    turns: 1,
  },
  'openArrays of NetCDF4': {
    run: async (work) => allOf(await filesNode.openArrays(path('a.nc'), work)),
    turns: 1,
  },
  'openArrays of Zarr': {
    run: async (work) => allOf(await filesNode.openArrays(path('a.zarr'), work)),
    turns: 1,
  },
  'openArrays of several paths': {
    run: async (work) => allOf(await filesNode.openArrays([path('a.grib2')], work)),
    turns: 1,
  },
  'openArrays of a store': { run: async (work) => allOf(await files.openArrays(zarr, work)), turns: 1 },
  'openArrays of bytes of GRIB': {
    run: async (work) => allOf(await files.openArrays(readFileSync(path('a.grib2')), work)),
    turns: 1,
  },
  'openArrays of bytes of NetCDF3': {
    run: async (work) => allOf(await files.openArrays(classic, work)),
    turns: 0,
    mayBeDone: true,
  },
  'openArrays of bytes of NetCDF4': {
    run: async (work) => allOf(await files.openArrays(readFileSync(path('a.nc')), work)),
    turns: 1,
  },
  gridEnsemble: {
    run: async (work) =>
      closing(await filesNode.openArrays(path('a.nc')), async (file) => (await files.gridEnsemble(file, work)).days),
    turns: 0,
    mayBeDone: true,
  },
  gridEnsembles: {
    run: async (work) =>
      closing(await filesNode.openArrays(path('a.nc')), async (file) => (await files.gridEnsembles(file, work)).length),
    turns: 0,
    mayBeDone: true,
  },
  gridArrays: {
    run: async (work) =>
      closing(await filesNode.openArrays(path('a.nc')), async (file) => (await files.gridArrays(file, work)).length),
    turns: 0,
    mayBeDone: true,
  },
  'GridEnsemble.read of NetCDF4': {
    run: async (work) => blocksOf(await filesNode.openArrays(path('a.nc')), work),
    turns: 1,
  },
  'GridEnsemble.read of GRIB': {
    run: async (work) => blocksOf(await filesNode.openArrays(path('a.grib2')), work),
    turns: 1,
  },
  'GridEnsemble.read of Zarr': { run: async (work) => blocksOf(await files.openArrays(zarr), work), turns: 1 },
  tableAtPoint: {
    run: async (work) =>
      closing(await filesNode.openArrays(path('a.nc')), async (file) => {
        const options = { point: { latitude: 50, longitude: 0 }, ...work };
        return digest((await files.tableAtPoint(core, file, options)).table);
      }),
    turns: 1,
  },
  joinArrays: {
    run: async (work) => {
      const [one, two] = [await filesNode.openArrays(path('a.nc')), await filesNode.openArrays(path('b.nc'))];
      try {
        return [...(await files.joinArrays([one, two], work)).arrays].map(([name, { shape }]) => `${name} ${shape}`);
      } finally {
        await Promise.all([one.close(), two.close()]);
      }
    },
    turns: 0,
    mayBeDone: true,
  },
  verify: {
    run: async (work) => {
      const verified = await verify(core, skill, { forecasts: [table], observed }, { ...scored, ...work });
      return sumOf(
        verificationTable(verified)
          .toArray()
          .flatMap((row) => Object.values(row) as number[]),
      );
    },
    turns: 1,
  },
  streamStatistics: {
    run: (work) => rowsOf(streamStatistics(core, [table, ...moreTables], { ...daily, ...work })),
    turns: 1,
  },
  'streamStatistics of long tables': {
    run: (work) => rowsOf(streamStatistics(core, [long], { ...daily, ...work })),
    turns: 0,
    mayBeDone: true,
  },
  'streamStatistics of bytes': {
    run: (work) => rowsOf(streamStatistics(core, pieces(bytesOf('arrow-stream')), { ...daily, ...work })),
    turns: 1,
  },
  'streamStatistics of a file': {
    run: (work) => rowsOf(streamStatistics(core, filesNode.readTables(core, path('a.arrow')), { ...daily, ...work })),
    turns: 1,
  },
  readArrowInto: {
    run: async (work) => {
      const { table: read, release } = await files.readArrowInto(core, pieces(bytesOf('arrow')), work);
      const { numRows } = read;
      release();
      return numRows;
    },
    turns: 0,
    mayBeDone: true,
  },
  'readArrowInto of a file': {
    run: async (work) => {
      const { table: read, release } = await filesNode.readArrowInto(core, path('a.arrow'), work);
      const { numRows } = read;
      release();
      return numRows;
    },
    turns: 0,
    mayBeDone: true,
  },
  'pool.computeStatistics': {
    run: async (work) => sumOf((await pool.computeStatistics(shared, windows, request, work)).mean),
    turns: 1,
  },
  'pool.statistics': {
    run: async (work) => digest(await pool.statistics(table, { ...daily, ...work })),
    turns: 0,
    mayBeDone: true,
  },
  runBatch: {
    run: async (work) => {
      const plan = { inputs: [path('a.csv')], out: path('batch'), variables: ['temp_mean'], units: 'degC', workers: 1 };
      const { status, finished, failed } = await built.runBatch(plan, { ...work, overwrite: true });
      expect(failed).toEqual([]);
      return [status, finished, sumOf(readFileSync(join(plan.out, 'a.arrow')))];
    },
    turns: 1,
    leaves: path('batch/a.arrow'),
  },
  listPlan: {
    run: async (work) => {
      const plan = { inputs: [path('a.csv')], out: path('batch'), variables: ['temp_mean'], units: 'degC' };
      return (await built.listPlan(plan, work)).outputs.map(({ output, bytes }) => `${output} ${bytes}`);
    },
    turns: 0,
    mayBeDone: true,
  },
  mergeShards: {
    run: async (work) => {
      const plan = {
        inputs: [path('a.csv')],
        out: path('merged'),
        variables: ['temp_mean'],
        units: 'degC',
        workers: 1,
      };
      rmSync(plan.out, { recursive: true, force: true });
      await built.runBatch(plan, { shard: { number: 1, of: 1 } });
      const { status, outputs } = await built.mergeShards(plan.out, work);
      return [status, outputs, sumOf(readFileSync(join(plan.out, 'a.arrow')))];
    },
    turns: 1,
    mayBeDone: true,
    leaves: path('merged/a.arrow'),
  },
  writeNetcdf: {
    run: async (work) => {
      await filesNode.writeNetcdf(path('written.nc'), table, work);
      return sumOf(readFileSync(path('written.nc')));
    },
    turns: 1,
    leaves: path('written.nc'),
  },
};

/** A number that changes with any value. */
function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum = (sum * 31 + (Number.isNaN(values[i]) ? 7 : values[i])) % 1_000_003;
  return sum;
}

function digest(value: unknown): unknown {
  if (!(value instanceof Table)) return value;
  return value.schema.names.flatMap((name) => {
    const values: unknown = value.getChild(name)?.toArray();
    return values instanceof Float32Array || values instanceof Float64Array ? sumOf(values) : [];
  });
}

/** How often other work got its turn while `work` was done. */
async function turnsOf(work: () => Promise<unknown>, onTurn?: (count: number) => void): Promise<number> {
  let count = 0;
  let isOver = false;
  const tick = () => {
    if (isOver) return;
    onTurn?.(++count);
    setImmediate(tick);
  };
  setImmediate(tick);
  try {
    await work();
  } finally {
    isOver = true;
  }
  return count;
}

const openFiles = () => {
  const folder = '/proc/self/fd';
  return existsSync(folder) ? readdirSync(folder).length : 0;
};

describe.each(Object.entries(WORK))('%s', (_, { run, turns, mayBeDone, leaves }) => {
  it('says of an unknown option that it takes a signal and onProgress', async () => {
    const { name, message } = await run({ sinal: 1 } as object).then(
      () => new Error('taken'),
      (error: Error) => error,
    );
    expect(name).toBe('OptionError');
    expect(message).toMatch(/unknown option, the nearest is signal; received "sinal"; .*\bsignal, onProgress\b/);
  });

  it('lets other work run, can be aborted before and meanwhile, and then works as before', async () => {
    const reports: Progress[] = [];
    const expected = digest(await run({ onProgress: (progress) => reports.push(progress) }));
    for (const { done, total = Number.POSITIVE_INFINITY } of reports) expect(done).toBeLessThanOrEqual(total);
    expect(reports.length).toBeGreaterThanOrEqual(1);
    let count = 0;
    const first = await turnsOf(
      async () => expect(digest(await run({}))).toEqual(expected),
      (n) => (count = n),
    );
    expect(first).toBe(count);
    expect(count).toBeGreaterThanOrEqual(turns);
    if (leaves !== undefined) rmSync(leaves, { recursive: true });

    const before = openFiles();
    const reason = { why: 'the caller left' };
    const early = await run({ signal: AbortSignal.abort(reason) }).catch((error) => error);
    expect(early).toBe(reason);

    const controller = new AbortController();
    let outcome: unknown;
    await turnsOf(
      async () => {
        outcome = await run({ signal: controller.signal }).catch((error) => error);
      },
      (turn) => turn === 1 && controller.abort(reason),
    );
    if (mayBeDone !== true || outcome === reason) expect(outcome).toBe(reason);
    else expect(digest(outcome)).toEqual(expected);
    // What reads tables for another function is closed when its next table comes.
    await vi.waitFor(() => expect(openFiles()).toBeLessThanOrEqual(before), { timeout: 5_000 });
    if (leaves !== undefined) expect(existsSync(leaves)).toBe(false);

    expect(digest(await run({ signal: new AbortController().signal }))).toEqual(expected);
  }, 60_000);
});

/** Bytes that begin, and then do not come. */
function stalled(): Record<string, { readonly bytes: files.ByteSource; readonly isClosed: () => boolean }> {
  const begin = bytesOf('csv').subarray(0, 1000);
  let isCancelled = false;
  let isReturned = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(begin),
    cancel: () => {
      isCancelled = true;
    },
  });
  const iterator = {
    calls: 0,
    next: async () => (iterator.calls++ === 0 ? { done: false, value: begin } : await new Promise<never>(() => {})),
    return: async () => {
      isReturned = true;
      return { done: true, value: undefined };
    },
  };
  const pipe = new PassThrough();
  pipe.write(begin);
  const iterable = { [Symbol.asyncIterator]: () => iterator } as AsyncIterable<Uint8Array>;
  return {
    'a stream': { bytes: stream, isClosed: () => isCancelled },
    'an iterable': { bytes: iterable, isClosed: () => isReturned },
    'a stream of Node': { bytes: pipe, isClosed: () => pipe.destroyed },
  };
}

it.each(Object.entries(stalled()))('an abort ends the wait for bytes of %s, and closes it', async (_, given) => {
  const controller = new AbortController();
  const reading = collected(files.readTables(core, given.bytes, { signal: controller.signal }));
  setTimeout(() => controller.abort('enough'), 20);
  await expect(reading).rejects.toBe('enough');
  await expect.poll(given.isClosed).toBe(true);
});

it('a report comes at most once a second', async () => {
  const reports: Progress[] = [];
  const begun = performance.now();
  while (performance.now() - begun < 300) {
    await collected(files.encodeTables([table], 'csv', { onProgress: (progress) => reports.push(progress) }));
  }
  const once: Progress[] = [];
  const tables = (function* () {
    while (performance.now() - begun < 1500) yield table;
    yield table;
  })();
  await collected(files.encodeTables(tables, 'csv', { onProgress: (progress) => once.push(progress) }));
  expect(once.length).toBeLessThanOrEqual(3);
  expect(once[0]).toMatchObject({ unit: 'rows' });
});

it('names wrong options of work', async () => {
  const given = (options: object) => files.readTable(bytesOf('csv'), options).catch((error) => error.message);
  expect(await given({ signal: {} })).toMatch(/^signal: cannot be used; .*; allowed: an AbortSignal$/);
  expect(await given({ onProgress: 1 })).toMatch(/^onProgress: cannot be used; received 1; allowed: a function$/);
});
