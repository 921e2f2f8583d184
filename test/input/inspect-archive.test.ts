import { describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { openArrays } from '../../src/files/open-arrays.js';
import { inspectGrid } from '../../src/input/inspect/inspect-grid.js';
import { type FixtureArray, zarrFixture } from '../files/zarr/zarr-fixture.js';

const core = await loadCore();
const SHAPE = [31, 181, 721, 1440] as const;

function axis(name: string, length: number, value: (i: number) => number, units?: string): FixtureArray {
  const values = Array.from({ length }, (_, i) => value(i));
  const attributes = units === undefined ? {} : { units };
  return { type: 'float64', dimensions: [name], shape: [length], chunk: [length], values, fill: 'NaN', attributes };
}

/** An archive of a global ensemble whose chunks are all absent, so that they take no time. */
async function archive(chunk: readonly number[], stepHours = 24) {
  const one: FixtureArray = {
    ...{ type: 'float32', dimensions: ['number', 'time', 'latitude', 'longitude'], shape: [1, 1, 1, 1] },
    ...{
      chunk: [1, 1, 1, 1],
      values: [280],
      fill: 'NaN',
      attributes: { units: 'K', standard_name: 'air_temperature' },
    },
  };
  const [members, days, rows, columns] = SHAPE;
  const store = await zarrFixture(3, {
    number: axis('number', members, (i) => i),
    time: axis('time', days, (i) => i * stepHours, 'hours since 2026-03-02'),
    latitude: axis('latitude', rows, (i) => 90 - i / 4, 'degrees_north'),
    longitude: axis('longitude', columns, (i) => i / 4, 'degrees_east'),
    t2m: one,
  });
  for (const key of ['zarr.json', 't2m/zarr.json']) {
    const json = store.json(key);
    const all = (json.consolidated_metadata as { metadata?: Record<string, object> } | undefined)?.metadata;
    const array = (all?.t2m ?? json) as Record<string, unknown>;
    array.shape = [...SHAPE];
    array.chunk_grid = { name: 'regular', configuration: { chunk_shape: chunk } };
    store.putJson(key, json);
  }
  for (const key of [...store.values.keys()]) if (key.startsWith('t2m/c')) store.values.delete(key);
  store.requested.length = 0;
  return store;
}

describe('inspectGrid of an archive', () => {
  it.each([
    ['maps', [1, 1, 721, 1440], 20, 3 * 5 * 721 * 1440, ['0', '15', '30']],
    ['maps of all members', [31, 1, 721, 1440], 2, 31 * 721 * 1440, undefined],
    ['series', [31, 181, 10, 10], 120, 31 * 181 * 64 * 4, undefined],
    ['tiles', [1, 181, 103, 206], 12, 3 * 181 * 64, ['0', '15', '30']],
  ])('reads a bounded number of its chunks, whatever these are: %s', async (_, chunk, most, least, sampled) => {
    const store = await archive(chunk);
    const file = await openArrays(store);
    const { variables } = await inspectGrid(core, file, { values: true, options: {} });
    const [{ values, days, members }] = variables;
    expect([days?.whole, members?.count]).toEqual([181, 31]);
    expect(values?.sampleOf).toBe(SHAPE.reduce((product: number, length) => product * length, 1));
    expect(values?.count).toBeGreaterThanOrEqual(least);
    expect(values?.missing).toBe(values?.count);
    expect(values?.sampledMembers).toEqual(sampled);
    const chunks = store.requested.filter((key) => key.startsWith('/t2m/c'));
    expect(chunks.length).toBeGreaterThan(0);
    expect(chunks.length).toBeLessThanOrEqual(most);
  });

  it('samples the first, a middle and the last member of steps of six hours, too', async () => {
    const store = await archive([1, 1, 721, 1440], 6);
    const { variables } = await inspectGrid(core, await openArrays(store), {
      values: true,
      options: { stamps: 'start' },
    });
    expect(variables[0].values).toMatchObject({ sampledMembers: ['0', '15', '30'], count: 3 * 721 * 1440 });
    expect(store.requested.filter((key) => key.startsWith('/t2m/c')).length).toBeLessThanOrEqual(16);
  });

  it.each([
    ['the days of a member', [1, 181, 721, 1440]],
    ['everything', [31, 181, 721, 1440]],
  ])('reads no value where a single chunk takes too long: of %s', async (_, chunk) => {
    const store = await archive(chunk);
    const { variables } = await inspectGrid(core, await openArrays(store), { values: true, options: {} });
    const [{ values, days, problem }] = variables;
    expect([days?.whole, values?.count, problem]).toEqual([181, 0, undefined]);
    expect(values?.sampleOf).toBe(SHAPE.reduce((product: number, length) => product * length, 1));
    expect(store.requested.filter((key) => key.startsWith('/t2m/c'))).toEqual([]);
  });
});
