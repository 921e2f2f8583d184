import { describe, expect, it } from 'vitest';
import { formatDate } from '../../../src/period/day.js';
import { type ZarrArchive, type ZarrSourceOptions, zarrSource } from '../../../src/service/archive/index.js';
import type { Dataset } from '../../../src/service/source/index.js';
import { type FixtureArray, type FixtureArrays, zarrFixture } from '../../files/zarr/zarr-fixture.js';
import { INIT, memoryPart, partArrays } from './weather-archive.js';

const store = (arrays: FixtureArrays) => zarrFixture(3, arrays);
const open = async (archive: ZarrArchive, options?: ZarrSourceOptions) =>
  (await zarrSource(archive, options)).snapshot();
const refusal = (archive: ZarrArchive, options?: ZarrSourceOptions) =>
  open(archive, options).catch((error: unknown) => error);

async function valuesAt(dataset: Dataset, slug: string, cell: number): Promise<number[]> {
  const { days, members } = dataset.variables.get(slug) ?? { days: 0, members: 0 };
  const values = new Float32Array(days * members);
  await dataset.read(slug, cell, values);
  return [...values];
}

/** Runs of two members, each day of lead `10 * run + lead`, plus 100 for the second member. */
function severalRuns(runs: readonly number[]): FixtureArrays {
  const values = runs.flatMap((_, run) =>
    [0, 100].flatMap((member) => [0, 1, 2, 3].map((lead) => member + 10 * run + lead)),
  );
  const single = (name: string, value: number, units: string): FixtureArray => ({
    ...{ type: 'float64', dimensions: [name], shape: [1], chunk: [1], values: [value], attributes: { units } },
  });
  const of = (name: string, numbers: readonly number[], units?: string): FixtureArray => ({
    ...{ type: 'int64', dimensions: [name], shape: [numbers.length], chunk: [numbers.length], values: numbers },
    attributes: units === undefined ? {} : { units },
  });
  return {
    init_time: of('init_time', runs, 'hours since 1970-01-01'),
    lead_time: of('lead_time', [0, 86_400, 172_800, 259_200], 'seconds'),
    ensemble_member: of('ensemble_member', [0, 1]),
    latitude: single('latitude', 37, 'degrees_north'),
    longitude: single('longitude', -79, 'degrees_east'),
    temperature_2m: {
      ...{ type: 'float32', shape: [runs.length, 2, 4, 1, 1], chunk: [1, 2, 4, 1, 1], values },
      dimensions: ['init_time', 'ensemble_member', 'lead_time', 'latitude', 'longitude'],
      attributes: { standard_name: 'air_temperature', units: 'degree_Celsius' },
    },
  };
}

describe('a store with several runs', () => {
  const hours = (day: number, hour: number) => 24 * day + hour;

  it('gives the latest run, or the named one', async () => {
    const arrays = await store(severalRuns([hours(INIT, 0), hours(INIT + 1, 0)]));
    const latest = await open({ forecast: { 'short-term': arrays } });
    expect(latest.forecast?.initTime).toBe(`${formatDate(INIT + 1)}T00:00:00Z`);
    const data = latest.forecast?.horizons['short-term']?.data as Dataset;
    expect(await valuesAt(data, 'temp_mean', 0)).toEqual([10, 11, 12, 13, 110, 111, 112, 113]);
    const first = { store: arrays, init: formatDate(INIT) };
    const named = await open({ forecast: { 'short-term': first } });
    expect(named.forecast?.initTime).toBe(`${formatDate(INIT)}T00:00:00Z`);
    expect(named.forecast?.generation).not.toBe(latest.forecast?.generation);
    await expect(open({ forecast: { 'short-term': { store: arrays, init: 'all' } } })).rejects.toThrow(
      'short-term.init: cannot be used; received "all"; allowed: the time of one run, which a service reads',
    );
  });

  it('counts days from the first that a run covers completely', async () => {
    const arrays = await store(severalRuns([hours(INIT, 12)]));
    const { forecast } = await open({ forecast: { 'short-term': arrays } });
    expect(forecast?.initTime).toBe(`${formatDate(INIT)}T12:00:00Z`);
    expect(forecast?.timeline.variables.get('temp_mean')?.firstDay).toBe(INIT + 1);
  });
});

describe('a part of an archive', () => {
  it('has the arrays of known variables, others are left out', async () => {
    const arrays = partArrays('history');
    const { t2m } = arrays;
    const odd = { ...t2m, attributes: { units: 'furlongs' } };
    const { history } = await open({ history: await store({ ...arrays, oddity: odd }) });
    expect([...(history?.data.variables.keys() ?? [])]).toEqual(['temp_mean', 'precipitation']);
    expect(history?.isPreloaded(37, -79.75)).toBe(true);
    expect(history?.isPreloaded(10, -79.75)).toBe(false);
  });

  it('uses the array that it names for a variable', async () => {
    const { t2m, ...arrays } = partArrays('history');
    const odd: FixtureArray = { ...t2m, attributes: { units: 'K' } };
    const history = { store: await store({ ...arrays, oddity: odd, t2m }), arrays: { temp_mean: 'oddity' } };
    const snapshot = await open({ history });
    const data = snapshot.history?.data as Dataset;
    expect(await valuesAt(data, 'temp_mean', 3)).toEqual(await valuesAt(memoryPart('history'), 'temp_mean', 3));
  });

  it('is an error, with the remedy, where two arrays hold a variable', async () => {
    const { t2m, ...arrays } = partArrays('history');
    expect(await refusal({ history: await store({ ...arrays, t2m, tas: t2m }) })).toMatchObject({
      ...{ tag: 'data', received: 't2m, tas' },
      message: expect.stringContaining("arrays: { temp_mean: 't2m' }"),
    });
  });

  it('is an error where it has no variable, names a missing array, or has other units', async () => {
    const { t2m, precipitation: _, ...coordinates } = partArrays('history');
    const rejected = (arrays: FixtureArrays, more = {}) =>
      store({ ...coordinates, ...arrays }).then((fixture) => refusal({ history: { store: fixture, ...more } }));
    expect(await rejected({})).toMatchObject({ tag: 'data', problem: 'has no variable of the history' });
    expect(await rejected({ t2m }, { arrays: { temp_mean: 'tas' } })).toMatchObject({ tag: 'data', received: 'tas' });
    expect(await rejected({ t2m }, { group: 'daily' })).toMatchObject({ tag: 'file', problem: 'has no group daily' });
    const inMetres = { ...t2m, attributes: { ...t2m.attributes, units: 'm' } };
    expect(await rejected({ t2m: inMetres })).toMatchObject({ tag: 'data', received: 'm' });
  });

  it('is an error as a history where it has members', async () => {
    const history = await store(partArrays('short-term'));
    expect(await refusal({ history })).toMatchObject({ tag: 'data', received: '5 members', allowed: '1' });
  });

  it('is an error where variables have different cells', async () => {
    const arrays = partArrays('history');
    const { latitude, precipitation } = arrays;
    const lat2 = { ...latitude, dimensions: ['lat2'], values: [50, 51] };
    const dimensions = ['time', 'lat2', 'longitude'];
    const other = { ...arrays, lat2, precipitation: { ...precipitation, dimensions } };
    expect(await refusal({ history: await store(other) })).toMatchObject({ tag: 'data', problem: 'other cells' });
  });
});

describe('an archive', () => {
  it('that names no store, or unknown parts, is an OptionError', async () => {
    expect(await refusal({})).toMatchObject({ tag: 'option' });
    expect(await refusal({ reanalysis: 'https://server' } as never)).toMatchObject({ tag: 'option' });
    const history = await store(partArrays('history'));
    expect(await refusal({ forecast: { monthly: history } as never })).toMatchObject({ tag: 'option' });
    expect(await refusal({ history }, { refreshSeconds: -1 })).toMatchObject({ tag: 'option' });
    expect(await refusal({ history }, { cacheBytes: 0 })).toMatchObject({ tag: 'option' });
  });

  it('in one store without a group named after a part is a FileError', async () => {
    const fixture = await store(partArrays('history'));
    await expect(zarrSource(fixture)).rejects.toMatchObject({ tag: 'file', subject: 'archive' });
  });

  it('joins horizons by a variable that all have', async () => {
    const [{ t2m: _, ...wet }, dry] = [partArrays('short-term'), partArrays('seasonal')];
    const forecast = { 'short-term': await store(wet), seasonal: await store(dry) };
    const snapshot = await open({ forecast });
    expect((await valuesAt(snapshot.forecast?.timeline as Dataset, 'precipitation', 0)).some(Number.isNaN)).toBe(false);
  });

  it('passes on elevations, climatologies, the version and whom to credit', async () => {
    const elevation = () => 512;
    const climatology = () => undefined;
    const forecast = { seasonal: await store(partArrays('seasonal')) };
    const options = { version: 'model-7', attribution: 'Made up' };
    const snapshot = await open({ forecast, elevation, climatology }, options);
    expect(snapshot).toMatchObject({
      elevation,
      climatology,
      attribution: 'Made up',
      forecast: { version: 'model-7' },
    });
  });
});
