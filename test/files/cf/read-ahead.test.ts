import { beforeAll, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import type { ArrayFile, StoredArray } from '../../../src/files/array/array-file.js';
import { gridEnsemble } from '../../../src/files/cf/index.js';
import { coordinates, memoryFile } from './memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const [MEMBERS, DAYS, SIDE] = [3, 1, 500];
const range = (length: number) => Array.from({ length }, (_, i) => i);

/** Fields of 1 MB, `perDay` of them a day: of one a day they are read to their final place, else four at a time. */
function fields(perDay: number, array: Partial<StoredArray> = {}): ArrayFile {
  const degrees = range(SIDE).map((i) => i / 10);
  const steps = DAYS * perDay;
  const times = range(steps).map((i) => (24 / perDay) * i);
  const file = memoryFile({
    ...coordinates(
      { member: range(MEMBERS), time: times, latitude: degrees, longitude: degrees },
      { units: 'hours since 2001-01-01' },
    ),
    t2m: {
      type: 'float32',
      dimensions: { member: MEMBERS, time: steps, latitude: SIDE, longitude: SIDE },
      values: Float32Array.from({ length: MEMBERS * steps * SIDE * SIDE }, (_, i) => i % 1000),
      ...{ chunk: [1, 1, SIDE, SIDE], attributes: { units: 'degC' } },
    },
  });
  Object.assign(file.arrays.get('t2m') as StoredArray, array);
  return file;
}

/** The values of all members, one after the other. */
async function valuesOf(file: ArrayFile): Promise<Buffer> {
  const ensemble = await gridEnsemble(file);
  const mark = core.memory.mark();
  const { field } = await ensemble.read({ cell: 0, cells: SIDE * SIDE, day: 0, days: DAYS }, core);
  const all = field.members.map(({ chunks: [{ values }] }) => Buffer.from(values.slice().buffer));
  core.memory.release(mark);
  return Buffer.concat(all);
}

/** Watches how reads of an array overlap; from read `failing` on (the first is 1), all fail. */
function watched(file: ArrayFile, failing = Number.POSITIVE_INFINITY) {
  const array = file.arrays.get('t2m') as StoredArray;
  const { read } = array;
  const state = { running: 0, most: 0, reads: 0, targets: new Set<ArrayBufferLike>() };
  array.read = async (box, into) => {
    const number = ++state.reads;
    state.targets.add(into.buffer);
    state.most = Math.max(state.most, ++state.running);
    // Later reads end sooner.
    await new Promise((done) => setTimeout(done, number % 2 === 0 ? 1 : 5));
    state.running--;
    if (number >= failing) throw new Error(`read ${number} failed`);
    return read(box, into);
  };
  return state;
}

it('of daily values are two at a time, with the same results as one by one', async () => {
  const file = fields(1);
  const state = watched(file);
  const values = await valuesOf(file);
  expect(state).toMatchObject({ running: 0, most: 2, reads: MEMBERS });
  const inTurn = fields(1, { readsInTurn: true });
  const alone = watched(inTurn);
  expect(values.equals(await valuesOf(inTurn))).toBe(true);
  expect(alone).toMatchObject({ running: 0, most: 1, reads: MEMBERS });
});

it('of values to be reduced go to other memory than those in use, with the same results as one by one', async () => {
  const file = fields(4);
  const state = watched(file);
  const values = await valuesOf(file);
  // The two after the one in use.
  expect(state).toMatchObject({ running: 0, most: 2, reads: MEMBERS });
  expect(state.targets.size).toBe(3);
  const inTurn = fields(4, { readsInTurn: true });
  const alone = watched(inTurn);
  expect(values.equals(await valuesOf(inTurn))).toBe(true);
  expect(alone.targets.size).toBe(1);
  const unchunked = fields(4, { chunk: undefined });
  const next = watched(unchunked);
  expect(values.equals(await valuesOf(unchunked))).toBe(true);
  expect(next).toMatchObject({ most: 1 });
  expect(next.targets.size).toBe(2);
});

it.each([
  { perDay: 1, reads: 2 },
  { perDay: 4, reads: 3 },
])('end where one fails, with $perDay steps a day', async ({ perDay, reads }) => {
  const file = fields(perDay);
  const state = watched(file, 2);
  const mark = core.memory.mark();
  await expect(valuesOf(file)).rejects.toThrow('read 2 failed');
  expect(state).toMatchObject({ running: 0, reads });
  expect(core.memory.mark()).toBe(mark);
});
