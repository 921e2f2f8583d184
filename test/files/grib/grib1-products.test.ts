import { describe, expect, it } from 'vitest';
import type { ArrayFile } from '../../../src/files/array/array-file.js';
import { gridEnsemble } from '../../../src/files/cf/open-grid-ensemble.js';
import { openArrays } from '../../../src/files/open-arrays.js';
import { joined, UNSCALED, uint } from '../../reference/grib-message.js';
import { grib1Message, type Product1, simpleSection } from '../../reference/grib1-message.js';
import { arrayLines } from './array-lines.js';
import { gribFile, T2M } from './write-grib.js';

const message = (product: Product1, value = 1, columns = 2) =>
  grib1Message(simpleSection([], 0, { ...UNSCALED, reference: value }), { columns, product });
const opened = (...products: readonly Product1[]) =>
  openArrays(joined(...products.map((product, i) => message(product, i + 1))), { source: 'run.grib1' });
const fieldsOf = (file: ArrayFile) => arrayLines(file).filter((line) => /latitude.*longitude/.test(line));

const HOURS = 1;
const SURFACE = [1, 0, 0];
const RAIN: Product1 = { parameter: 61, level: SURFACE };
/** Octets 41 to 44 of NCEP: an ensemble, the kind of member, its number, the kind of product. */
const ncep = (type: number, number: number, product = 1) => ({ local: [1, type, number, product, 1] });
/** Local definition 1 of ECMWF. */
const ecmwf = (type: number, number: number, size = 50): Product1 => ({
  ...{ centre: 98, table: 128, parameter: 167, level: SURFACE },
  local: [1, 1, type, 4, 11, 48, 48, 48, 49, number, size, 0],
});
const times = async (file: ArrayFile, name = 'time_bounds') => {
  const array = file.arrays.get(name);
  const values = new Float64Array(array?.shape.reduce((product, length) => product * length, 1) ?? 0);
  await array?.read({ start: array.shape.map(() => 0), count: array.shape }, values);
  return [...values].map((seconds) => new Date(seconds * 1000).toISOString().slice(0, 13));
};

describe('members of edition 1', () => {
  it('are numbered by the ensemble extension of NCEP, with the control and both signs', async () => {
    const file = await opened(ncep(1, 2), ncep(2, 1), ncep(3, 1), ncep(3, 2));
    expect(fieldsOf(file)).toEqual(['2t (number 4, time 1, latitude 1, longitude 2) K']);
    expect(await file.arrays.get('number')?.readTexts()).toEqual(['control0', 'negative1', 'positive1', 'positive2']);
  });

  it('are both controls of NCEP, by their resolution', async () => {
    const file = await opened(ncep(1, 2), ncep(1, 1), ncep(3, 1));
    expect(await file.arrays.get('number')?.readTexts()).toEqual(['control_high0', 'control_low0', 'positive1']);
  });

  it('are not the mean and the spread of all', async () => {
    const file = await opened(ncep(3, 1), ncep(5, 0, 1), ncep(5, 0, 11), ecmwf(11, 1), ecmwf(17, 0), ecmwf(18, 0));
    expect(fieldsOf(file).map((line) => line.split(' ')[0])).toEqual([
      ...['2t_centre7', '2t_ensmean_centre7', '2t_enssd', '2t_centre98', '2t_ensmean_centre98', '2t_ensspread'],
    ]);
  });

  it('of ECMWF are the control and the perturbed forecasts; a deterministic one is an array of its own', async () => {
    const file = await opened(ecmwf(10, 0), ecmwf(11, 1), ecmwf(11, 2), ecmwf(9, 0, 0));
    expect(fieldsOf(file)).toEqual([
      '2t (number 3, time 1, latitude 1, longitude 2) K',
      '2t_single (time 1, latitude 1, longitude 2) K',
    ]);
  });

  it('clusters and probabilities are left out, and said', async () => {
    const probability = { local: [...ncep(5, 0).local, 191, 2, ...Array(13).fill(0)] };
    const file = await opened(ncep(3, 1), ncep(4, 1), probability, { ...ecmwf(20, 1), local: [2, 1, 20] });
    expect(file.notices).toEqual([
      '2 fields are left out: means of clusters of members',
      '1 field is left out: probabilities',
    ]);
  });
});

describe('times of edition 1', () => {
  it('amounts end after their second period, in buckets and since the start', async () => {
    const bucket = (first: number, second: number) => ({ ...RAIN, times: [HOURS, first, second, 4] });
    const file = await opened(bucket(0, 6), bucket(6, 12), bucket(12, 18), bucket(18, 24));
    expect(fieldsOf(file)).toEqual(['tp (time 4, latitude 1, longitude 2) kg m-2']);
    expect((await gridEnsemble(file, { variable: 'precipitation' })).days).toBe(1);
  });

  it("amounts of ECMWF's tables count since the start, and extremes the hours of their name", async () => {
    const at = (parameter: number, hours: number): Product1 => ({
      ...ecmwf(11, 1),
      ...{ parameter, times: [HOURS, hours, 0, 0] },
    });
    const rain = await opened(at(228, 6), at(228, 12));
    expect(await times(rain)).toEqual(['2024-05-01T00', '2024-05-01T06', '2024-05-01T00', '2024-05-01T12']);
    const highest = await opened(at(121, 6), at(121, 12));
    expect(await times(highest)).toEqual(['2024-05-01T00', '2024-05-01T06', '2024-05-01T06', '2024-05-01T12']);
    await expect(opened(at(201, 6))).rejects.toMatchObject({
      problem: 'has no field that is read, but extremes since the step before, whose time the message does not state',
    });
  });

  it.each([
    ['3: a mean', [HOURS, 6, 12, 3], 0, ['2024-05-01T06', '2024-05-01T12'], 'avg'],
    ['6: a mean before the reference time', [HOURS, 12, 6, 6], 0, ['2024-04-30T12', '2024-04-30T18'], 'avg'],
    ['7: a mean around it', [HOURS, 12, 6, 7], 0, ['2024-04-30T12', '2024-05-01T06'], 'avg'],
    ['113: a mean of forecasts', [HOURS, 6, 24, 113], 31, ['2024-05-01T06', '2024-06-01T06'], 'avg'],
    ['123: a mean of analyses', [HOURS, 0, 6, 123], 124, ['2024-05-01T00', '2024-06-01T00'], 'avg'],
    ['124: an amount of analyses', [HOURS, 0, 6, 124], 4, ['2024-05-01T00', '2024-05-02T00'], 'accum'],
    ['2: a highest value, by the parameter', [HOURS, 0, 6, 2], 0, ['2024-05-01T00', '2024-05-01T06'], 'max'],
  ])('indicator %s', async (_, octets, count, expected, stepType) => {
    const parameter = stepType === 'max' ? 15 : stepType === 'accum' ? 61 : 11;
    const level = stepType === 'accum' ? SURFACE : [105, 0, 2];
    const file = await opened({ times: octets, count, parameter, level });
    expect(await times(file)).toEqual(expected);
    const [array] = file.arrays.values();
    expect(array.attributes.get('GRIB_stepType')).toBe(stepType);
  });

  it('indicators that are not read are left out, and said', async () => {
    const file = await opened({}, { times: [HOURS, 0, 6, 128] }, { times: [HOURS, 0, 6, 51] });
    expect(file.notices).toEqual([
      '1 field is left out: time range indicator 128',
      '1 field is left out: time range indicator 51',
    ]);
  });

  it('a month is that of a monthly mean, whatever its time periods say', async () => {
    const month = (type: number): Product1 => ({
      ...{ ...ecmwf(9, 0), centre: 7, subCentre: 98, times: [HOURS, 2, 208, 10] },
      local: [16, 1, type, 4, 197, 48, 48, 48, 49, 1, 44, 0, 2, 0, 0, ...uint(202_310, 4), 6, 0, 3],
    });
    const file = await opened(month(80));
    expect(fieldsOf(file)).toEqual(['2t (number 1, time 1, latitude 1, longitude 2) K']);
    expect(await times(file)).toEqual(['2023-10-01T00', '2023-11-01T00']);
  });

  it.each([
    ['an interval that ends before it begins', { times: [HOURS, 12, 6, 3] }, 'has an interval that ends before'],
    ['an unknown unit', { times: [99, 1, 0, 0] }, 'has a time that gives no date'],
  ])('%s is an error that names the section', async (_, product, problem) => {
    await expect(opened(product)).rejects.toMatchObject({
      tag: 'format',
      message: expect.stringContaining(`run.grib1, message 1 at byte 0, section 1: ${problem}`),
    });
  });
});

describe('parameters and grids of edition 1', () => {
  it('unknown parameters keep their table and number, and the centre that gave them a meaning', async () => {
    const file = await opened({ parameter: 3 }, { parameter: 200 }, { parameter: 3, table: 130 });
    expect(fieldsOf(file).map((line) => line.split(' ')[0])).toEqual([
      ...['param_table2_3_2m', 'param_table2_200_centre7_2m', 'param_table130_3_centre7_2m'],
    ]);
  });

  it('fields of both editions are read from one file, on grids of their own', async () => {
    const file = await openArrays(joined(message({}), gribFile([{ ...T2M, step: 6, value: 2 }])), { source: 'both' });
    expect(fieldsOf(file)).toHaveLength(2);
  });

  it('a grid of a catalogue, and spherical harmonics, are left out by name', async () => {
    const bytes = message({});
    const catalogue = joined(bytes.slice(0, 36), bytes.slice(36 + 32));
    catalogue[6] -= 32;
    catalogue[15] = 0;
    catalogue[14] = 3;
    const harmonics = bytes.slice();
    harmonics[36 + 5] = 50;
    const file = await openArrays(joined(bytes, catalogue, harmonics), { source: 'grids' });
    expect(file.notices?.map((notice) => notice.replace(/message \d at byte \d+/, 'a message'))).toEqual([
      expect.stringContaining('has a grid of a catalogue, which the message does not describe; received "grid 3"'),
      expect.stringContaining('has a grid that is not read; received "spherical harmonics"'),
    ]);
  });

  it('two fields of the same member and time are the same only with the same decimal scale', async () => {
    const parts = (decimal: number) =>
      grib1Message(simpleSection([1, 2], 8, UNSCALED), { columns: 2, decimal, product: {} });
    expect((await openArrays(joined(parts(0), parts(0)), { source: 'a' })).notices).toHaveLength(1);
    await expect(openArrays(joined(parts(0), parts(1)), { source: 'a' })).rejects.toMatchObject({
      problem: 'two fields of the same member and time have different values',
    });
  });
});
