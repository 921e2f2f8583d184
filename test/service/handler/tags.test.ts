import { describe, expect, it } from 'vitest';
import { createEndpoints } from '../../../src/service/endpoints/all-endpoints.js';
import { FINE_KEY, fakeService } from './fake-service.js';

/** Two values of each parameter, with different answers. */
const VALUES: Readonly<Record<string, readonly [string, string]>> = {
  lat: ['37.3', '37.31'],
  lon: ['-79.84', '-79.85'],
  var: ['temp_mean', 'precipitation'],
  start_date: ['2026-03-02', '2026-03-03'],
  end_date: ['2026-03-20', '2026-03-21'],
  use_downscaling: ['true', 'false'],
  statistics: ['0.5', '0.9'],
  granularity: ['daily', 'weekly'],
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
    const given = Object.fromEntries(names.map((each) => [each, VALUES[each]?.[0]]));
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
});
