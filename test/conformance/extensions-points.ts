import { tableFromIPC } from 'apache-arrow';
import { beforeAll, expect } from 'vitest';
import { section, test } from './section.js';
import { type Body, conformanceService, type Service } from './service.js';
import { globeService } from './tiny-service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const PATHS = {
  '/v2/forecast': 'var=temp_mean&end_date=2026-03-20',
  '/v2/forecast/statistics': 'var=temp_mean,precipitation&granularity=weekly&threshold=precipitation>20&terciles=true',
  '/v2/history': 'var=temp_mean,dew_point&granularity=monthly',
};

/** Near the three places of the service, and off its grid. */
const POINTS = ['37.3,-80.05', '37.51,-80', '37.25,-79.7'];
const OFF = '10,10';

const single = (point: string) => `lat=${point.split(',')[0]}&lon=${point.split(',')[1]}`;
const textOf = async (path: string, accept = 'application/json') => {
  const response = await service.request(path, { Accept: accept });
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};

section('Extension: several points', import.meta.url, {
  points: test('the bodies of three points, of each path, are those of three requests', async () => {
    for (const [path, query] of Object.entries(PATHS)) {
      const alone = await Promise.all(POINTS.map((point) => textOf(`${path}?${single(point)}&${query}`)));
      expect(await textOf(`${path}?points=${POINTS.join(';')}&${query}`)).toBe(`{"points":[${alone.join()}]}`);
      expect(await textOf(`${path}?points=${POINTS[1]}&${query}`)).toBe(`{"points":[${alone[1]}]}`);
    }
  }),

  paths:
    test('paths for several points answer as those that have the parameter: bodies, tags, problems, methods', async () => {
      for (const [path, query] of Object.entries(PATHS)) {
        const queries = [POINTS.join(';'), POINTS[0], `${POINTS[0]};${OFF}`, `${OFF};${OFF}`, '1,2;', ''];
        for (const points of queries) {
          for (const accept of ['application/json', 'text/csv', 'application/vnd.apache.arrow.stream', 'text/plain']) {
            const answers = [path, `${path}/points`].map(async (each) => {
              const response = await service.request(`${each}?points=${points}&${query}`, { Accept: accept });
              // Problems have the path of the request, of another length.
              const isVaried = (name: string) => name === 'content-length' && response.status !== 200;
              const headers = [...response.headers].filter(([name]) => name !== 'x-request-id' && !isVaried(name));
              const text = (await response.text()).replaceAll(`"instance":"${each}"`, '');
              return { status: response.status, headers, text };
            });
            const [expected, received] = await Promise.all(answers);
            expect(received).toEqual(expected);
          }
        }
        const { errors } = await service.problem(400, `${path}/points?${single(POINTS[0])}&${query}`);
        expect(errors).toMatchObject([
          { parameter: 'points', detail: 'is missing' },
          ...['lat', 'lon'].map((parameter) => ({
            parameter,
            detail: `is not for several points; ${path} takes it`,
            allowed: expect.stringMatching(/^points, var, /),
          })),
        ]);
      }
    }),

  limit:
    test('100 points are answered in their order, 101 are a 400, and a point given twice has two answers', async () => {
      const places = Array.from({ length: 40 }, (_, i) => [i, 2 * i] as const);
      const { get, problem } = globeService(places);
      const order = Array.from({ length: 100 }, (_, i) => (7 * i) % 40);
      const path = (list: readonly number[]) =>
        `/v2/forecast?points=${list.map((place) => places[place].join()).join(';')}`;
      const { points } = await get(path(order));
      expect(points.map((one: Body) => one.variables.temp_mean.members['2026-03-05'][0])).toEqual(order);
      const { errors } = await problem(400, path([...order, 1]));
      expect(errors).toMatchObject([{ parameter: 'points', detail: 'has 101 points' }]);
      const twice = await get(path([3, 3]));
      expect(twice.points[0]).toEqual(twice.points[1]);
    }),

  problems: test('of three points the second is off the grid: it has a 404, the others their bodies', async () => {
    for (const [path, query] of Object.entries(PATHS)) {
      const { points } = await service.get(`${path}?points=${POINTS[0]};${OFF};${POINTS[2]}&${query}`);
      expect(points[0]).toEqual(await service.get(`${path}?${single(POINTS[0])}&${query}`));
      const { instance, ...problem } = await service.problem(404, `${path}?${single(OFF)}&${query}`);
      expect([instance, points[1]]).toEqual([path, problem]);
      expect(points[2]).toEqual(await service.get(`${path}?${single(POINTS[2])}&${query}`));
    }
    // The elevation is known at the first place only.
    const { points } = await service.get(`/v2/history?points=${POINTS.join(';')}&var=evapotranspiration`);
    expect(points.map((one: Body) => one.code)).toEqual([undefined, 'bad-parameters', 'bad-parameters']);
    expect(points[1].errors).toMatchObject([{ parameter: 'var', received: 'evapotranspiration' }]);
    const { points: none } = await service.get(`/v2/forecast?points=${OFF};${OFF}`);
    expect(none.map((one: Body) => one.status)).toEqual([404, 404]);
  }),

  common:
    test('a variable that the data do not have is a 400, and no history a 503, of the whole response', async () => {
      const { problem } = globeService([[0, 0]]);
      const { errors } = await problem(400, '/v2/forecast?points=0,0;0,1&var=precipitation');
      expect(errors).toMatchObject([{ parameter: 'var', received: 'precipitation' }]);
      expect(await problem(503, '/v2/history?points=0,0;0,1')).toMatchObject({ code: 'history-unavailable' });
    }),

  faults:
    test('empty items and wrong points are faults with their positions; lat and lon are faults, too', async () => {
      const details = async (query: string) =>
        (await service.problem(400, `/v2/forecast?${query}`)).errors.map(({ parameter, detail }: Body) => [
          parameter,
          detail,
        ]);
      expect(await details('points=1,2;;3,4;')).toEqual([
        ['points', 'has an empty item at position 2'],
        ['points', 'has an empty item at position 4'],
      ]);
      expect(await details('points=91,2;3')).toEqual([
        ['points', 'has a latitude that is outside -90 to 90 at position 1'],
        ['points', 'has no pair of coordinates at position 2'],
      ]);
      expect(await details(`points=1,2&lat=1`)).toEqual([['lat', 'is given together with points']]);
      expect(await details('var=temp_mean')).toEqual([
        ['lat', 'is missing'],
        ['lon', 'is missing'],
      ]);
    }),

  tables: test('CSV and Arrow have the rows of each point with its coordinates, none of one off the grid', async () => {
    for (const [path, query] of Object.entries(PATHS)) {
      const several = `${path}?points=${POINTS[1]};${OFF};${POINTS[0]}&${query}`;
      const [header, ...rows] = (await textOf(several, 'text/csv')).trimEnd().split('\n');
      expect(header).toMatch(/^variable,units,latitude,longitude,requested_latitude,requested_longitude,/);
      const expected = [POINTS[1], POINTS[0]].map(async (point) => {
        const [, ...alone] = (await textOf(`${path}?${single(point)}&${query}`, 'text/csv')).trimEnd().split('\n');
        return alone.map((row) => row.split(',').toSpliced(4, 0, point).join());
      });
      expect(rows).toEqual((await Promise.all(expected)).flat());
      const response = await service.request(several, { Accept: 'application/vnd.apache.arrow.stream' });
      const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
      expect(table.schema.fields.map(({ name }) => name)).toEqual(header.split(','));
      expect([...(table.getChild('requested_latitude') ?? [])]).toEqual(rows.map((row) => Number(row.split(',')[4])));
      for (const accept of ['text/csv', 'application/vnd.apache.arrow.stream']) {
        const { code } = await service.problem(404, `${path}?points=${OFF};${OFF}&${query}`, { Accept: accept });
        expect(code).toBe('location-not-covered');
      }
    }
  }),

  long: test('a body of 30 years at two points has no length, and is that of two requests', async () => {
    const query = 'var=temp_mean&start_date=1996-01-01&end_date=2025-12-31';
    const path = `/v2/history?points=${POINTS[0]};${OFF};${POINTS[1]}&${query}`;
    const response = await service.request(path);
    expect(response.headers.get('content-length')).toBeNull();
    const { points } = await response.json();
    expect(points[0]).toEqual(await service.get(`/v2/history?${single(POINTS[0])}&${query}`));
    expect(points[1].code).toBe('location-not-covered');
    expect(points[2]).toEqual(await service.get(`/v2/history?${single(POINTS[1])}&${query}`));
    const csv = await service.request(path, { Accept: 'text/csv' });
    expect([csv.headers.get('content-length'), (await csv.text()).trimEnd().split('\n').length]).toEqual([
      null,
      21_917,
    ]);
  }),
});
