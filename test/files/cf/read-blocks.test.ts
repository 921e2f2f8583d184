import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import type { Box, StoredArray } from '../../../src/files/array/array-file.js';
import { countChunkReads, findReadPlan, type ReadPlan } from '../../../src/files/cf/days/read-plan.js';
import { type GridEnsemble, gridEnsemble } from '../../../src/files/cf/index.js';
import { dailyValues, valuesOfBlocks } from './daily-values.js';
import { chunksOf, coordinates, type MemoryArray, memoryFile } from './memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const range = (length: number) => Array.from({ length }, (_, i) => i);
const LENGTHS: Record<string, number> = { member: 4, time: 24, latitude: 8, longitude: 10 };

/** An ensemble of 4 members over 24 days, or hours, at 80 cells, in some order and chunks, and its file. */
async function ensembleOf(
  order: readonly string[],
  options: {
    chunk?: readonly number[];
    chunkPart?: readonly number[];
    time?: string;
    attributes?: MemoryArray['attributes'];
  } = {},
) {
  const { chunk, chunkPart, time = 'days since 2001-01-01', attributes } = options;
  const values = Float32Array.from({ length: 4 * 24 * 80 }, (_, i) => i);
  const file = memoryFile({
    ...coordinates({ member: range(4), time: range(24), latitude: range(8), longitude: range(10) }, { units: time }),
    t2m: {
      type: 'float32',
      dimensions: Object.fromEntries(order.map((name) => [name, LENGTHS[name]])),
      ...{ values, chunk, chunkPart, attributes: { units: 'degC', ...attributes } },
    },
  });
  return { ensemble: await gridEnsemble(file), file };
}

const WHOLE = 4 * 24 * 80 * 4;

describe('daily float32 values without packing', () => {
  it.each([
    [['member', 'time', 'latitude', 'longitude'], undefined, 4, 'cell-fastest'],
    [['member', 'latitude', 'longitude', 'time'], undefined, 4, 'day-fastest'],
    [['time', 'member', 'latitude', 'longitude'], [24, 1, 8, 10], 4, 'cell-fastest'],
    [['member', 'time', 'latitude', 'longitude'], [2, 24, 8, 10], 1, 'cell-fastest'],
  ] as const)('of %s in chunks of %s are read into the core by %d reads, %s', async (order, chunk, reads, rows) => {
    const { ensemble, file } = await ensembleOf(order, { chunk });
    const [block, ...more] = ensemble.blocks(1e6, []);
    expect(more).toEqual([]);
    const targets = recorded(file.arrays.get('t2m') as StoredArray);
    const { field } = await ensemble.read(block, core);
    expect(field.order).toBe(rows);
    expect(targets).toHaveLength(reads);
    expect(targets.every((buffer) => buffer === core.memory.wasm.buffer)).toBe(true);
  });
});

it.each([
  [
    ['time', 'latitude', 'member', 'longitude'],
    [24, 8, 4, 10],
  ],
  [
    ['time', 'member', 'latitude', 'longitude'],
    [24, 4, 8, 10],
  ],
  [
    ['latitude', 'member', 'longitude', 'time'],
    [8, 4, 10, 24],
  ],
] as const)('daily float32 values of %s in chunks of all members are put in order', async (order, chunk) => {
  const { ensemble } = await ensembleOf(order, { chunk });
  const values = await dailyValues(ensemble, core);
  const at = (index: Record<string, number>) => order.reduce((flat, name) => flat * LENGTHS[name] + index[name], 0);
  const expected = range(4).map((member) =>
    range(80).map((cell) =>
      range(24).map((time) => at({ member, time, latitude: Math.floor(cell / 10), longitude: cell % 10 })),
    ),
  );
  expect(values).toEqual(expected);
});

it('chunks that can be read in parts are decoded once, whatever the memory', async () => {
  const order = ['member', 'time', 'latitude', 'longitude'];
  const chunk = [1, 1, 8, 10];
  const decoded = async (chunkPart?: readonly number[]) => {
    const { ensemble } = await ensembleOf(order, { chunk, chunkPart });
    const blocks = ensemble.blocks(WHOLE / 4, []);
    expect(await valuesOfBlocks(ensemble, core, blocks)).toEqual(await dailyValues(ensemble, core));
    return countChunkReads(findReadPlan(ensemble) as ReadPlan, blocks);
  };
  expect(await decoded([1, 1, 1, 10])).toEqual({ chunks: 4 * 24, decoded: 4 * 24 });
  expect((await decoded())?.decoded).toBeGreaterThan(2 * 4 * 24);
});

it('days whose steps have more than the 4 MiB that are read at a time are read one by one', async () => {
  const [days, side, perDay] = [2, 300, 8];
  const degrees = range(side).map((i) => i / 10);
  const values = Float64Array.from({ length: days * perDay * side * side }, (_, i) => i);
  const file = memoryFile({
    ...coordinates(
      { time: range(days * perDay).map((i) => 3 * i), latitude: degrees, longitude: degrees },
      { units: 'hours since 2001-01-01' },
    ),
    t2m: {
      dimensions: { time: days * perDay, latitude: side, longitude: side },
      ...{ values, chunk: [1, side, side], attributes: { units: 'degC' } },
    },
  });
  const [[series]] = [await dailyValues(await gridEnsemble(file), core)];
  const mean = (day: number, cell: number) => (day * perDay + (perDay - 1) / 2) * side * side + cell;
  expect(series).toEqual(range(side * side).map((cell) => range(days).map((day) => mean(day, cell))));
});

/** The buffers that an array is read into from now on. */
function recorded(array: StoredArray): ArrayBufferLike[] {
  const targets: ArrayBufferLike[] = [];
  const { read } = array;
  array.read = (box, into) => {
    targets.push(into.buffer);
    return read(box, into);
  };
  return targets;
}

describe('blocks', () => {
  const timesDecoded = async (ensemble: GridEnsemble, reads: Map<string, number>, bytes: number, cuts: number[]) => {
    await dailyValues(ensemble, core, { bytes, cuts });
    return Math.max(...reads.values());
  };

  it.each([
    ['fields', ['time', 'member', 'latitude', 'longitude'], [1, 1, 8, 10]],
    ['fields of all members', ['time', 'member', 'latitude', 'longitude'], [1, 4, 8, 10]],
    ['series', ['member', 'time', 'latitude', 'longitude'], [4, 24, 1, 10]],
    ['series of single cells', ['latitude', 'longitude', 'member', 'time'], [1, 1, 4, 24]],
    ['cubes', ['member', 'time', 'latitude', 'longitude'], [2, 6, 4, 5]],
  ] as const)(
    'of a part of the memory that is needed decode each chunk once where it holds %s',
    async (_, order, chunk) => {
      const { ensemble, file } = await ensembleOf(order, { chunk });
      const cuts = [0, 6, 12, 18, 24];
      const bytes = (2 / 3) * WHOLE + 2000;
      expect(ensemble.blocks(bytes, cuts).length).toBeGreaterThan(1);
      expect(await timesDecoded(ensemble, file.reads.chunks, bytes, cuts)).toBe(1);
    },
  );

  it('of hours decode each chunk once', async () => {
    for (const chunk of [
      [1, 24, 4, 10],
      [2, 1, 8, 10],
      [4, 24, 8, 1],
    ]) {
      const { ensemble, file } = await ensembleOf(['member', 'time', 'latitude', 'longitude'], {
        ...{ chunk, time: 'hours since 2001-01-01', attributes: { scale_factor: 0.5 } },
      });
      expect(await timesDecoded(ensemble, file.reads.chunks, 1e6, [])).toBe(1);
    }
  });

  it('have complete windows of all cells, or all days of some cells, whichever is read faster', async () => {
    const fields = (await ensembleOf(['time', 'member', 'latitude', 'longitude'])).ensemble;
    const cuts = [3, 10, 17];
    expect(fields.blocks(WHOLE / 2, cuts)).toEqual([
      { cell: 0, cells: 80, day: 0, days: 10 },
      { cell: 0, cells: 80, day: 10, days: 7 },
      { cell: 0, cells: 80, day: 17, days: 7 },
    ]);
    const series = (await ensembleOf(['latitude', 'longitude', 'member', 'time'])).ensemble;
    expect(series.blocks(WHOLE / 2, cuts).every(({ days }) => days === 24)).toBe(true);
    expect(fields.blocks(WHOLE / 2, []).every(({ days }) => days === 24)).toBe(true);
  });

  it('that do not fit are an error that states what would fit', async () => {
    const { ensemble } = await ensembleOf(['time', 'member', 'latitude', 'longitude'], { chunk: [24, 4, 8, 10] });
    expect(() => ensemble.blocks(WHOLE, [])).toThrow(
      `test.nc, column t2m: its stored pieces have ${WHOLE} bytes; received "${WHOLE} bytes of memory"`,
    );
    expect(ensemble.blocks(4 * WHOLE, [])).toHaveLength(1);
  });

  it('name the place of a value in messages', async () => {
    const { ensemble } = await ensembleOf(['member', 'time', 'latitude', 'longitude']);
    const { field } = await ensemble.read({ cell: 10, cells: 10, day: 1, days: 3 }, core);
    expect(field.place?.(2, 13)).toEqual({
      source: 'test.nc',
      column: 't2m (member 2, 2001-01-03, latitude 1, longitude 3)',
    });
  });

  it('of any cells and days can be read', async () => {
    const { ensemble } = await ensembleOf(['member', 'time', 'latitude', 'longitude']);
    const { field, latitude, longitude } = await ensemble.read({ cell: 7, cells: 26, day: 2, days: 1 }, core);
    expect([...latitude.slice(0, 4)]).toEqual([0, 0, 0, 1]);
    expect([...longitude.slice(0, 4)]).toEqual([7, 8, 9, 0]);
    expect(range(26).map((row) => field.members[1].value(row))).toEqual(range(26).map((i) => (24 + 2) * 80 + 7 + i));
  });
});

describe('values that are computed', () => {
  const SHAPE = [1, 480, 70, 120];

  /** Hours of 20 days at 70 x 120 places, 8 MB of int16 in all: each value is its hour, with what is read of them. */
  function hours(chunk: readonly number[]) {
    const axes = { member: range(1), time: range(480), latitude: range(70), longitude: range(120) };
    const small = memoryFile(coordinates(axes, { units: 'hours since 2001-01-01' }));
    const boxes: Box[] = [];
    const t2m: StoredArray = {
      ...{ name: 't2m', type: 'int16', dimensions: Object.keys(axes), shape: SHAPE, chunk },
      attributes: new Map([['units', 'degC']]),
      async read(box, into) {
        boxes.push(box);
        const [members, steps, rows, columns] = box.count;
        const cells = rows * columns;
        for (let i = 0; i < members * steps; i++) {
          (into as Int16Array).fill(box.start[1] + (i % steps), i * cells, (i + 1) * cells);
        }
        return [];
      },
      readTexts: async () => [],
    };
    return { file: { ...small, arrays: new Map([...small.arrays, ['t2m', t2m]]) }, boxes };
  }

  it.each([
    ['fields', [1, 1, 70, 120]],
    ['three days', [1, 72, 70, 120]],
    ['a day and a part of one', [1, 30, 20, 120]],
    ['all hours of some cells', [1, 480, 7, 9]],
    ['four days of one row', [1, 96, 1, 120]],
  ] as const)('are read some megabytes at a time, which decodes each chunk of %s once', async (_, chunk) => {
    const { file, boxes } = hours(chunk);
    const ensemble = await gridEnsemble(file);
    const [block, ...more] = ensemble.blocks(1e8, []);
    expect(more).toEqual([]);
    const { field } = await ensemble.read(block, core);
    for (const member of field.members) {
      for (const [day, cell] of [
        [0, 0],
        [19, 0],
        [4, 2100],
        [19, 8399],
      ]) {
        const row = field.order === 'cell-fastest' ? day * 8400 + cell : cell * 20 + day;
        expect(member.value(row)).toBe(day * 24 + 11.5);
      }
    }
    const chunks = boxes.flatMap((box) => chunksOf(box, chunk));
    expect(new Set(chunks).size).toBe(chunks.length);
    const sizes = boxes.map(({ count }) => 2 * count.reduce((product, n) => product * n, 1));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4 << 20);
    expect(sizes.length).toBeGreaterThan(1);
  });
});
