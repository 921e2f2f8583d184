import { beforeAll, expect } from 'vitest';
import { variables } from '../../src/variable/index.js';
import { section, test } from './section.js';
import { AT, AT_FINE, conformanceService, FINE_KEY, type Service } from './service.js';
import { completeWindows } from './slow-statistics.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const statistics = (query = '') => service.get(`/v2/forecast/statistics?${AT}&${query}`);
const history = (query = '') => service.get(`/v2/history?${AT}&${query}`);

/** The groups that the specification names, and their variables. */
const GROUPS = {
  temperature: ['temp_mean', 'temp_min', 'temp_max'],
  precipitation: ['precipitation'],
  evapotranspiration: ['evapotranspiration'],
  humidity: ['relative_humidity', 'dew_point', 'vapor_pressure_deficit'],
  wind: ['wind_speed', 'wind_speed_max', 'wind_gust_max'],
  'solar radiation': ['solar_radiation'],
};

section('2.1 Variable', import.meta.url, {
  slug: test('`var` selects a variable by its slug; any other spelling is a 400', async () => {
    const body = await statistics('var=wind_speed');
    expect(Object.keys(body.variables)).toEqual(['wind_speed']);
    const { errors } = await service.problem(400, `/v2/forecast?${AT}&var=Wind%20speed`);
    expect(errors[0]).toMatchObject({ parameter: 'var', received: 'Wind speed' });
  }),

  known: test('history answers for temp_mean and precipitation by these slugs', async () => {
    const body = await history('var=temp_mean,precipitation');
    expect(body.meta.variables).toEqual(['temp_mean', 'precipitation']);
  }),

  groups: test('the registry has exactly six groups, of these variables; temperatures have 1 km data', async () => {
    for (const [group, slugs] of Object.entries(GROUPS)) {
      expect(variables.filter((variable) => variable.group === group).map(({ slug }) => slug)).toEqual(slugs);
    }
    expect(new Set(variables.map(({ group }) => group))).toEqual(new Set(Object.keys(GROUPS)));
    const body = await history(`var=${Object.values(GROUPS).flat()}`);
    expect(body.meta.variables).toEqual(Object.values(GROUPS).flat());
    const fine = await service.get(`/v2/forecast/statistics?${AT_FINE}&var=${GROUPS.temperature}`, FINE_KEY);
    for (const slug of GROUPS.temperature) expect(fine.variables[slug].downscaled).toBe(true);
  }),

  derived: test('three variables are derived: they have values on every day and are not stored', async () => {
    const derived = ['evapotranspiration', 'dew_point', 'vapor_pressure_deficit'];
    expect(variables.filter((variable) => variable.derived).map(({ slug }) => slug)).toEqual(derived);
    const body = await statistics(`var=${derived}`);
    for (const slug of derived) expect(Object.keys(body.variables[slug].statistics).length).toBe(215);
    expect(service.data.forecast?.timeline.variables.has('dew_point')).toBe(false);
  }),

  units: test('each variable of v2, and `meta.units` of v1, has the unit label of the registry', async () => {
    const slugs = variables.map(({ slug }) => slug).join();
    const [forecast, past] = [await statistics(`var=${slugs}`), await history(`var=${slugs}`)];
    for (const { slug, label } of variables) {
      expect([forecast.variables[slug].units, past.data[slug].units]).toEqual([label, label]);
    }
    expect(forecast.variables.temp_mean.units).toBe('°C');
    const { meta } = await service.get(`/v1/history?${AT}`);
    expect(meta.units).toMatchObject({ temp_max: '°C', precipitation: 'mm', wind_speed: 'm/s' });
  }),

  list: test('a 400 lists all slugs; subseasonal and seasonal have seven variables, all others nine', async () => {
    const known = await service.problem(400, `/v2/history?${AT}&var=none_of_them`);
    const everywhere = ['temp_mean', 'temp_min', 'temp_max', 'precipitation', 'relative_humidity', 'wind_speed'];
    const all = [...everywhere, 'wind_speed_max', 'wind_gust_max', 'solar_radiation'];
    expect(known.errors[0].allowed).toContain(variables.map(({ slug }) => slug).join(', '));
    expect((await history()).meta.variables).toEqual(all);
    expect(Object.keys((await statistics()).variables)).toEqual(all);
    const offered = async (path: string) => (await service.get(`${path}?${AT}`)).meta.variables;
    expect(await offered('/v1/history')).toEqual(all);
    expect(await offered('/v1/forecast/short-term')).toEqual(all);
    expect(await offered('/v1/forecast/subseasonal')).toEqual([...everywhere, 'solar_radiation']);
    expect(await offered('/v1/forecast/seasonal')).toEqual([...everywhere, 'solar_radiation']);
    expect(await offered('/v1/climatology')).toEqual(all);
  }),
});

const keys = async (granularity: string) =>
  Object.keys((await statistics(`var=precipitation&granularity=${granularity}`)).variables.precipitation.statistics);

const expected = (granularity: 'daily' | 'weekly' | 'monthly') => [
  ...completeWindows(granularity, '2026-03-05', '2026-10-05').keys(),
];

section('2.2 Period keys', import.meta.url, {
  daily: test("daily statistics are keyed by YYYY-MM-DD, one for each of the timeline's 215 days", async () => {
    const found = await keys('daily');
    expect(found).toEqual(expected('daily'));
    expect([found[0], found.length]).toEqual(['2026-03-05', 215]);
  }),

  weekly: test('weekly statistics are keyed by ISO week, only weeks with all days from Monday to Sunday', async () => {
    const found = await keys('weekly');
    expect(found).toEqual(expected('weekly'));
    expect([found[0], found.at(-1)]).toEqual(['2026-W11', '2026-W40']);
  }),

  monthly: test('monthly statistics are keyed by YYYY-MM, only months with all their days', async () => {
    expect(await keys('monthly')).toEqual(expected('monthly'));
    expect(await keys('monthly')).toEqual(['2026-04', '2026-05', '2026-06', '2026-07', '2026-08', '2026-09']);
  }),
});

section('2.3 Current history response (/v2/history)', import.meta.url, {
  'meta.variables': test('meta.variables lists the returned variables in the requested order', async () => {
    const { meta, data } = await history('var=precipitation&var=temp_min');
    expect(meta.variables).toEqual(['precipitation', 'temp_min']);
    expect(Object.keys(data)).toEqual(meta.variables);
  }),

  'meta.granularity': test('meta.granularity is the requested granularity, daily by default', async () => {
    expect((await history('var=precipitation')).meta.granularity).toBe('daily');
    for (const granularity of ['daily', 'weekly', 'monthly']) {
      expect((await history(`var=precipitation&granularity=${granularity}`)).meta.granularity).toBe(granularity);
    }
  }),

  'meta.location.latitude': test('the latitude is that of the grid point used', async () => {
    expect((await history('var=precipitation')).meta.location.latitude).toBe(37.25);
  }),

  'meta.location.longitude': test('the longitude is that of the grid point used', async () => {
    expect((await history('var=precipitation')).meta.location.longitude).toBe(-80);
  }),

  data: test('data has one object for each requested variable', async () => {
    const { data } = await history('var=wind_speed,solar_radiation');
    expect(Object.keys(data)).toEqual(['wind_speed', 'solar_radiation']);
    for (const entry of Object.values(data)) expect(entry).toEqual(expect.objectContaining({ downscaled: false }));
  }),

  units: test('units is the unit label', async () => {
    expect((await history('var=solar_radiation')).data.solar_radiation.units).toBe('MJ/m²/d');
  }),

  downscaled: test('downscaled is true only for a downscalable variable requested with a 1 km key', async () => {
    const path = `/v2/history?${AT_FINE}&var=temp_mean,precipitation`;
    const flags = ({ data }: { data: Record<string, { downscaled: boolean }> }) =>
      Object.values(data).map(({ downscaled }) => downscaled);
    expect(flags(await service.get(path))).toEqual([false, false]);
    expect(flags(await service.get(path, FINE_KEY))).toEqual([true, false]);
  }),

  values: test('values maps each date to the observed number, rounded to two decimals', async () => {
    const { data } = await history('var=precipitation&start_date=2026-01-01&end_date=2026-01-03');
    const { first, members } = service.observed('reanalysis', 'precipitation');
    const day = (Date.parse('2026-01-01') - Date.parse(first)) / 86_400_000;
    const [a, b, c] = members[0].slice(day, day + 3).map((value) => Number(value.toFixed(2)));
    expect(data.precipitation.values).toEqual({ '2026-01-01': a, '2026-01-02': b, '2026-01-03': c });
  }),
});

section('2.6 Stored location', import.meta.url, {
  path: test('each legacy endpoint answers for a stored location as for its coordinates', async () => {
    for (const path of ['forecast/short-term', 'forecast/subseasonal', 'forecast/seasonal', 'history', 'climatology']) {
      const [stored, direct] = [
        await service.get(`/v1/${path}/location/field?var=precipitation`),
        await service.get(`/v1/${path}?${AT}&var=precipitation`),
      ];
      expect([stored.data, stored.meta.location_id]).toEqual([direct.data, 'field']);
    }
  }),

  fields: test("a stored location's id is in the answer's metadata; an id of other characters is a 404", async () => {
    // Decided: an id, coordinates and, unless it is public, an owner; `addLocation` or `memoryLocations` makes it.
    const { meta } = await service.get('/v1/history/location/field?var=precipitation');
    expect(meta).toMatchObject({ location: { latitude: 37.25, longitude: -80 }, location_id: 'field' });
    for (const id of ['', 'a%20b', 'x'.repeat(65), 'caf%C3%A9']) {
      await service.problem(404, `/v1/history/location/${id}`);
    }
  }),
});
