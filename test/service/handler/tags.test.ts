import { describe, expect, it } from 'vitest';
import { createEndpoints } from '../../../src/service/endpoints/all-endpoints.js';
import { dataset, FINE_KEY, fakeService, snapshot } from './fake-service.js';

/** Two values of each parameter, with different answers. */
const VALUES: Readonly<Record<string, readonly [string, string]>> = {
  lat: ['37.3', '37.31'],
  lon: ['-79.84', '-79.85'],
  points: ['37.3,-79.84', '37.3,-79.84;37.3,-79.84'],
  var: ['temp_mean', 'temp_mean,precipitation'],
  start_date: ['2026-03-02', '2026-03-03'],
  end_date: ['2026-03-20', '2026-03-21'],
  use_downscaling: ['true', 'false'],
  statistics: ['0.5', '0.9'],
  granularity: ['daily', 'weekly'],
  threshold: ['temp_mean>20 or temp_mean<1', 'temp_mean>20 or temp_mean<=1'],
  terciles: ['false', 'true'],
  skill: ['false', 'true'],
  horizons: ['false', 'true'],
  members: ['blended', 'all'],
};

/** Kept answers and those of clients are found by their tags: each parameter must be part of it. */
describe('the entity tag of an answer', () => {
  const { ask } = fakeService();
  const cases = createEndpoints().flatMap(({ path, parameters }) => {
    const names = parameters.map(({ name }) => name);
    // The short-term forecast is daily only.
    const varied = names.filter((name) => name !== 'granularity' || !path.includes('short-term'));
    return varied.map((name) => ({ path: path.replace('{id}', 'everybodys'), names, name }));
  });

  it.each(cases)('of $path is another one where $name differs', async ({ path, names, name }) => {
    // Several points are in place of one, and some paths are of these alone.
    const isOfPoints = name === 'points' || !names.includes('lat');
    const isSent = (each: string) => (isOfPoints ? each !== 'lat' && each !== 'lon' : each !== 'points');
    const given = Object.fromEntries(names.filter(isSent).map((each) => [each, VALUES[each]?.[0]]));
    const tagOf = async (values: Readonly<Record<string, string | undefined>>) => {
      const query = new URLSearchParams(Object.entries(values).map(([key, value]) => [key, `${value}`]));
      const response = await ask(`${path}?${query}`, { 'x-api-key': FINE_KEY });
      expect([response.status, await response.clone().text()]).toEqual([200, expect.any(String)]);
      return response.headers.get('etag');
    };
    // The seasonal forecast is daily or monthly.
    const other = name === 'granularity' && /\/seasonal/.test(path) ? 'monthly' : VALUES[name][1];
    expect(await tagOf({ ...given, [name]: other })).not.toBe(await tagOf(given));
  });

  it('of several points depends on their number and order, and is not that of one', async () => {
    const tagOf = async (query: string) => (await ask(`/v2/forecast?${query}`)).headers.get('etag');
    const queries = [
      'lat=1&lon=2',
      'points=1,2',
      'points=1,2;1,2',
      'points=1,2;3,4',
      'points=3,4;1,2',
      'points=1,2;3,4;1,2',
      'points=1,2;3,40',
    ];
    const tags = await Promise.all(queries.map(tagOf));
    expect(new Set(tags).size).toBe(queries.length);
  });

  it('of shares of terciles changes with the history, that of other statistics does not', async () => {
    let history = 'history-1';
    const source = { snapshot: () => snapshot({ history: { data: dataset(history), isPreloaded: () => true } }) };
    const { ask: askNow } = fakeService({ source, responseCacheBytes: 1e6 });
    const tagOf = async (query: string) => {
      // The third time an answer was kept.
      for (let time = 0; time < 2; time++) await askNow(`/v2/forecast/statistics?lat=1&lon=2${query}`);
      return (await askNow(`/v2/forecast/statistics?lat=1&lon=2${query}`)).headers.get('etag');
    };
    const before = [await tagOf(''), await tagOf('&terciles=false'), await tagOf('&terciles=true')];
    expect([before[1] === before[0], before[2] === before[0]]).toEqual([true, false]);
    history = 'history-2';
    expect([await tagOf(''), await tagOf('&terciles=false')]).toEqual([before[0], before[0]]);
    expect(await tagOf('&terciles=true')).not.toBe(before[2]);
  });
});
