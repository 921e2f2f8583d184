import { describe, expect, it } from 'vitest';
import type { ArrayFile } from '../../../../src/files/array/array-file.js';
import { joinArrays } from '../../../../src/files/cf/join/join-arrays.js';
import { unitedFile } from '../../../../src/files/cf/join/united-file.js';
import { type MemoryArray, memoryFile } from '../memory-file.js';

const time = (values: readonly number[], units = 'days since 2026-03-02'): MemoryArray => ({
  dimensions: { time: values.length },
  values,
  attributes: { units },
});
const along = (name: string, values: readonly number[], units: string): MemoryArray => ({
  dimensions: { [name]: values.length },
  values,
  attributes: { units },
});

interface Content {
  readonly member?: number;
  readonly times?: readonly number[];
  readonly units?: string;
}

function fileOf(source: string, variable: string, { member, times = [0, 1], units }: Content = {}): ArrayFile {
  return {
    ...memoryFile(
      {
        [variable]: {
          dimensions: { time: times.length, latitude: 1, longitude: 2 },
          values: times.flatMap((day) => [10 * day + (member ?? 0), 10 * day + 1]),
          attributes: { units: variable === 'tp' ? 'mm' : 'K' },
        },
        ...(member !== undefined && {
          number: { values: [member], attributes: { standard_name: 'realization' } },
        }),
        time: time(times, units),
        latitude: along('latitude', [50], 'degrees_north'),
        longitude: along('longitude', [5, 6], 'degrees_east'),
      },
      { Conventions: 'CF-1.8', history: source },
    ),
    source,
  };
}

async function valuesOf({ arrays }: ArrayFile, name: string): Promise<number[]> {
  const array = arrays.get(name)!;
  const values = new Float64Array(array.shape.reduce((product, length) => product * length, 1));
  await array.read({ start: array.shape.map(() => 0), count: array.shape }, values);
  return [...values];
}

describe('files of other variables of a grid', () => {
  it('are one file of all their arrays, with the attributes that all have', async () => {
    const file = await joinArrays([fileOf('a.nc', 'tp'), fileOf('b.nc', 't2m')]);
    expect([...file.arrays.keys()].sort()).toEqual(['latitude', 'longitude', 't2m', 'time', 'tp']);
    expect([...file.attributes]).toEqual([['Conventions', 'CF-1.8']]);
    expect(file.notes).toEqual(['2 files are one: each has other arrays']);
    expect(await valuesOf(file, 'tp')).toEqual([0, 1, 10, 11]);
  });

  it('are joined along members, too, in any order', async () => {
    const of = (variable: string) => [2, 1].map((member) => fileOf(`${variable}-${member}.nc`, variable, { member }));
    const file = await joinArrays([...of('tp'), ...of('t2m')].reverse());
    expect(file.arrays.get('tp')?.shape).toEqual(file.arrays.get('t2m')?.shape);
    expect(file.arrays.get('tp')?.shape.reduce((product, length) => product * length, 1)).toBe(8);
  });

  it.each<[string, ArrayFile, string]>([
    [
      'have other times',
      fileOf('b.nc', 't2m', { times: [0, 2] }),
      'the array time is not the same in a.nc and in b.nc',
    ],
    [
      'have more times',
      fileOf('b.nc', 't2m', { times: [0, 1, 2] }),
      'the dimension time has 2 values in a.nc, and 3 in b.nc',
    ],
    [
      'count times from another day',
      fileOf('b.nc', 't2m', { units: 'days since 2026-03-03' }),
      'the array time is not the same in a.nc and in b.nc',
    ],
  ])('are not one where they %s', async (_, other, why) => {
    await expect(joinArrays([fileOf('a.nc', 'tp'), other])).rejects.toMatchObject({
      tag: 'data',
      message: expect.stringContaining(why),
    });
  });

  it.each([
    ['init_time', '2026-03-01T00:00:00Z'],
    ['time_zone', 'Europe/Berlin'],
    ['experiment_id', 'ssp585'],
    ['realization', 3],
  ])('are not one where the attribute %s differs', async (name, value) => {
    const other = fileOf('b.nc', 't2m');
    const attributes = new Map([...other.attributes, [name, value] as const]);
    await expect(joinArrays([fileOf('a.nc', 'tp'), { ...other, attributes }])).rejects.toThrow(
      `the attribute ${name} is none in a.nc, and ${value} in b.nc`,
    );
  });

  it('are not one where a file has nothing of its own', async () => {
    const files = [fileOf('a.nc', 'tp'), fileOf('b.nc', 'tp')];
    expect(await unitedFile(files, 'both')).toBe('a.nc has no array that the others do not have');
  });
});
