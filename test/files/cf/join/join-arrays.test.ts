import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArrayFile, StoredArray } from '../../../../src/files/array/array-file.js';
import { openedFiles } from '../../../../src/files/cf/join/file-set.js';
import { joinArrays, joinIfOne, readContents } from '../../../../src/files/cf/join/join-arrays.js';
import { isFullCheck } from '../../../full-check.js';
import { type MemoryArray, memoryFile } from '../memory-file.js';

const [MEMBERS, TIMES, LATITUDES, LONGITUDES] = [4, 6, 3, 2];
const DAY = 86_400;
/** Days since 1970-01-01 of the first time. */
const FIRST = 20_514;

/** A part of the whole: the first and the number of its members, times, latitudes and longitudes. */
type Part = Readonly<Record<'member' | 'time' | 'latitude' | 'longitude', readonly [from: number, count: number]>>;

/** How a file is written. */
interface Form {
  /** Whether a single member is a value beside the array, and not a dimension of it. */
  readonly hasSingleMember: boolean;
  /** Whether a single time is one, likewise. */
  readonly hasSingleTime?: boolean;
  /** Whether degrees are float32. */
  readonly hasFloat32?: boolean;
  /** The day that times count from. */
  readonly origin: number;
}

const numberOf = (m: number, t: number, y: number, x: number) => ((m * TIMES + t) * LATITUDES + y) * LONGITUDES + x;
const range = ([from, count]: readonly [number, number]) => Array.from({ length: count }, (_, i) => from + i);

function fileOf(
  part: Part,
  { hasSingleMember, hasSingleTime = false, hasFloat32 = false, origin }: Form,
  source: string,
  units = 'mm',
): ArrayFile {
  const isSingle = hasSingleMember && part.member[1] === 1;
  const isAtOnce = hasSingleTime && part.time[1] === 1;
  const values = range(part.member).flatMap((m) =>
    range(part.time).flatMap((t) =>
      range(part.latitude).flatMap((y) => range(part.longitude).map((x) => numberOf(m, t, y, x))),
    ),
  );
  const {
    member: members,
    time: times,
    ...rest
  } = Object.fromEntries(Object.entries(part).map(([name, [, count]]) => [name, count]));
  const dimensions = { ...(!isSingle && { member: members }), ...(!isAtOnce && { time: times }), ...rest };
  const along = (
    name: 'time' | 'latitude' | 'longitude',
    all: readonly number[],
    attributes: MemoryArray['attributes'],
  ) => ({
    ...{ dimensions: { [name]: all.length }, values: all, attributes },
  });
  const time = range(part.time).map((t) => FIRST + t - origin);
  const degrees = (value: number) => (hasFloat32 ? Math.fround(value) : value);
  return {
    ...memoryFile({
      tp: { dimensions, values, attributes: { units } },
      member: {
        dimensions: isSingle ? {} : { member: members },
        values: range(part.member),
        attributes: { standard_name: 'realization' },
      },
      time: {
        dimensions: isAtOnce ? {} : { time: times },
        values: time,
        attributes: {
          units: `days since ${new Date(origin * DAY * 1000).toISOString().slice(0, 10)}`,
          bounds: 'time_bnds',
        },
      },
      time_bnds: {
        dimensions: { ...(!isAtOnce && { time: times }), bnds: 2 },
        values: time.flatMap((t) => [t, t + 1]),
      },
      latitude: along(
        'latitude',
        range(part.latitude).map((y) => degrees(50 - 0.1 * y)),
        { units: 'degrees_north' },
      ),
      longitude: along(
        'longitude',
        range(part.longitude).map((x) => degrees(7 + 0.1 * x)),
        { units: 'degrees_east' },
      ),
    }),
    source,
  };
}

const WHOLE: Part = { member: [0, MEMBERS], time: [0, TIMES], latitude: [0, LATITUDES], longitude: [0, LONGITUDES] };

async function numbers(array: StoredArray, start: readonly number[], count: readonly number[]): Promise<number[]> {
  const values = new Float64Array(count.reduce((product, n) => product * n, 1)).fill(-1);
  const absent = await array.read({ start, count }, values);
  // Missing values are written as -2.
  for (const { start: from, count: length } of absent) {
    for (let i = 0; i < values.length; i++) {
      const index = count.map(
        (_, d) => start[d] + (Math.floor(i / count.slice(d + 1).reduce((p, n) => p * n, 1)) % count[d]),
      );
      if (index.every((place, d) => place >= from[d] && place < from[d] + length[d])) values[i] = -2;
    }
  }
  return Array.from(values);
}

/** Where an axis of some length is cut. */
const cuts = (length: number) =>
  fc.uniqueArray(fc.integer({ min: 1, max: length - 1 }), { maxLength: 2 }).map((inner): [number, number][] => {
    const at = [0, ...inner.sort((a, b) => a - b), length];
    return at.slice(1).map((end, i) => [at[i], end - at[i]]);
  });

describe('files that are parts of one', () => {
  it('have the values of the whole, however it is cut and in whatever order they are given', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(cuts(MEMBERS), cuts(TIMES), cuts(LATITUDES), cuts(LONGITUDES)),
        fc.tuple(fc.constantFrom('no', 'some', 'all'), fc.constantFrom('no', 'some', 'all')),
        fc.infiniteStream(fc.nat(1000)),
        async ([member, time, latitude, longitude], singles, random) => {
          const parts = member.flatMap((m) =>
            time.flatMap((t) =>
              latitude.flatMap((y) => longitude.map((x): Part => ({ member: m, time: t, latitude: y, longitude: x }))),
            ),
          );
          const next = () => random.next().value as number;
          const isOne = (files: string) => files === 'all' || (files === 'some' && next() % 2 === 0);
          const order = parts.map((part) => ({ part, key: next() })).sort((a, b) => a.key - b.key);
          const files = order.map(({ part }, i) => {
            const [hasSingleMember, hasSingleTime] = singles.map(isOne);
            const form = {
              hasSingleMember,
              hasSingleTime,
              hasFloat32: next() % 2 === 0,
              origin: FIRST - (next() % 50),
            };
            return fileOf(part, form, `${i}.nc`);
          });
          const joined = await joinArrays(files);
          const tp = joined.arrays.get('tp') as StoredArray;
          expect(tp.dimensions).toEqual(['member', 'time', 'latitude', 'longitude']);
          expect(tp.shape).toEqual([MEMBERS, TIMES, LATITUDES, LONGITUDES]);
          const start = tp.shape.map((length) => next() % length);
          const count = tp.shape.map((length, d) => 1 + (next() % (length - start[d])));
          const box = (d: number) => range([start[d], count[d]]);
          const expected = box(0).flatMap((m) =>
            box(1).flatMap((t) => box(2).flatMap((y) => box(3).map((x) => numberOf(m, t, y, x)))),
          );
          expect(await numbers(tp, start, count)).toEqual(expected);
          const times = joined.arrays.get('time') as StoredArray;
          const unit = times.attributes.get('units') === 'seconds since 1970-01-01' ? DAY : undefined;
          if (unit !== undefined) {
            const wanted = range(WHOLE.time).map((t) => (FIRST + t) * DAY);
            expect(await numbers(times, [0], [TIMES])).toEqual(wanted);
            const bounds = joined.arrays.get(String(times.attributes.get('bounds'))) as StoredArray;
            expect(await numbers(bounds, [0, 0], [TIMES, 2])).toEqual(
              wanted.flatMap((second) => [second, second + DAY]),
            );
          }
        },
      ),
      { numRuns: isFullCheck ? 150 : 50 },
    );
  });

  it('have missing values where no file has any, and say how many', async () => {
    const form = { hasSingleMember: true, origin: FIRST };
    const files = [
      fileOf({ ...WHOLE, member: [0, 1], time: [0, 2] }, form, 'a.nc'),
      fileOf({ ...WHOLE, member: [0, 1], time: [2, 2] }, form, 'b.nc'),
      fileOf({ ...WHOLE, member: [1, 1], time: [2, 2] }, form, 'c.nc'),
    ];
    const { arrays, notes, source } = await joinArrays(files);
    expect(source).toBe('a.nc and 2 more');
    expect(notes).toEqual([
      '3 files are one: 2 members, 4 times',
      'of 8 members by times, 2 are in no file: their values are missing',
    ]);
    const tp = arrays.get('tp') as StoredArray;
    expect(await numbers(tp, [0, 1, 0, 0], [2, 2, 1, 1])).toEqual([
      numberOf(0, 1, 0, 0),
      numberOf(0, 2, 0, 0),
      -2,
      numberOf(1, 2, 0, 0),
    ]);
  });

  it('are decoded where they are packed in other ways, one by one', async () => {
    const packed = (member: number, scale: number, stored: number) => ({
      ...memoryFile(
        {
          tp: {
            type: 'int16',
            dimensions: { time: 2 },
            values: [stored, -9],
            attributes: { units: 'mm', scale_factor: scale, _FillValue: -9 },
          },
          time: { dimensions: { time: 2 }, values: [0, 1], attributes: { units: 'days since 2026-03-02' } },
        },
        { realization: member },
      ),
      source: `${member}.nc`,
    });
    const { arrays } = await joinArrays([packed(2, 0.5, 3), packed(1, 0.25, 3)]);
    const tp = arrays.get('tp') as StoredArray;
    expect([tp.type, [...tp.attributes.keys()]]).toEqual(['float64', ['units']]);
    expect(await numbers(tp, [0, 0], [2, 2])).toEqual([0.75, Number.NaN, 1.5, Number.NaN]);
    expect(await numbers(arrays.get('member') as StoredArray, [0], [2])).toEqual([1, 2]);
  });

  it('get members, runs and leads from a pattern of their names', async () => {
    const file = (source: string, value: number) => ({
      ...memoryFile({
        t2m: { dimensions: { latitude: 1 }, values: [value], attributes: { units: 'degC' } },
        latitude: { dimensions: { latitude: 1 }, values: [50], attributes: { units: 'degrees_north' } },
      }),
      source,
    });
    const names = [
      '2026030206/m02_f024.nc',
      '2026030206/m02_f000.nc',
      '2026030206/m10_f024.nc',
      '2026030206/m10_f000.nc',
    ];
    const { arrays } = await joinArrays(names.map(file), { join: '{init}/m{member}_f{lead}.nc' });
    const t2m = arrays.get('t2m') as StoredArray;
    expect([t2m.dimensions, t2m.shape]).toEqual([
      ['member', 'step', 'latitude'],
      [2, 2, 1],
    ]);
    expect(await numbers(t2m, [0, 0, 0], [2, 2, 1])).toEqual([1, 0, 3, 2]);
    expect(await (arrays.get('member') as StoredArray).readTexts()).toEqual(['02', '10']);
    const step = arrays.get('step') as StoredArray;
    expect([step.attributes.get('units'), await numbers(step, [0], [2])]).toEqual(['hours', [0, 24]]);
    const run = arrays.get('forecast_reference_time') as StoredArray;
    expect(await numbers(run, [], [])).toEqual([Date.UTC(2026, 2, 2, 6) / 1000]);
  });
});

describe('files of a step each, with run, step and valid time beside the array', () => {
  const stepFile = (member: number, lead: number, hasRun: boolean) => ({
    ...memoryFile({
      tp: { dimensions: { latitude: 1 }, values: [10 * member + lead], attributes: { units: 'mm' } },
      latitude: { dimensions: { latitude: 1 }, values: [50], attributes: { units: 'degrees_north' } },
      number: { values: [member], attributes: { standard_name: 'realization' } },
      ...(hasRun && {
        time: { values: [0], attributes: { standard_name: 'forecast_reference_time', units: 'days since 2026-03-02' } },
      }),
      step: { values: [24 * lead], attributes: { standard_name: 'forecast_period', units: 'hours' } },
      valid_time: { values: [lead], attributes: { standard_name: 'time', units: 'days since 2026-03-02' } },
    }),
    source: `${member}-${lead}.nc`,
  });
  it.each([
    [true, 'step', [0, 24, 48]],
    [false, 'valid_time', [0, 1, 2].map((day) => Date.UTC(2026, 2, 2 + day) / 1000)],
  ])('have one axis of steps (run stated: %s): %s', async (hasRun, dimension, labels) => {
    const files = [0, 1].flatMap((member) => [2, 0, 1].map((lead) => stepFile(member, lead, hasRun)));
    const { arrays, notes } = await joinArrays(files);
    expect(notes).toHaveLength(1);
    const tp = arrays.get('tp') as StoredArray;
    expect([tp.dimensions, tp.shape]).toEqual([
      ['member', dimension, 'latitude'],
      [2, 3, 1],
    ]);
    expect(await numbers(tp, [0, 0, 0], [2, 3, 1])).toEqual([0, 1, 2, 10, 11, 12]);
    expect(await numbers(arrays.get(dimension) as StoredArray, [0], [3])).toEqual(labels);
  });

  /** As xarray writes them: leads in the largest unit in which all are whole, and no dimension of a single one. */
  const slice = (leads: readonly number[], isSqueezed: boolean) => {
    const isOne = isSqueezed && leads.length === 1;
    const areDays = leads.every((lead) => lead % 24 === 0);
    const along: Record<string, number> = isOne ? {} : { step: leads.length };
    const unit = areDays ? 24 : 1;
    return {
      ...memoryFile({
        tp: { dimensions: { ...along, latitude: 1 }, values: leads, attributes: { units: 'mm' } },
        latitude: { dimensions: { latitude: 1 }, values: [50], attributes: { units: 'degrees_north' } },
        time: { values: [0], attributes: { standard_name: 'forecast_reference_time', units: 'days since 2026-03-02' } },
        step: {
          ...{ dimensions: along, values: leads.map((lead) => lead / unit) },
          attributes: { standard_name: 'forecast_period', units: areDays ? 'days' : 'hours' },
        },
        valid_time: {
          ...{ dimensions: along, values: leads },
          attributes: { standard_name: 'time', units: 'hours since 2026-03-02' },
        },
      }),
      source: `${leads.join('-')}.nc`,
    };
  };
  it.each([
    ['each a dimension', [[24], [6], [48], [18], [12], [36, 30, 42]], false],
    ['some a single value', [[24], [6], [48, 54], [18], [12], [36, 30, 42]], true],
    ['each a single value', [[24], [6], [48], [18], [12], [30], [36], [42]], true],
  ])('are joined by hours whatever the units of leads: %s', async (_, parts, isSqueezed) => {
    const { arrays } = await joinArrays(parts.map((leads) => slice(leads, isSqueezed)));
    const leads = parts.flat().sort((a, b) => a - b);
    const { length } = leads;
    const [tp, step, times] = ['tp', 'step', 'valid_time'].map((name) => arrays.get(name) as StoredArray);
    expect(await numbers(tp, [0, 0], [length, 1])).toEqual(leads);
    expect([step.attributes.get('units'), await numbers(step, [0], [length])]).toEqual(['hours', leads]);
    // Where all are single values, times follow from the leads.
    if (times === undefined) return expect(parts.every((each) => each.length === 1)).toBe(true);
    const seconds = leads.map((lead) => Date.UTC(2026, 2, 2) / 1000 + 3600 * lead);
    expect(await numbers(times, [0], [length])).toEqual(seconds);
  });

  it('keep the bounds of their times, which are the axis then', async () => {
    const hours = { units: 'hours since 2026-03-02' };
    const files = [36, 12, 24].map((end) => ({
      ...memoryFile({
        rain: { dimensions: { latitude: 1 }, values: [end], attributes: { units: 'mm' } },
        latitude: { dimensions: { latitude: 1 }, values: [50], attributes: { units: 'degrees_north' } },
        forecast_reference_time: { values: [0], attributes: { standard_name: 'forecast_reference_time', ...hours } },
        forecast_period: { values: [end], attributes: { standard_name: 'forecast_period', units: 'hours' } },
        time: { values: [end], attributes: { standard_name: 'time', ...hours, bounds: 'time_bnds' } },
        // Amounts since the start: 36 hours are no period whose last instant is at noon.
        time_bnds: { dimensions: { bnds: 2 }, values: [0, end] },
      }),
      source: `PT${end}H.nc`,
    }));
    const { arrays } = await joinArrays(files);
    const start = Date.UTC(2026, 2, 2) / 1000;
    const at = (...list: number[]) => list.map((hour) => start + 3600 * hour);
    expect(arrays.get('rain')?.dimensions).toEqual(['time', 'latitude']);
    expect(await numbers(arrays.get('time') as StoredArray, [0], [3])).toEqual(at(12, 24, 36));
    const bounds = arrays.get(String(arrays.get('time')?.attributes.get('bounds'))) as StoredArray;
    expect(await numbers(bounds, [0, 0], [3, 2])).toEqual(at(0, 12, 0, 24, 0, 36));
  });
});

describe('files that are not one', () => {
  const form = { hasSingleMember: true, origin: FIRST };
  const one = fileOf({ ...WHOLE, member: [0, 1] }, form, 'one.nc');
  const other = (change: Partial<Part>, units?: string) =>
    fileOf({ ...WHOLE, member: [1, 1], ...change }, form, 'other.nc', units);
  it.each([
    ['other cells', 'lat', [1, 2, 3, 4], { y: 2, x: 2 }, 'has another lat than site1.nc'],
    ['another place', 'latitude', [1], {}, 'has another latitude than site1.nc; received "2"; allowed: 1'],
    ['another height', 'height', [1], {}, 'has another height than site1.nc; received "2"; allowed: 1'],
  ])('have %s: numbers in their names are no members', async (_, name, values, dimensions, message) => {
    const file = (add: number, source: string) => ({
      ...memoryFile({
        t2m: { dimensions: { time: 1, y: 2, x: 2 }, values: [1, 2, 3, 4], attributes: { units: 'degC' } },
        time: { dimensions: { time: 1 }, values: [0], attributes: { units: 'days since 2026-03-02' } },
        [name]: { dimensions, values: values.map((value) => value + add) },
      }),
      source,
    });
    await expect(joinArrays([file(0, 'site1.nc'), file(1, 'site2.nc')])).rejects.toThrow(`site2.nc: ${message}`);
  });

  it.each([
    [
      'overlap',
      [one, other({ member: [0, 1], time: [2, 4] })],
      'other.nc: has values of time 2026-03-04T00:00:00Z, as has one.nc; allowed: files without overlap',
    ],
    [
      'have other units',
      [one, other({}, 'm')],
      'other.nc: tp has not the units that it has in one.nc; received "m"; allowed: mm',
    ],
    [
      'have places apart',
      [
        fileOf({ ...WHOLE, latitude: [0, 1], longitude: [0, 1] }, form, 'one.nc'),
        fileOf({ ...WHOLE, latitude: [1, 1], longitude: [1, 1] }, form, 'other.nc'),
      ],
      'other.nc: lies apart from one.nc: places between them are in no file; allowed: tiles that fill a grid',
    ],
    [
      'have grids that overlap',
      [one, other({ latitude: [1, 2] })],
      'other.nc: has another grid than one.nc: latitudes of one are between the ones of the other; allowed: the same grid, or tiles of one',
    ],
    [
      'are the same',
      [one, { ...one, source: 'copy.nc' }],
      `copy.nc: states nothing that tells it from one.nc; allowed: members, times or places of its own; or a pattern of names, such as join: 'mem{member}'`,
    ],
  ])('%s: an error that names both', async (_, files, message) => {
    await expect(joinArrays(files)).rejects.toThrow(message);
  });

  it.each([
    [
      'bounds that only one has',
      [undefined, [0, 1]],
      'b.nc: time has not the bounds that it has in a.nc; received "bounds"; allowed: no bounds',
    ],
    [
      'other bounds of the same time',
      [
        [0, 1],
        [-1, 0],
      ],
      'b.nc: has other bounds of 2026-03-02T00:00:00Z than a.nc; allowed: the same',
    ],
  ])('have %s', async (_, bounds, message) => {
    const files = bounds.map((values, member) => ({
      ...memoryFile({
        tp: { dimensions: { time: 1 }, values: [1], attributes: { units: 'mm' } },
        member: { values: [member], attributes: { standard_name: 'realization' } },
        time: {
          dimensions: { time: 1 },
          values: [0],
          attributes: { units: 'days since 2026-03-02', ...(values && { bounds: 'tb' }) },
        },
        ...(values && { tb: { dimensions: { time: 1, bnds: 2 }, values } }),
      }),
      source: `${'ab'[member]}.nc`,
    }));
    await expect(joinArrays(files)).rejects.toThrow(message);
  });

  it('state their run as a text, as files of this library do: it tells them apart, and slices of one run are one', async () => {
    const slice = (from: number, run: string): ArrayFile => ({
      ...fileOf({ ...WHOLE, time: [from, 2] }, form, `from${from}.nc`),
      attributes: new Map([['init_time', run]]),
    });
    const runs = [slice(0, '2026-03-02T00:00:00Z'), slice(2, '2026-03-04T00:00:00Z')];
    const { arrays, runs: apart } = await joinArrays(runs);
    expect(apart?.seconds).toEqual([FIRST * DAY, (FIRST + 2) * DAY]);
    expect(arrays.get('tp')?.severalRuns).toBe('apart');
    const set = openedFiles(runs);
    await expect(joinIfOne(set, set.sources, await readContents(set))).resolves.toMatchObject({
      kind: 'runs',
      runs: [[0], [1]],
      why: 'files of 2 runs, from 2026-03-02T00:00:00Z to 2026-03-04T00:00:00Z: each run is an input of its own',
    });
    for (const run of ['2026-03-02T00:00:00Z', '2026-03-02', 'of Monday'])
      expect((await joinArrays([slice(0, run), slice(2, run)])).arrays.get('tp')?.shape).toContain(4);
  });

  it('have a time twice', async () => {
    const file = (source: string, values: number[]) => ({
      ...memoryFile({
        tp: { dimensions: { time: 2 }, values: [1, 2], attributes: { units: 'mm' } },
        time: { dimensions: { time: 2 }, values, attributes: { units: 'days since 2026-03-02' } },
      }),
      source,
    });
    await expect(joinArrays([file('a.nc', [0, 0]), file('b.nc', [1, 2])])).rejects.toThrow(
      'a.nc: has time 2026-03-02T00:00:00Z twice, and cannot be joined with b.nc; allowed: each value once',
    );
  });

  it.each([
    [
      'x{tile}',
      'join: is no pattern of names; received "x{tile}"; allowed: names of files with {member}, {init}, {time}, {lead}, each once; none, each file by itself',
    ],
    [
      'mem{member}',
      'one.nc, join: the pattern does not match the name of this file; received "mem{member}"; allowed: a pattern for all of them, such as "mem{member}" or "{init}/*_{lead}.nc"',
    ],
  ])('by the pattern %s', async (pattern, message) => {
    await expect(joinArrays([one, other({})], { join: pattern })).rejects.toThrow(message);
  });
});

describe('files without a value', () => {
  const NONE = 'empty.nc';
  const read = async (parts: readonly (readonly [Part, string])[]) => {
    const files = parts.map(([part, source]) => {
      const file = fileOf(part, { hasSingleMember: true, origin: 0 }, source);
      const { arrays } = file;
      if (source !== NONE) return file;
      const tp = arrays.get('tp') as StoredArray;
      const empty: StoredArray = {
        ...tp,
        async read(_box, into) {
          into.fill(Number.NaN as never);
          return [];
        },
      };
      return { ...file, arrays: new Map([...arrays, ['tp', empty]]) };
    });
    const joined = await joinArrays(files);
    const tp = joined.arrays.get('tp') as StoredArray;
    const size = tp.shape.reduce((product, length) => product * length, 1);
    await tp.read({ start: tp.shape.map(() => 0), count: tp.shape }, new Float64Array(size));
    return tp.filesWithoutValues?.();
  };
  const all: Part = { member: [0, 1], time: [0, TIMES], latitude: [0, LATITUDES], longitude: [0, LONGITUDES] };

  it('are named where they are members or slices of time', async () => {
    expect(
      await read([
        [all, 'a.nc'],
        [{ ...all, member: [1, 1] }, NONE],
      ]),
    ).toEqual([NONE]);
    expect(
      await read([
        [{ ...all, time: [0, 4] }, 'a.nc'],
        [{ ...all, time: [4, 2] }, NONE],
      ]),
    ).toEqual([NONE]);
    expect(
      await read([
        [all, 'a.nc'],
        [{ ...all, member: [1, 1] }, 'b.nc'],
      ]),
    ).toEqual([]);
  });

  it('are none where they are a tile, which may lie in the sea, or the start of a run alone', async () => {
    expect(
      await read([
        [{ ...all, latitude: [0, 2] }, 'a.nc'],
        [{ ...all, latitude: [2, 1] }, NONE],
      ]),
    ).toEqual([]);
    expect(
      await read([
        [{ ...all, time: [1, 5] }, 'a.nc'],
        [{ ...all, time: [0, 1] }, NONE],
      ]),
    ).toEqual([]);
  });
});
