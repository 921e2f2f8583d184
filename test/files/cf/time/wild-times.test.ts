import { describe, expect, it } from 'vitest';
import { isPlumecastError } from '../../../../src/errors.js';
import { gridEnsemble } from '../../../../src/files/cf/index.js';
import { type MemoryArray, memoryFile } from '../memory-file.js';

const UNITS = 'days since 2020-01-01';
const WILD = [1e9, 1e300, -1e300, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -800_000, 2_914_696];

function axis(values: readonly number[], units = UNITS, more: Record<string, string> = {}): MemoryArray {
  return { dimensions: { time: values.length }, values, attributes: { units, ...more } };
}

function rain(steps: number, dimension = 'time'): MemoryArray {
  return { dimensions: { [dimension]: steps }, values: Array(steps).fill(1), attributes: { units: 'mm' } };
}

async function fault(arrays: Readonly<Record<string, MemoryArray>>): Promise<string> {
  const error = await gridEnsemble(memoryFile(arrays), { array: 'tp' }).then(
    ({ days }) => new Error(`nothing was thrown, there are ${days} days`),
    (thrown: unknown) => thrown,
  );
  if (!isPlumecastError(error, 'data')) throw error;
  return error.message;
}

describe('a wild time', () => {
  it.each(WILD)('of %d days is an error that names the coordinate, the step and the value', async (wild) => {
    const times = wild < 0 ? [wild, 1, 2] : [0, 1, wild];
    expect(await fault({ time: axis(times), tp: rain(3) })).toBe(
      `test.nc, column time: time ${wild < 0 ? 1 : 3} is not within the years 1 to 9999; received "${wild} ${UNITS}"; ` +
        'allowed: times from 0001-01-01T00:00:00Z to the end of 9999-12-31',
    );
  });

  it.each([-(2n ** 63n), 2n ** 63n - 1n])('of the 64-bit integer %d is an error', async (wild) => {
    const time = {
      ...axis([]),
      type: 'int64' as const,
      dimensions: { time: 2 },
      values: wild < 0 ? [wild, 0n] : [0n, wild],
    };
    expect(await fault({ time, tp: rain(2) })).toContain('is not within the years 1 to 9999');
  });

  it('that is NaN is missing', async () => {
    expect(await fault({ time: axis([0, Number.NaN]), tp: rain(2) })).toContain('column time: time 2 is missing');
  });

  it.each([...WILD, Number.NaN])('of %d days in bounds is an error that names them', async (wild) => {
    const bounds = { dimensions: { time: 2, bnds: 2 }, values: [0, 1, 1, wild] };
    const found = await fault({ time: axis([0, 1], UNITS, { bounds: 'time_bnds' }), time_bnds: bounds, tp: rain(2) });
    expect(found).toContain('test.nc, column time_bnds: bound 4 is');
  });

  it.each(WILD)('of %d hours among leads, or in the start of the forecast, is an error', async (wild) => {
    const start = (value: number) => ({
      values: [value],
      attributes: { units: UNITS, standard_name: 'forecast_reference_time' },
    });
    const step = (value: number) => ({ dimensions: { step: 2 }, values: [0, value], attributes: { units: 'days' } });
    expect(await fault({ time: start(0), step: step(wild), tp: rain(2, 'step') })).toContain(
      'column step: time 2 is not',
    );
    expect(await fault({ time: start(wild), step: step(1), tp: rain(2, 'step') })).toContain(
      'column time: time 1 is not',
    );
  });

  it('within the years 1 to 9999, but far from the other times, is an error that shows the gap', async () => {
    expect(await fault({ time: axis([0, 1, 2, 365_000]), tp: rain(4) })).toBe(
      'test.nc, column time: steps are scattered: 4 days over 365001; received "2020-01-03 at step 3, then 3019-05-04"; ' +
        'allowed: days that follow each other, with gaps; one of these times may be mistaken',
    );
  });

  it('is neither a gap of years nor a long history', async () => {
    const gap = await gridEnsemble(memoryFile({ time: axis([0, 1, 3650, 3651]), tp: rain(4) }));
    expect(gap.days).toBe(3652);
    const long = Array.from({ length: 600 }, (_, i) => i + (i < 300 ? 0 : 25_000));
    expect((await gridEnsemble(memoryFile({ time: axis(long), tp: rain(600) }))).days).toBe(25_600);
  });

  it('in bounds that go back is an error', async () => {
    const bounds = { dimensions: { time: 3, bnds: 2 }, values: [0, 1, 40, 41, 2, 3] };
    const tp = { ...rain(3), attributes: { units: 'mm h-1' } };
    const found = await fault({ time: axis([0, 1, 2], UNITS, { bounds: 'b' }), b: bounds, tp });
    expect(found).toContain('step 3 has bounds before step 2');
  });

  it.each([
    'days since 99999-01-01',
    'days since 0000-00-00',
    'days since 2020-01-01 99:00',
    'days since 2020-01-01 +99:00',
  ])('comes of the reference %s, which is none', async (units) => {
    expect(await fault({ time: axis([0, 1], units), tp: rain(2) })).toContain('units of time are not understood');
  });

  it('results from a reference at the end of the calendar', async () => {
    expect(await fault({ time: axis([0, 1], 'days since 9999-12-31'), tp: rain(2) })).toContain('step 2 is not within');
  });
});

describe('dimensions', () => {
  it.each([
    ['time', 'time steps'],
    ['member', 'members'],
    ['latitude', 'cells'],
  ])('of no length are reported: %s', async (empty, what) => {
    const lengths: Record<string, number> = { time: 2, member: 2, latitude: 2 };
    lengths[empty] = 0;
    const coordinate = (name: string, units: string) => {
      const values = Array.from({ length: lengths[name] }, (_, i) => i);
      return { dimensions: { [name]: lengths[name] }, values, attributes: { units } };
    };
    const arrays = { time: coordinate('time', UNITS), latitude: coordinate('latitude', 'degrees_north') };
    expect(await fault({ ...arrays, tp: { dimensions: lengths, values: [] } })).toBe(
      `test.nc, column tp: has no ${what}; received "dimension ${empty} of length 0"; allowed: at least one`,
    );
  });

  it('of one name and two lengths are an error', async () => {
    expect(await fault({ time: axis([0, 1, 2]), tp: rain(2) })).toBe(
      'test.nc, column tp: dimension time has two lengths; received "2 here, 3 in time"; allowed: one length for all arrays along it',
    );
  });

  it('of bounds that differ from those of their coordinate are an error', async () => {
    const bounds = { dimensions: { other: 3, bnds: 2 }, values: [0, 1, 1, 2, 2, 3] };
    const found = await fault({ time: axis([0, 1], UNITS, { bounds: 'b' }), b: bounds, tp: rain(2) });
    expect(found).toContain(
      'column b: holds the bounds of time, but has other lengths; received "3 x 2"; allowed: 2 x 2',
    );
  });

  it('that are impossible for a coordinate are an error before it is read', async () => {
    const length = 1e9;
    const endless = (units: string): MemoryArray => ({ dimensions: {}, values: [0], attributes: { units } });
    const file = memoryFile({ time: endless(UNITS), tp: endless('mm') });
    const grown = [...file.arrays].map(
      ([name, array]) => [name, { ...array, dimensions: ['time'], shape: [length] }] as const,
    );
    const error: unknown = await gridEnsemble({ ...file, arrays: new Map(grown) }).catch((thrown) => thrown);
    expect(String(error)).toBe(
      'DataError: test.nc, column time: has too many time steps; received "1000000000"; allowed: at most 8388608',
    );
    expect(file.reads.boxes.size).toBe(0);
  });
});
