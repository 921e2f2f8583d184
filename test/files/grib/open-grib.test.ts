import { describe, expect, it } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import type { ArrayFile } from '../../../src/files/array/array-file.js';
import { gridArrays, gridEnsemble } from '../../../src/files/cf/open-grid-ensemble.js';
import { dailyValues } from '../cf/daily-values.js';
import { arrayLines } from './array-lines.js';
import { openGribBytes } from './grib-bytes.js';
import { gribFile, RAIN, T2M, type TestField } from './write-grib.js';

const hours = (count: number, step: number, from = 0) => Array.from({ length: count }, (_, i) => from + step * i);
const opened = (fields: readonly TestField[]) => openGribBytes(gribFile(fields), { source: 'run.grib2' });
const names = ({ arrays }: ArrayFile) =>
  [...arrays.values()].filter(({ attributes }) => attributes.has('GRIB_shortName')).map(({ name }) => name);

/** The values of an array, one of each field. */
async function valuesOf(file: ArrayFile, name: string): Promise<number[]> {
  const array = file.arrays.get(name);
  if (array === undefined) throw new Error(`no array ${name}`);
  const values = new Float64Array(array.shape.reduce((product, length) => product * length, 1));
  await array.read({ start: array.shape.map(() => 0), count: array.shape }, values);
  return [...values].filter((_, i) => i % 2 === 0);
}

describe('the fields of GRIB files become arrays', () => {
  it('of members, times and places, in any order in the file', async () => {
    const fields = hours(3, 6).flatMap((step) =>
      [2, 1, 0].map((member) => ({ ...T2M, step, member, value: 270 + 10 * member + step })),
    );
    const file = await opened(fields.toReversed());
    expect(arrayLines(file)).toEqual([
      '2t (number 3, time 3, latitude 1, longitude 2) K',
      'number (number 3)',
      'time (time 3) seconds since 1970-01-01 00:00:00',
      'latitude (latitude 1) degrees_north',
      'longitude (longitude 2) degrees_east',
      'forecast_reference_time () seconds since 1970-01-01 00:00:00',
    ]);
    expect(await valuesOf(file, '2t')).toEqual([270, 276, 282, 280, 286, 292, 290, 296, 302]);
  });

  it('of times of the real calendar: another one is an error', async () => {
    const steps = hours(8, 6).map((step) => ({ ...T2M, step, value: 270 }));
    const file = await opened(steps);
    expect((await gridEnsemble(file, { variable: 'temp_mean', calendar: 'standard' })).days).toBe(2);
    await expect(gridEnsemble(file, { variable: 'temp_mean', calendar: 'noleap' })).rejects.toThrow(
      'run.grib2, calendar: the data state another one; received "noleap"',
    );
  });

  it('a box reads only what it touches', async () => {
    const file = await opened(hours(3, 6).map((step) => ({ ...T2M, step, member: 1, columns: 3, value: step })));
    const values = new Float64Array(2);
    await file.arrays.get('2t')?.read({ start: [0, 1, 0, 1], count: [1, 1, 1, 2] }, values);
    expect([...values]).toEqual([6, 6]);
  });

  it('the control forecast is a member, also where perturbed ones have its number', async () => {
    const member = (type: number, number: number) => ({
      ...T2M,
      memberType: type,
      member: number,
      value: 10 * type + number,
    });
    expect(await valuesOf(await opened([member(3, 1), member(1, 0)]), '2t')).toEqual([10, 31]);
    const file = await opened([member(3, 1), member(2, 1), member(1, 0), member(3, 0)]);
    expect(await file.arrays.get('number')?.readTexts()).toEqual(['control0', 'positive0', 'negative1', 'positive1']);
    expect(await valuesOf(file, '2t')).toEqual([10, 30, 21, 31]);
  });

  it('the controls of high and of low resolution are two members', async () => {
    const member = (memberType: number, number: number, more = {}) => {
      return { ...T2M, memberType, member: number, value: 10 * memberType + number, ...more };
    };
    const file = await opened([member(1, 0), member(3, 1), member(0, 0)]);
    const namesOf = (each: ArrayFile) => each.arrays.get('number')?.readTexts();
    expect(await namesOf(file)).toEqual(['control_high0', 'control_low0', 'positive1']);
    expect(await valuesOf(file, '2t')).toEqual([0, 10, 31]);
    // With the same values, too, they are not taken for one field that is there twice.
    const same = await opened([member(1, 0, { value: 5 }), member(0, 0, { value: 5 })]);
    expect([same.notices, await valuesOf(same, '2t')]).toEqual([[], [5, 5]]);
    const runs = ['2026-03-02T00:00Z', '2026-03-02T12:00Z'].flatMap((reference, run) =>
      [0, 1].map((type) => member(type, 0, { reference, step: 24 - 12 * run })),
    );
    expect(await namesOf(await opened(runs))).toEqual([
      ...['2026-03-02T00:00Z control_high0', '2026-03-02T00:00Z control_low0'],
      ...['2026-03-02T12:00Z control_high0', '2026-03-02T12:00Z control_low0'],
    ]);
    // The control of GEFS, alone of its kind, is called by its number as the perturbed members are.
    const gefs = await opened([member(1, 0), member(3, 1), member(3, 2)]);
    const numbers = new Int32Array(3);
    await gefs.arrays.get('number')?.read({ start: [0], count: [3] }, numbers);
    expect([...numbers]).toEqual([0, 1, 2]);
  });

  it('what was computed from all members is not a member', async () => {
    const kinds = [{ member: 1 }, { derived: 0 }, { derived: 4 }];
    const file = await opened(
      kinds.flatMap((kind, value) => hours(4, 6).map((step) => ({ ...T2M, ...kind, step, value }))),
    );
    expect(names(file)).toEqual(['2t', '2t_ensmean', '2t_ensspread']);
    const found = (await gridArrays(file)).map(({ array, ensemble }) => [array, ensemble?.variable?.slug]);
    expect(found).toEqual([
      ['2t', 'temp_mean'],
      ['2t_ensmean', undefined],
      ['2t_ensspread', undefined],
    ]);
  });

  it('a deterministic forecast is not a member', async () => {
    expect(
      names(
        await opened([
          { ...T2M, member: 1, value: 1 },
          { ...T2M, value: 2 },
        ]),
      ),
    ).toEqual(['2t', '2t_single']);
  });

  it('levels, and grids, are never joined', async () => {
    const file = await opened([
      { ...T2M, value: 1 },
      { ...T2M, surface: 100, level: 85_000, value: 2 },
      { ...T2M, rows: 2, value: 3 },
    ]);
    expect(names(file)).toEqual(['2t_1x2', 't_850hPa', '2t_2x2']);
    await expect(gridEnsemble(file, { variable: 'temp_mean' })).rejects.toMatchObject({
      ...{ tag: 'option', problem: 'several arrays hold temp_mean', received: '2t_1x2, 2t_2x2' },
    });
  });

  it('temperature at the height of other screens is temperature near the ground', async () => {
    const at = (level: number) => hours(4, 6).map((step) => ({ ...T2M, level, step, value: 280 + level }));
    const file = await opened(at(1.5));
    expect(names(file)).toEqual(['t_1.5m']);
    const ensemble = await gridEnsemble(file, { variable: 'temp_mean' });
    expect((await dailyValues(ensemble, await loadCore()))[0][0][0]).toBeCloseTo(8.35);
    const both = await opened([...at(2), ...at(1.5)]);
    await expect(gridEnsemble(both, { variable: 'temp_mean' })).rejects.toMatchObject({
      ...{ problem: 'several arrays hold temp_mean', received: '2t, t_1.5m' },
    });
    const high = await opened(at(3));
    await expect(gridEnsemble(high, { variable: 'temp_mean' })).rejects.toMatchObject({ tag: 'data' });
  });

  it('an unknown parameter keeps its numbers', async () => {
    expect(
      names(
        await opened([
          { category: 1, number: 200, value: 1 },
          { discipline: 2, category: 3, number: 25, value: 1 },
        ]),
      ),
    ).toEqual(['param0_1_200_centre7', 'param2_3_25']);
  });
});

describe('intervals of GRIB fields', () => {
  const rain = (step: number, end: number, value: number): TestField => ({ ...RAIN, step, end, value });

  it('amounts in buckets that are reset every 6 hours are those of their steps', async () => {
    const buckets = hours(4, 6).flatMap((start) => [rain(start, start + 3, 1), rain(start, start + 6, 3)]);
    const ensemble = await gridEnsemble(await opened(buckets), { variable: 'precipitation' });
    expect([ensemble.days, ensemble.accumulation, ensemble.metadata.get('init_time')]).toEqual([
      1,
      'buckets',
      '2026-03-02T00:00:00Z',
    ]);
  });

  it('a single interval of a day is a day, of two days none', async () => {
    expect((await gridEnsemble(await opened([rain(0, 24, 5)]))).days).toBe(1);
    await expect(gridEnsemble(await opened([rain(0, 48, 5)]))).rejects.toMatchObject({
      problem: 'no UTC day is complete',
    });
    await expect(gridEnsemble(await opened([rain(0, 6, 5)]))).rejects.toMatchObject({
      problem: 'no UTC day is complete',
    });
  });

  it('a single instant is no day, unless the caller says so', async () => {
    const file = await opened([{ ...T2M, step: 12, value: 280 }]);
    await expect(gridEnsemble(file)).rejects.toMatchObject({ problem: 'holds a single instant, which is no day' });
    expect((await gridEnsemble(file, { stamps: 'instant' })).days).toBe(1);
  });

  it('amounts of 6 hours and since the start, which end together, are two arrays', async () => {
    const both = [rain(0, 6, 1), rain(0, 6, 1), rain(6, 12, 2), rain(0, 12, 3), rain(12, 18, 4), rain(0, 18, 7)];
    const file = await opened([...both, rain(18, 24, 1), rain(0, 24, 8)]);
    expect(names(file)).toEqual(['tp_since_start', 'tp_buckets']);
    expect(await valuesOf(file, 'tp_since_start')).toEqual([1, 3, 7, 8]);
    expect(await valuesOf(file, 'tp_buckets')).toEqual([1, 2, 4, 1]);
    expect(file.notices).toEqual(['2 fields are there twice, with the same bytes, and counted once']);
    const days = await Promise.all(['tp_since_start', 'tp_buckets'].map((array) => gridEnsemble(file, { array })));
    expect(days.map(({ accumulation }) => accumulation)).toEqual(['since-start', 'per-step']);
  });

  it('extremes of an interval within a longer one are left out', async () => {
    const maximum = (step: number, end: number, value: number) => ({ ...T2M, process: 2, step, end, value });
    const file = await opened([
      maximum(0, 3, 1),
      maximum(0, 6, 2),
      maximum(6, 9, 3),
      maximum(6, 12, 4),
      maximum(12, 15, 5),
    ]);
    expect(await valuesOf(file, 'mx2t')).toEqual([2, 4, 5]);
  });

  const of = (process: number) => (step: number, end: number, value: number) => ({ ...T2M, process, step, end, value });

  it('means since the start of the run keep their intervals, and give the mean of each day', async () => {
    const mean = of(0);
    // The means of two days are 280 and 290.
    const file = await opened([
      mean(0, 12, 278),
      mean(0, 24, 280),
      mean(0, 36, 283),
      mean(0, 48, 285),
      mean(0, 60, 285),
      mean(0, 72, 285),
    ]);
    expect(file.notices).toEqual([]);
    const [array] = names(file);
    expect(await valuesOf(file, array)).toEqual([278, 280, 283, 285, 285, 285]);
    const ensemble = await gridEnsemble(file, { variable: 'temp_mean' });
    const core = await loadCore();
    expect((await dailyValues(ensemble, core))[0][0]).toEqual(
      [280, 290, 285].map((value) => expect.closeTo(value - 273.15, 9)),
    );
  });

  it('means with resets across midnight are divided there, others are those of the longest intervals', async () => {
    const mean = of(0);
    const reference = '2026-03-02T21:00Z';
    const fields = [mean(0, 3, 270), mean(0, 6, 280), mean(6, 9, 281), mean(6, 12, 282)];
    const late = await opened(fields.map((field) => ({ ...field, reference })));
    expect(await valuesOf(late, names(late)[0])).toEqual([270, 280, 281, 282]);
    const early = await opened(fields);
    expect(await valuesOf(early, names(early)[0])).toEqual([280, 282]);
  });

  it('of overlapping longest intervals, what ends within the one before is left out', async () => {
    const mean = of(0);
    const file = await opened([mean(0, 30, 1), mean(12, 18, 2), mean(12, 30, 3), mean(12, 36, 4), mean(12, 40, 5)]);
    expect(await valuesOf(file, names(file)[0])).toEqual([1, 4, 5]);
  });

  it('extremes since the start of the run cannot be divided, and a notice says so', async () => {
    const maximum = of(2);
    const file = await opened(hours(8, 6).map((step) => maximum(0, step + 6, step)));
    expect(file.notices).toEqual([
      'mx2t: extremes of growing intervals, which cannot be divided into days; only the longest intervals are used',
    ]);
    await expect(gridEnsemble(file)).rejects.toMatchObject({ problem: 'no UTC day is complete' });
  });

  it('an interval that ends where it starts lies before its end, with a warning that counts such fields', async () => {
    // Octets of section 4: the hour of the end (39) and the length (50 to 53).
    const at = (bytes: Uint8Array, octet: number) => {
      let start = 16;
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      while (bytes[start + 4] !== 4) start += view.getUint32(start);
      return { view, start: start + octet - 1 };
    };
    const message = (length: number) => {
      const bytes = gribFile([rain(12, 18, 1)]);
      const { view, start } = at(bytes, 50);
      view.setUint32(start, length);
      bytes[at(bytes, 39).start] = 12;
      return bytes;
    };
    // 12 hours, also as a negative number, by a sign and in two's complement.
    for (const length of [12, 2 ** 31 + 12, 2 ** 32 - 12]) {
      const file = await openGribBytes(message(length), { source: 'run.grib2' });
      const bounds = new Float64Array(2);
      await file.arrays.get('time_bounds')?.read({ start: [0, 0], count: [1, 2] }, bounds);
      expect([...bounds]).toEqual([0, 12].map((hour) => Date.UTC(2026, 2, 2, hour) / 1000));
      expect(file.notices).toEqual([
        '1 field: the interval ends where it starts, though it has a length: that much time before its end is taken',
      ]);
    }
    await expect(
      openGribBytes(message(6).fill(17, at(message(6), 39).start, at(message(6), 39).start + 1), {
        source: 'run.grib2',
      }),
    ).rejects.toThrow(
      'from 2026-03-02T12:00:00Z, end 2026-03-02T17:00:00Z, by its length 2026-03-02T18:00:00Z; allowed',
    );
  });

  it('an interval of no length is an error that names the message, but at the start of the run', async () => {
    await expect(openGribBytes(gribFile([rain(12, 12, 1)]), { source: 'run.grib2' })).rejects.toThrow(
      'run.grib2, message 1 at byte 0, section 4: has a value over an interval of no length, so that it is not known what hours it is of; received "start and end 2026-03-02T12:00:00Z"; allowed: an interval of some length, or the start of the run',
    );
    // The value at the start, and amounts since then.
    const file = await opened([rain(0, 0, 0), rain(0, 24, 3)]);
    expect(file.notices).toEqual([]);
    // The value at the start alone is no array.
    await expect(opened([rain(0, 0, 0)])).rejects.toThrow(
      /has only values over intervals of no length, as at the start of a run.*start and end 2026-03-02T00:00:00Z.*some length, too/,
    );
    // One among others is named when values are read, as one that is damaged.
    const some = await openGribBytes(gribFile([rain(0, 6, 1), rain(12, 12, 1), rain(6, 12, 1)]), {
      source: 'run.grib2',
    });
    expect(some.notices).toEqual([expect.stringContaining('message 2 at byte')]);
  });

  it('members with different intervals that end together are an error', async () => {
    const file = await opened([
      { ...rain(0, 6, 1), member: 1 },
      { ...rain(3, 6, 1), member: 2 },
      { ...rain(6, 12, 1), member: 1 },
    ]);
    await expect(gridEnsemble(file)).rejects.toMatchObject({
      problem: 'members have different intervals that end at the same time',
      received:
        '2026-03-02T00:00Z to 2026-03-02T06:00Z in run.grib2, message 1; 2026-03-02T03:00Z to 2026-03-02T06:00Z in run.grib2, message 2',
    });
  });
});

describe('runs of different reference times', () => {
  const at = (reference: string, step: number, value: number, member = 1): TestField => ({
    ...T2M,
    reference,
    step,
    member,
    value,
  });

  it('are an analysis where each has one time, without a word', async () => {
    const file = await opened([
      at('2026-03-02T00:00Z', 0, 1),
      at('2026-03-02T12:00Z', 0, 2),
      at('2026-03-03T00:00Z', 0, 3),
    ]);
    expect(file.arrays.get('2t')).toMatchObject({ shape: [1, 3, 1, 2] });
    expect(file.arrays.get('2t')?.severalRuns).toBeUndefined();
    expect(file.arrays.get('2t')?.notices).toBeUndefined();
    expect(file.arrays.has('forecast_reference_time')).toBe(false);
  });

  const days = (...dates: readonly string[]) => dates.map((date) => `2026-03-${date}T00:00Z`);
  const runs = (dates: readonly string[], leads: readonly number[]) =>
    dates.flatMap((date) => leads.map((lead) => at(date, lead, lead)));

  it('are an analysis where they follow one another with the same few leads, with a note', async () => {
    const file = await opened(runs(days('02', '03', '04'), [3, 9, 15, 21]));
    const { conversions, days: found } = await gridEnsemble(file);
    expect(found).toBe(3);
    expect(conversions).toContain(
      '3 runs with the same leads (3 to 21 h) are taken as one series, an analysis; one of them by the option init',
    );
    expect((await gridEnsemble(file, { init: '2026-03-03' })).days).toBe(1);
  });

  it.each([
    ['longer leads', runs(days('02', '04'), hours(8, 6))],
    ['gaps between them', runs(days('02', '12'), hours(4, 6))],
    ['other leads each', [...runs(days('02'), hours(4, 6)), ...runs(days('03'), hours(3, 8)), at(days('04')[0], 0, 1)]],
  ])('are no series where they have %s, unless the caller asks for it', async (_, fields) => {
    const file = await opened(fields);
    const error = { tag: 'option', problem: expect.stringMatching(/^array 2t holds [23] runs$/) };
    await expect(gridEnsemble(file)).rejects.toMatchObject(error);
    expect((await gridArrays(file))[0].problem).toMatchObject(error);
    expect((await gridEnsemble(file, { init: 'all' })).days).toBeGreaterThan(1);
    expect((await gridEnsemble(file, { init: '2026-03-02' })).days).toBeLessThan(3);
  });

  it('are members of a lagged ensemble where all have the same times', async () => {
    const file = await opened(
      hours(2, 6).flatMap((step) =>
        [0, 1].flatMap((member) => [
          at('2026-03-02T00:00Z', 12 + step, step + member, member),
          at('2026-03-02T12:00Z', step, 100 + step + member, member),
        ]),
      ),
    );
    expect(await file.arrays.get('number')?.readTexts()).toEqual([
      ...['2026-03-02T00:00Z 0', '2026-03-02T00:00Z 1', '2026-03-02T12:00Z 0', '2026-03-02T12:00Z 1'],
    ]);
    expect(await valuesOf(file, '2t')).toEqual([0, 6, 1, 7, 100, 106, 101, 107]);
  });

  it('else the option init names one', async () => {
    const run = (reference: string, value: number) => hours(8, 6).map((step) => at(reference, step, value + step));
    const file = await opened([...run('2026-03-02T00:00Z', 0), ...run('2026-03-02T12:00Z', 100)]);
    await expect(gridEnsemble(file)).rejects.toMatchObject({
      ...{ tag: 'option', problem: 'dimension forecast_reference_time holds 2 runs' },
      allowed: 'the time of one of them: 2026-03-02T00:00:00Z, 2026-03-02T12:00:00Z; or all, as one lagged ensemble',
    });
    const ensemble = await gridEnsemble(file, { init: '2026-03-02T12:00Z' });
    expect([ensemble.days, ensemble.metadata.get('init_time')]).toEqual([1, '2026-03-02T12:00:00Z']);
  });
});

describe('what is wrong with GRIB files', () => {
  const fields = hours(4, 6).flatMap((step) => [1, 2].map((member) => ({ ...T2M, step, member, value: 280 + step })));

  it('a field that no file has is missing, and noted', async () => {
    const file = await opened(fields.toSpliced(3, 1));
    expect(await valuesOf(file, '2t')).toEqual([280, 286, 292, 298, 280, Number.NaN, 292, 298]);
    const { conversions } = await gridEnsemble(file);
    expect(conversions).toContain('1 of 8 fields are in no file, and missing: member 2 at 2026-03-02T06:00Z');
  });

  it('a damaged message stops who needs a field that is missing, and nobody else', async () => {
    const bytes = gribFile([...fields, { ...RAIN, step: 0, end: 24, value: 1 }]);
    const length = gribFile(fields.slice(0, 1)).length;
    // The length of section 3 of the fourth message.
    bytes[3 * length + 16 + 21] = 255;
    const file = await openGribBytes(bytes, { source: 'run.grib2' });
    expect(file.notices?.[0]).toMatch(/^message 4 at byte \d+, section 3: has a length/);
    expect(await valuesOf(file, 'tp')).toEqual([1]);
    await expect(valuesOf(file, '2t')).rejects.toMatchObject({
      tag: 'format',
      message: expect.stringContaining('message 4'),
    });
  });

  it('two fields of the same member and time are an error that names both, unless they are the same', async () => {
    expect((await opened([...fields, fields[2]])).notices).toEqual([
      '1 field is there twice, with the same bytes, and counted once',
    ]);
    await expect(opened([...fields, { ...fields[2], value: 1 }])).rejects.toMatchObject({
      problem: 'two fields of the same member and time have different values',
      received: 'run.grib2, message 3, and run.grib2, message 9 (member 1, 2026-03-02T06:00Z)',
    });
  });

  it('products that are not read are left out, and said', async () => {
    const file = await opened([...fields, { ...T2M, template: 9, value: 1 }]);
    expect(file.notices).toEqual(['1 field is left out: product definition template 4.9']);
    await expect(opened([{ ...T2M, template: 9, value: 1 }])).rejects.toMatchObject({
      problem: 'has no field that is read, but product definition template 4.9',
    });
  });

  it('a grid that contradicts itself, and no other, is its own error', async () => {
    const bytes = gribFile([{ ...T2M, columns: 3, value: 1 }]);
    const section3 = 16 + 21;
    bytes[section3 + 54] |= 0x20;
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(section3 + 63, 7_000_003);
    await expect(openGribBytes(bytes, { source: 'run.grib2' })).rejects.toThrow(
      /^run.grib2, message 1 at byte 0, section 3: has longitudes that contradict each other; received "increment 7.000003, [^;]*; allowed: [^;]*$/,
    );
  });

  it('bytes without a message are no GRIB file', async () => {
    await expect(openGribBytes(new Uint8Array(100), { source: 'empty' })).rejects.toMatchObject({
      message: expect.stringContaining('empty: has no GRIB message'),
    });
  });
});
