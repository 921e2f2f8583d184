import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { isPlumecastError } from '../../../src/errors.js';
import { type GridEnsemble, type GridOptions, gridEnsemble } from '../../../src/files/cf/index.js';
import { formatDate } from '../../../src/period/day.js';
import { dailyValues } from './daily-values.js';
import { coordinates, type MemoryArray, memoryFile } from './memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const TIME = { units: 'days since 2022-10-02' };
const range = (length: number) => Array.from({ length }, (_, i) => i);

/** An array of temperatures that are equal to their index. */
function counted(dimensions: Record<string, number>, attributes: MemoryArray['attributes'] = {}): MemoryArray {
  const size = Object.values(dimensions).reduce((product, n) => product * n, 1);
  return { type: 'float64', dimensions, values: range(size), attributes: { units: 'degC', ...attributes } };
}

function single(value: number, attributes: MemoryArray['attributes']): MemoryArray {
  return { values: [value], attributes };
}

async function places(ensemble: GridEnsemble) {
  const { latitude, longitude } = await ensemble.read({ cell: 0, cells: ensemble.cells, day: 0, days: 1 }, core);
  return { latitude: [...latitude], longitude: [...longitude] };
}

async function errorMessage(file: ReturnType<typeof memoryFile>, options?: GridOptions): Promise<string> {
  const error = await gridEnsemble(file, options).then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown,
  );
  if (!isPlumecastError(error)) throw error;
  return `${error.tag}: ${error.message}`;
}

describe('members', () => {
  it.each(['number', 'realization', 'member', 'members', 'ens', 'ensemble', 'ensemble_member', 'Number'])(
    'are along a dimension named %s',
    async (name) => {
      const ensemble = await gridEnsemble(
        memoryFile({ ...coordinates({ time: [0, 1] }, TIME), t2m: counted({ [name]: 3, time: 2 }) }),
      );
      expect(ensemble.members).toEqual(['0', '1', '2']);
      expect(await dailyValues(ensemble, core)).toEqual([[[0, 1]], [[2, 3]], [[4, 5]]]);
    },
  );

  it('are found by the standard name or axis of a dimension, and keep their names', async () => {
    const ways: readonly Record<string, string>[] = [{ standard_name: 'realization' }, { axis: 'E' }];
    for (const attributes of ways) {
      const file = memoryFile({
        ...coordinates({ time: [0, 1] }, TIME),
        which: { dimensions: { which: 2 }, values: ['control', 'p1'], attributes },
        t2m: counted({ time: 2, which: 2 }),
      });
      const ensemble = await gridEnsemble(file);
      expect(ensemble.members).toEqual(['control', 'p1']);
      expect(await dailyValues(ensemble, core)).toEqual([[[0, 2]], [[1, 3]]]);
    }
  });

  it('are a single one where the file has no dimension of them, named by its single coordinate', async () => {
    const arrays = { ...coordinates({ time: [0, 1] }, TIME), t2m: counted({ time: 2 }) };
    expect((await gridEnsemble(memoryFile(arrays))).members).toEqual(['0']);
    const number = single(7, { standard_name: 'realization' });
    expect((await gridEnsemble(memoryFile({ ...arrays, number }))).members).toEqual(['7']);
  });
});

describe('cells', () => {
  it('of a rectilinear grid keep the order of the file; longitudes above 180 are western in results', async () => {
    const axes = { time: [0], latitude: [60, 50], longitude: [0, 179, 180, 181, 359] };
    const file = memoryFile({ ...coordinates(axes, TIME), t2m: counted({ time: 1, latitude: 2, longitude: 5 }) });
    const ensemble = await gridEnsemble(file);
    expect(ensemble.grid).toEqual({
      kind: 'rectilinear',
      latitude: Float64Array.of(60, 50),
      longitude: Float64Array.of(...axes.longitude),
    });
    expect(await places(ensemble)).toEqual({
      latitude: [60, 60, 60, 60, 60, 50, 50, 50, 50, 50],
      longitude: [0, 179, 180, -179, -1, 0, 179, 180, -179, -1],
    });
    expect(await dailyValues(ensemble, core)).toEqual([range(10).map((value) => [value])]);
  });

  it('have the latitude slowest, also where the longitude is slowest in the file', async () => {
    const axes = { time: [0], lat: [1, 2], lon: [3, 4, 5] };
    const file = memoryFile({ ...coordinates(axes, TIME), t2m: counted({ lon: 3, time: 1, lat: 2 }) });
    const ensemble = await gridEnsemble(file);
    expect((await places(ensemble)).latitude).toEqual([1, 1, 1, 2, 2, 2]);
    expect((await dailyValues(ensemble, core))[0].flat()).toEqual([0, 2, 4, 1, 3, 5]);
  });

  it('are places where latitude and longitude share a dimension of any name', async () => {
    const file = memoryFile({
      ...coordinates({ time: [0, 1] }, TIME),
      lat: { dimensions: { city: 2 }, values: [45, 46], attributes: { standard_name: 'latitude' } },
      lon: { dimensions: { city: 2 }, values: [-73, 287], attributes: { standard_name: 'longitude' } },
      t2m: counted({ city: 2, time: 2 }, { coordinates: 'lat lon' }),
    });
    const ensemble = await gridEnsemble(file);
    expect(ensemble.grid).toMatchObject({ kind: 'places', shape: [2] });
    expect(await places(ensemble)).toEqual({ latitude: [45, 46], longitude: [-73, -73] });
    expect(await dailyValues(ensemble, core)).toEqual([
      [
        [0, 1],
        [2, 3],
      ],
    ]);
  });

  it('of a curvilinear grid are places of its shape, also where coordinates have the other order', async () => {
    const latitude = { dimensions: { y: 2, x: 3 }, values: [1, 1, 1, 2, 2, 2], attributes: { units: 'degrees_north' } };
    const longitude = {
      dimensions: { x: 3, y: 2 },
      values: [5, 5.5, 6, 6.5, 7, 7.5],
      attributes: { units: 'degrees_east' },
    };
    const file = memoryFile({
      ...coordinates({ time: [0] }, TIME),
      rlat: { dimensions: { y: 2 }, values: [0, 1], attributes: { standard_name: 'grid_latitude', units: 'degrees' } },
      ...{ latitude, longitude },
      t2m: counted({ time: 1, y: 2, x: 3 }, { coordinates: 'longitude latitude' }),
    });
    const ensemble = await gridEnsemble(file);
    expect(ensemble.grid).toMatchObject({ kind: 'places', shape: [2, 3] });
    expect(await places(ensemble)).toEqual({ latitude: [1, 1, 1, 2, 2, 2], longitude: [5, 6, 7, 5.5, 6.5, 7.5] });
  });

  it('are a single one where coordinates are single values or missing', async () => {
    const arrays = { ...coordinates({ time: [0, 1] }, TIME), t2m: counted({ time: 2, height: 1 }) };
    const nowhere = await gridEnsemble(memoryFile(arrays));
    expect(await places(nowhere)).toEqual({ latitude: [Number.NaN], longitude: [Number.NaN] });
    const at = { latitude: single(53.9, { units: 'degrees_north' }), longitude: single(350, { units: 'degreeE' }) };
    const somewhere = await gridEnsemble(memoryFile({ ...arrays, ...at }));
    expect(await places(somewhere)).toEqual({ latitude: [53.9], longitude: [-10] });
  });

  it('without coordinates, or with coordinates that are not degrees, are errors', async () => {
    const bare = memoryFile({ ...coordinates({ time: [0] }, TIME), t2m: counted({ time: 1, y: 2, x: 3 }) });
    expect(await errorMessage(bare)).toBe(
      'data: test.nc, column t2m: its cells have no latitude and longitude; received "dimensions y (2), x (3)"; ' +
        'allowed: coordinates with the units degrees_north and degrees_east along these dimensions; ' +
        "or coordinates: { latitude: 'y', longitude: 'x' }, to name those in degrees",
    );
    const axes = { time: [0], lat: [91, 2], lon: [3, 4] };
    const file = memoryFile({ ...coordinates(axes, TIME), t2m: counted({ time: 1, lat: 2, lon: 2 }) });
    expect(await errorMessage(file)).toContain(
      'column lat: out of range; received 91; allowed: degrees from -90 to 90',
    );
  });

  it('may have other dimensions only of length 1', async () => {
    const axes = { time: [0], lat: [1], lon: [3, 4] };
    const file = (levels: number) =>
      memoryFile({ ...coordinates(axes, TIME), t2m: counted({ time: 1, plev: levels, lat: 1, lon: 2 }) });
    expect((await dailyValues(await gridEnsemble(file(1)), core))[0]).toEqual([[0], [1]]);
    expect(await errorMessage(file(2))).toContain(
      'dimension plev is not time, member, latitude or longitude; received "length 2"',
    );
  });
});

describe('times', () => {
  const withTime = (values: number[], attributes: MemoryArray['attributes']) =>
    memoryFile({
      time: { dimensions: { time: values.length }, values, attributes },
      t2m: counted({ time: values.length }),
    });

  it('of an unknown calendar are errors', async () => {
    for (const calendar of ['tai', 'none', 'lunar']) {
      expect(await errorMessage(withTime([0, 1], { ...TIME, calendar }))).toBe(
        `data: test.nc, time: its calendar is not supported; received "${calendar}"; allowed: standard, gregorian, ` +
          'proleptic_gregorian, noleap, 365_day, all_leap, 366_day, 360_day; convert dates of others first, as by convert_calendar of xarray',
      );
    }
    for (const calendar of ['standard', 'gregorian', 'proleptic_gregorian', 'Gregorian', 'noleap', '360_DAY']) {
      expect((await gridEnsemble(withTime([0, 1], { ...TIME, calendar }))).days).toBe(2);
    }
  });

  it('of a model calendar are days of that calendar, which results state', async () => {
    const units = 'days since 0000-01-01';
    const { firstDay, metadata } = await gridEnsemble(
      withTime([2024 * 365, 2024 * 365 + 1], { ...TIME, units, calendar: '365_day' }),
    );
    expect(firstDay).toBe((2024 - 1970) * 365);
    expect(metadata.get('calendar')).toBe('noleap');
  });

  it('before 1582-10-15 are errors in a calendar that is Julian then, and read in others', async () => {
    const units = 'days since 1500-01-01';
    expect(await errorMessage(withTime([0, 1], { ...TIME, units, calendar: 'standard' }))).toContain(
      'time 1 is a date of the Julian calendar; received "0 days since 1500-01-01"; allowed: times from 1582-10-15 on',
    );
    const proleptic = withTime([0, 1], { ...TIME, units, calendar: 'proleptic_gregorian' });
    expect((await gridEnsemble(proleptic)).days).toBe(2);
  });

  it('that occur twice, do not ascend, are missing or have unknown units are errors', async () => {
    expect(await errorMessage(withTime([0, 1, 1], TIME))).toContain(
      'column time: a time occurs twice; received "2022-10-03T00:00:00Z, then 2022-10-03T00:00:00Z"; allowed: each time once, in order',
    );
    expect(await errorMessage(withTime([1, 0], TIME))).toContain('times do not ascend');
    expect(await errorMessage(withTime([0, Number.NaN], TIME))).toContain('column time: time 2 is missing');
    expect(await errorMessage(withTime([0.1, 1.3], { units: 'months since 2000-01-01' }))).toContain(
      'units of time are not understood',
    );
    expect(await errorMessage(withTime([0, 31, 59], TIME))).toContain('column time: steps are longer than a day');
    expect(await errorMessage(withTime([0, 1], { ...TIME, climatology: 'b' }))).toContain('climatological time');
  });

  it('have missing days where the file has no steps', async () => {
    const ensemble = await gridEnsemble(withTime([0, 1, 3], TIME));
    expect(formatDate(ensemble.firstDay)).toBe('2022-10-02');
    expect(await dailyValues(ensemble, core)).toEqual([[[0, 1, Number.NaN, 2]]]);
  });

  it('are those of bounds where the axis has them', async () => {
    const file = memoryFile({
      time: {
        dimensions: { time: 2 },
        values: [24, 48],
        attributes: { units: 'hours since 2022-10-02', bounds: 'time_bnds' },
      },
      time_bnds: { dimensions: { time: 2, bnds: 2 }, values: [0, 24, 24, 48] },
      t2m: counted({ time: 2 }),
    });
    expect(formatDate((await gridEnsemble(file)).firstDay)).toBe('2022-10-02');
  });

  const cfgrib = {
    time: single(1664668800, { units: 'seconds since 1970-01-01', standard_name: 'forecast_reference_time' }),
    step: {
      dimensions: { step: 3 },
      values: [0, 24, 48],
      attributes: { units: 'hours', standard_name: 'forecast_period' },
    },
    t2m: counted({ number: 2, step: 3 }),
  };

  it('are a reference time and lead times, as cfgrib writes them', async () => {
    const ensemble = await gridEnsemble(memoryFile(cfgrib));
    expect(ensemble.metadata.get('init_time')).toBe('2022-10-02T00:00:00Z');
    expect(formatDate(ensemble.firstDay)).toBe('2022-10-02');
    expect(await dailyValues(ensemble, core)).toEqual([[[0, 1, 2]], [[3, 4, 5]]]);
  });

  it('are valid times along the lead times', async () => {
    const { time: _, ...others } = cfgrib;
    const valid_time = { dimensions: { step: 3 }, values: [4, 5, 6], attributes: TIME };
    const ensemble = await gridEnsemble(memoryFile({ ...others, valid_time }));
    expect([formatDate(ensemble.firstDay), ensemble.days]).toEqual(['2022-10-06', 3]);
    expect(await errorMessage(memoryFile(others))).toContain('dimension step has no times');
  });

  it('of several runs are those of the named one', async () => {
    const runs = (count: number) =>
      memoryFile({
        time: { dimensions: { time: count }, values: [0, 7].slice(0, count), attributes: TIME },
        lead: { dimensions: { lead: 3 }, values: [0, 1, 2], attributes: { units: 'days' } },
        t2m: counted({ time: count, lead: 3 }),
      });
    expect((await gridEnsemble(runs(1))).metadata.get('init_time')).toBe('2022-10-02T00:00:00Z');
    for (const init of ['2022-10-09', '2022-10-09T00:00:00Z', '2022-10-09T00:00']) {
      const ensemble = await gridEnsemble(runs(2), { init });
      expect(formatDate(ensemble.firstDay)).toBe('2022-10-09');
      expect(await dailyValues(ensemble, core)).toEqual([[[3, 4, 5]]]);
    }
    expect(await errorMessage(runs(2))).toBe(
      'option: test.nc, init: dimension time holds 2 runs; ' +
        'allowed: the time of one of them: 2022-10-02T00:00:00Z, 2022-10-09T00:00:00Z; or all, as one lagged ensemble',
    );
    expect(await errorMessage(runs(2), { init: '2022-10-10' })).toContain('init: no such run; received "2022-10-10"');
  });
});

describe('texts of the file', () => {
  it('state the run where no coordinate does', async () => {
    const arrays = { ...coordinates({ time: [0] }, TIME), t2m: counted({ time: 1 }) };
    const file = (texts: Record<string, string>) => memoryFile(arrays, texts);
    const own = file({ init_time: '2022-10-02T00:00:00Z' });
    expect((await gridEnsemble(own, { init: '2022-10-02' })).days).toBe(1);
    expect(await errorMessage(own, { init: '2022-10-03' })).toContain(
      'init: no such run; received "2022-10-03"; allowed: the time of its only run: 2022-10-02T00:00:00Z',
    );
    expect(await errorMessage(file({}), { init: '2022-10-02' })).toContain(
      'init: the file does not state when its run begins; received "2022-10-02"; allowed: to leave it out',
    );
  });

  it('that apply to results are kept', async () => {
    const arrays = { ...coordinates({ time: [0] }, TIME), t2m: counted({ time: 1 }) };
    const file = memoryFile(arrays, { title: 'A run', institution: 'NOAA', history: 'x', Conventions: 'CF-1.8' });
    expect([...(await gridEnsemble(file)).metadata]).toEqual([
      ['title', 'A run'],
      ['institution', 'NOAA'],
    ]);
  });
});
