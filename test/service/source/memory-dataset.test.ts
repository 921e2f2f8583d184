import { describe, expect, it } from 'vitest';
import { type MemoryData, memoryDataset, memorySource } from '../../../src/service/source/index.js';
import { readValues } from './histories.js';

const data: MemoryData = {
  revision: '1',
  latitude: Float64Array.of(50, 51),
  longitude: Float64Array.of(5, 5),
  variables: {
    temp_mean: { firstDay: 100, days: 3, members: 2, values: Float32Array.from({ length: 12 }, (_, i) => i) },
    precipitation: { firstDay: 101, days: 1, members: 1, values: Float32Array.of(Number.NaN, 7) },
  },
};
const temperature = data.variables.temp_mean;

describe('memoryDataset', () => {
  it('reads cell by cell, in each member by member, in each day by day', async () => {
    const dataset = memoryDataset(data);
    expect(await readValues(dataset, 1, 'temp_mean')).toEqual([6, 7, 8, 9, 10, 11]);
    expect(await readValues(dataset, 0)).toEqual([Number.NaN]);
    expect(dataset.read('precipitation', 0, new Float32Array(1))).toBeUndefined();
  });

  it('states its variables, and finds places', () => {
    const dataset = memoryDataset(data);
    expect(dataset.revision).toBe('1');
    expect(Object.fromEntries(dataset.variables)).toEqual({
      temp_mean: { firstDay: 100, days: 3, members: 2 },
      precipitation: { firstDay: 101, days: 1, members: 1 },
    });
    expect(dataset.places.covering({ latitude: 50.9, longitude: 5.1 })).toBe(1);
  });

  it('fills only its part of a larger array', () => {
    const whole = new Float32Array(10).fill(-1);
    memoryDataset(data).read('temp_mean', 0, whole.subarray(2, 8));
    expect([...whole]).toEqual([-1, -1, 0, 1, 2, 3, 4, 5, -1, -1]);
  });

  const withTemperature = (changes: Partial<typeof temperature>) => ({
    variables: { temp_mean: { ...temperature, ...changes } },
  });

  const range = (horizon: string, firstDay: number, lastDay: number) => ({ horizon, firstDay, lastDay });
  const withHorizons = (horizons: unknown) => withTemperature({ horizons } as object);

  it.each<[string, Partial<MemoryData>, string]>([
    ['an empty revision', { revision: '' }, 'revision: is not a text, or empty'],
    ['fewer longitudes', { longitude: Float64Array.of(5) }, 'longitude: has another length than latitude; received 1'],
    ['a latitude that is none', { latitude: Float64Array.of(50, 90.1) }, 'latitude of cell 1: is out of range'],
    ['a missing longitude', { longitude: Float64Array.of(Number.NaN, 5) }, 'longitude of cell 0: is out of range'],
    ['a slug with a path', { variables: { '../x': temperature } }, 'variable: has an unusable slug; received "../x"'],
    ['part of a day', withTemperature({ firstDay: 0.5 }), 'temp_mean: firstDay is not a day number'],
    ['no days', withTemperature({ days: 0 }), 'temp_mean: days is not a number of days; received 0'],
    ['half a member', withTemperature({ members: 1.5 }), 'temp_mean: members is not a number of members'],
    ['too few values', withTemperature({ values: new Float32Array(11) }), 'wrong number of values; received 11'],
    ['horizons that are no list', withHorizons({}), 'temp_mean horizons: are not a list'],
    ['an unknown horizon', withHorizons([{ horizon: 'long', firstDay: 100, lastDay: 101 }]), 'temp_mean horizons'],
    ['days beyond the timeline', withHorizons([range('seasonal', 100, 103)]), 'have wrong days of seasonal'],
    ['a horizon without days', withHorizons([range('seasonal', 101, 100)]), 'received "101 to 100"'],
    [
      'horizons in another order',
      withHorizons([range('seasonal', 100, 101), range('subseasonal', 101, 102)]),
      'in order',
    ],
    [
      'an earlier later horizon',
      withHorizons([range('subseasonal', 101, 102), range('seasonal', 100, 102)]),
      'in order',
    ],
    ['infinite values', withTemperature({ values: new Float32Array(12).fill(-1 / 0) }), 'value 0 is infinite'],
  ])('rejects %s', (_, changes, message) => {
    expect(() => memoryDataset({ ...data, ...changes })).toThrow(message);
    expect(() => memoryDataset({ ...data, ...changes })).toThrow(expect.objectContaining({ tag: 'option' }));
  });
});

describe('memorySource', () => {
  it('returns its first snapshot until it is replaced, and leaves the old one unchanged', () => {
    const [old, next] = [{ attribution: 'old' }, { attribution: 'new' }];
    const source = memorySource(old);
    const seen = source.snapshot();
    source.replace(next);
    expect(seen).toBe(old);
    expect(source.snapshot()).toBe(next);
  });
});
