import { describe, expect, it } from 'vitest';
import { conditionText } from '../../../src/condition/condition-text.js';
import { parseDate } from '../../../src/period/day.js';
import type { RequestedCondition } from '../../../src/service/point/condition-shares.js';
import { defineVariable } from '../../../src/variable/define-variable.js';
import { FINE_KEY, fakeService, problemOf } from './fake-service.js';

const POINT = 'lat=37.3&lon=-79.84';
const STATISTICS = '/v2/forecast/statistics';

/** The faults of a query on an endpoint, without the point unless it is part of it. */
async function faultsOf(query: string, path = STATISTICS) {
  const { ask, calls } = fakeService();
  const response = await ask(`${path}?${query}`);
  expect(response.status).toBe(400);
  const { code, contentType, errors = [] } = await problemOf(response);
  expect([code, contentType]).toEqual(['bad-parameters', 'application/problem+json']);
  expect(calls).toEqual([]);
  for (const { allowed } of errors) expect(allowed).not.toBe('');
  return errors;
}

/** The queries that an accepted one becomes: one for each point. */
async function queriesOf(query: string, path = STATISTICS) {
  const { ask, calls } = fakeService();
  expect((await ask(`${path}?${query}`)).status).toBe(200);
  return calls.map((call) => call.query);
}

/** What an accepted query becomes. */
async function queryOf(query: string, path = STATISTICS, headers: Record<string, string> = {}) {
  const { ask, calls } = fakeService();
  const response = await ask(`${path}?${query}`, headers);
  expect(response.status).toBe(200);
  return calls[0].query;
}

/** Texts that are no value of any parameter but a wrong one. */
const TRICKS = [
  "1'%20OR%20'1'='1",
  '1;DROP%20TABLE%20runs',
  '..%2F..%2Fetc%2Fpasswd',
  '%00',
  '%0d%0aX-Api-Key:%20x',
  '%E2%80%AE',
  '%F0%9F%92%A7',
  'null',
  'undefined',
  '[object%20Object]',
  '%3Cscript%3E',
  '$%7B7*7%7D',
  'x'.repeat(5000),
];

describe('lat and lon', () => {
  it.each([
    ['37.30', 37.3],
    ['-0', 0],
    ['0', 0],
    ['90', 90],
    ['-90', -90],
    ['.5', 0.5],
    ['5.', 5],
    ['%2B5', 5],
    ['007', 7],
  ])('lat=%s is %d', async (text, latitude) => {
    expect((await queryOf(`lat=${text}&lon=1`)).point).toStrictEqual({ latitude, longitude: 1 });
  });

  it('both ends of the longitudes are allowed', async () => {
    expect((await queryOf('lat=0&lon=180')).point.longitude).toBe(180);
    expect((await queryOf('lat=0&lon=-180.0')).point.longitude).toBe(-180);
  });

  it.each([
    ['1e-7', 1e-7],
    ['2.2E-16', 2.2e-16],
    ['-4.9e-324', -4.9e-324],
    ['3.7e1', 37],
    ['3.7e%2B1', 37],
    ['3.7e+1', 37],
    ['+37.3', 37.3],
    ['%2B37.3', 37.3],
    ['-.5', -0.5],
    ['5.', 5],
    [`0.${'0'.repeat(1073)}5`, 0],
  ])('%s is the number that it is, with an exponent or a sign as clients write them', async (text, degrees) => {
    expect((await queryOf(`lat=${text}&lon=${text}`)).point).toEqual({ latitude: degrees, longitude: degrees });
  });

  const bad = [
    'NaN',
    'Infinity',
    '-Infinity',
    '1e400',
    '1e',
    'e1',
    '1e1.5',
    '0x10',
    '5%20',
    '+ 5',
    '%2B%2B5',
    '1,5',
    '١',
    '.',
    '-',
    '--5',
    ...TRICKS,
  ];
  it.each(bad)('%s is rejected for both', async (text) => {
    const faults = await faultsOf(`lat=${text}&lon=${text}`);
    expect(faults.map(({ parameter }) => parameter)).toEqual(['lat', 'lon']);
  });

  it('out of range is rejected, however far', async () => {
    for (const lat of ['90.0001', '-91', '9'.repeat(31)]) {
      expect(await faultsOf(`lat=${lat}&lon=0`)).toMatchObject([{ parameter: 'lat', detail: 'is outside -90 to 90' }]);
    }
    expect(await faultsOf('lat=0&lon=180.1')).toMatchObject([
      { parameter: 'lon', allowed: expect.stringContaining('180') },
    ]);
  });

  it('missing: a fault for each, without a received value', async () => {
    const allowed = expect.stringContaining('a number from');
    expect(await faultsOf('')).toEqual([
      { parameter: 'lat', detail: 'is missing', allowed },
      { parameter: 'lon', detail: 'is missing', allowed },
    ]);
  });

  it.each(['/v1/forecast/short-term', '/v1/history', '/v1/climatology', '/history', '/v2/history', '/v2/forecast'])(
    '%s needs them',
    async (path) => {
      expect(await faultsOf('', path)).toHaveLength(2);
    },
  );
});

describe('var', () => {
  const slugsOf = async (query: string, path?: string) =>
    (await queryOf(`${POINT}&${query}`, path)).variables?.map(({ slug }: { slug: string }) => slug);

  it.each([
    'var=temp_mean,precipitation',
    'var=temp_mean&var=precipitation',
    'var=temp_mean,precipitation&var=temp_mean',
    'var=temp_mean%2Cprecipitation,temp_mean',
  ])('%s is both, each once, in the order requested', async (query) => {
    for (const path of [STATISTICS, '/v1/history'])
      expect(await slugsOf(query, path)).toEqual(['temp_mean', 'precipitation']);
  });

  it('omitted is undefined', async () => {
    expect(await slugsOf('')).toBeUndefined();
  });

  it('an unknown slug is a fault that names the nearest one and lists all', async () => {
    expect(await faultsOf(`${POINT}&var=temp_men,precipitation`)).toEqual([
      {
        parameter: 'var',
        detail: 'is not known, the nearest is temp_mean',
        received: 'temp_men',
        allowed: expect.stringContaining('solar_radiation'),
      },
    ]);
  });

  it('every unknown slug is a fault', async () => {
    expect(await faultsOf(`${POINT}&var=a,temp_mean&var=b`)).toMatchObject([{ received: 'a' }, { received: 'b' }]);
  });

  it.each([',', 'temp_mean,', ',temp_mean', 'a,,b'])('the empty item of %s is a fault', async (text) => {
    const faults = await faultsOf(`${POINT}&var=${text}`);
    expect(faults).toContainEqual(expect.objectContaining({ detail: 'has an empty item', received: '' }));
  });

  it.each(['TEMP_MEAN', '%20temp_mean', 'temp%20mean', '__proto__', ...TRICKS])('%s is not known', async (text) => {
    const [fault] = await faultsOf(`${POINT}&var=${text}`);
    expect(fault.parameter).toBe('var');
    expect(fault.received?.length).toBeLessThanOrEqual(100);
  });

  it('a variable of the caller is known', async () => {
    const snow = defineVariable({ slug: 'snow_depth', units: 'cm', window: 'mean' });
    const { ask, calls } = fakeService({ variables: [snow] });
    await ask(`${STATISTICS}?${POINT}&var=snow_depth`);
    expect(calls[0].query.variables).toEqual([snow]);
    expect((await problemOf(await ask(`${STATISTICS}?${POINT}&var=snow_dept`))).errors?.[0].detail).toContain(
      'snow_depth',
    );
  });
});

describe('start_date and end_date', () => {
  it('are day numbers, inclusive, and may be the same day', async () => {
    const { startDay, endDay } = await queryOf(`${POINT}&start_date=2024-02-29&end_date=2024-02-29`);
    expect([startDay, endDay]).toEqual([parseDate('2024-02-29'), parseDate('2024-02-29')]);
  });

  const bad = [
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-04-31',
    '0000-01-01',
    '2024-1-1',
    '20240101',
    '2024-01-01T00:00:00Z',
  ];
  it.each([...bad, '%202024-01-01', '-024-01-01', 'today', 'NaN', '0', '1e400', ...TRICKS])(
    '%s is rejected for both',
    async (text) => {
      for (const path of [STATISTICS, '/v2/forecast', '/v2/history']) {
        const faults = await faultsOf(`${POINT}&start_date=${text}&end_date=${text}`, path);
        expect(faults.map(({ parameter }) => parameter)).toEqual(['start_date', 'end_date']);
      }
    },
  );

  it('a start after the end is a fault', async () => {
    expect(await faultsOf(`${POINT}&start_date=2026-03-03&end_date=2026-03-02`)).toMatchObject([
      { parameter: 'start_date', detail: 'is after end_date', received: '2026-03-03' },
    ]);
  });
});

describe('statistics', () => {
  it('default is 0.05, 0.25, 0.5, 0.75, 0.95', async () => {
    expect((await queryOf(POINT)).quantiles).toEqual([0.05, 0.25, 0.5, 0.75, 0.95]);
  });

  it('keeps the order and each once', async () => {
    expect((await queryOf(`${POINT}&statistics=0.9,0.1,0.90,1,0,.025`)).quantiles).toEqual([0.9, 0.1, 1, 0, 0.025]);
  });

  it('takes 99, and no more', async () => {
    const list = (n: number) => Array.from({ length: n }, (_, i) => (i + 1) / 1000).join(',');
    expect((await queryOf(`${POINT}&statistics=${list(99)}`)).quantiles).toHaveLength(99);
    expect(await faultsOf(`${POINT}&statistics=${list(100)}`)).toMatchObject([
      { detail: 'has too many quantiles', received: '100' },
    ]);
  });

  const bad = [
    '1.1',
    '-0.1',
    '5e-1',
    '0.1234567',
    '0.5,',
    ',',
    '0.5,,0.6',
    '0.5,%200.6',
    '0.5,+0.6',
    'NaN',
    'Infinity',
    '1e400',
    '-0',
    'q50',
  ];
  it.each([...bad, ...TRICKS])('%s is rejected', async (text) => {
    const faults = await faultsOf(`${POINT}&statistics=${text}`);
    expect(faults.map(({ parameter }) => parameter)).toEqual(['statistics']);
  });
});

describe('granularity', () => {
  it.each([
    [STATISTICS, ['daily', 'weekly', 'monthly']],
    ['/v2/history', ['daily', 'weekly', 'monthly']],
    ['/v1/forecast/short-term', ['daily']],
    ['/v1/forecast/subseasonal', ['daily', 'weekly']],
    ['/v1/forecast/seasonal', ['daily', 'monthly']],
    ['/v1/climatology', ['daily', 'weekly', 'monthly']],
  ])('%s takes %j, daily where omitted', async (path, taken) => {
    expect((await queryOf(POINT, path)).granularity).toBe('daily');
    for (const granularity of ['daily', 'weekly', 'monthly']) {
      const query = `${POINT}&granularity=${granularity}`;
      if (taken.includes(granularity)) expect((await queryOf(query, path)).granularity).toBe(granularity);
      else expect(await faultsOf(query, path)).toMatchObject([{ received: granularity, allowed: taken.join(', ') }]);
    }
  });

  it.each(['Daily', 'hourly', '%20daily', 'daily,weekly', '-0', '1e400', ...TRICKS])('%s is rejected', async (text) => {
    for (const path of [STATISTICS, '/v1/climatology']) {
      const faults = await faultsOf(`${POINT}&granularity=${text}`, path);
      expect(faults.map(({ parameter }) => parameter)).toEqual(['granularity']);
    }
  });

  it('the legacy history and the raw members reject it', async () => {
    for (const path of ['/v1/history', '/history']) {
      const detail = 'is not for legacy endpoints; /v2/history takes it';
      expect(await faultsOf(`${POINT}&granularity=weekly`, path)).toMatchObject([{ parameter: 'granularity', detail }]);
    }
    expect(await faultsOf(`${POINT}&granularity=weekly`, '/v2/forecast')).toMatchObject([{ parameter: 'granularity' }]);
  });
});

describe('use_downscaling', () => {
  it.each(['true', 'TRUE', 'True', 'false', 'FALSE', 'fAlSe'])('%s is taken', async (text) => {
    const { downscaling } = await queryOf(`${POINT}&use_downscaling=${text}`, STATISTICS, { 'x-api-key': FINE_KEY });
    expect(downscaling).toBe(text.toLowerCase() === 'true');
  });

  it('default is true, and takes effect only with a key that has 1 km data', async () => {
    expect((await queryOf(POINT, STATISTICS, { 'x-api-key': FINE_KEY })).downscaling).toBe(true);
    expect((await queryOf(`${POINT}&use_downscaling=true`)).downscaling).toBe(false);
  });

  it('has no effect where no requested variable is downscalable', async () => {
    const headers = { 'x-api-key': FINE_KEY };
    expect((await queryOf(`${POINT}&var=precipitation`, STATISTICS, headers)).downscaling).toBe(false);
    expect((await queryOf(`${POINT}&var=precipitation,temp_min`, STATISTICS, headers)).downscaling).toBe(true);
  });

  it.each(['1', '0', 'yes', 'truee', '%20true', 'NaN', '-0', ...TRICKS])('%s is rejected', async (text) => {
    const faults = await faultsOf(`${POINT}&use_downscaling=${text}`);
    expect(faults.map(({ parameter }) => parameter)).toEqual(['use_downscaling']);
  });
});

describe('points', () => {
  const pointsOf = async (text: string) => (await queriesOf(`points=${text}`)).map(({ point }) => point);

  it('are answered one by one, in their order, and twice where they are given twice', async () => {
    expect(await pointsOf('37.3,-79.84')).toEqual([{ latitude: 37.3, longitude: -79.84 }]);
    expect(await pointsOf('1,2;-0,180;1,2;+.5,-1e-7')).toEqual([
      { latitude: 1, longitude: 2 },
      { latitude: 0, longitude: 180 },
      { latitude: 1, longitude: 2 },
      { latitude: 0.5, longitude: -1e-7 },
    ]);
  });

  it('may be 100, and no more', async () => {
    const list = (n: number) => Array.from({ length: n }, (_, i) => `${i / 2},${i}`).join(';');
    expect(await pointsOf(list(100))).toHaveLength(100);
    expect(await faultsOf(`points=${list(101)}`)).toMatchObject([{ parameter: 'points', detail: 'has 101 points' }]);
  });

  it('leave all other fields of the query as those of one point', async () => {
    const rest = '&var=temp_mean&granularity=weekly&statistics=0.5&threshold=temp_mean>5';
    const [several] = await queriesOf(`points=1,2;3,4${rest}`);
    const [single] = await queriesOf(`lat=1&lon=2${rest}`);
    expect({ ...several, points: undefined }).toEqual(single);
    expect(single.points).toBeUndefined();
  });

  it('replace lat and lon: both together are a fault of each that is given', async () => {
    expect(await faultsOf('points=1,2&lat=1&lon=2')).toEqual([
      { parameter: 'lat', detail: 'is given together with points', received: '1', allowed: 'lat or points' },
      { parameter: 'lon', detail: 'is given together with points', received: '2', allowed: 'lon or points' },
    ]);
    const faults = await faultsOf('points=x&lon=2');
    expect(faults.map(({ parameter }) => parameter)).toEqual(['lon', 'points']);
    expect((await faultsOf('var=temp_mean')).map(({ parameter }) => parameter)).toEqual(['lat', 'lon']);
  });

  it.each([
    ['1,2;', 'has an empty item at position 2', ''],
    [';1,2', 'has an empty item at position 1', ''],
    ['1,2;;3,4', 'has an empty item at position 2', ''],
    ['1,2;3', 'has no pair of coordinates at position 2', '3'],
    ['1,2;91,0', 'has a latitude that is outside -90 to 90 at position 2', '91,0'],
    ['1,2;0,180.5', 'has a longitude that is outside -180 to 180 at position 2', '0,180.5'],
    ['1,2,3', 'has a longitude that is not a number at position 1', '1,2,3'],
    ['1,%20%202', 'has a longitude that is not a number at position 1', '1,  2'],
    ['NaN,1', 'has a latitude that is not a number at position 1', 'NaN,1'],
    ['1|2', 'has no pair of coordinates at position 1', '1|2'],
  ])('%s is rejected by position', async (text, detail, received) => {
    expect(await faultsOf(`points=${text}`)).toMatchObject([{ parameter: 'points', detail, received }]);
  });

  it.each(TRICKS)('%s is rejected', async (text) => {
    const faults = await faultsOf(`points=${text}`);
    expect([...new Set(faults.map(({ parameter }) => parameter))]).toEqual(['points']);
  });

  it('each wrong item is a fault of its own', async () => {
    expect(await faultsOf('points=91,181;1,2;x')).toHaveLength(3);
  });

  it('are ignored by legacy endpoints, as all that they do not know', async () => {
    const { point } = await queryOf(`${POINT}&points=1,2;3,4&threshold=x&terciles=x`, '/v1/history');
    expect(point).toEqual({ latitude: 37.3, longitude: -79.84 });
  });
});

describe('threshold', () => {
  const conditionsOf = async (text: string, more = '') => {
    const { thresholds } = await queryOf(`${POINT}${more}&threshold=${encodeURIComponent(text)}`);
    return thresholds?.map(
      ({ variables, condition }: RequestedCondition) =>
        `${variables.map(({ slug }) => slug).join()}: ${conditionText(condition)}`,
    );
  };

  it('is none by default', async () => {
    expect((await queryOf(POINT)).thresholds).toBeUndefined();
  });

  it('is a list of conditions, in their order, each once', async () => {
    expect(await conditionsOf('temp_max>=30,precipitation>20,precipitation>20.0,temp_min< -5')).toEqual([
      'temp_max: temp_max>=30',
      'precipitation: precipitation>20',
      'temp_min: temp_min<-5',
    ]);
    expect(await conditionsOf('precipitation <= +.5')).toEqual(['precipitation: precipitation<=0.5']);
  });

  it('has as many as 99, and no more', async () => {
    const list = (n: number) => Array.from({ length: n }, (_, i) => `temp_mean>${i}`).join();
    expect(await conditionsOf(list(99))).toHaveLength(99);
    const [fault, ...more] = await faultsOf(`${POINT}&threshold=${list(100)}`);
    expect([fault, more]).toMatchObject([{ parameter: 'threshold', detail: 'has 100 comparisons and ranges' }, []]);
    expect(await conditionsOf(list(99).replaceAll(',', ' or '))).toHaveLength(1);
    expect((await faultsOf(`${POINT}&threshold=${list(100).replaceAll(',', ' or ')}`))[0].detail).toMatch(
      /too many parts/,
    );
    const halves = `temp_min<1,${list(98).replaceAll(',', ' or ')},temp_max>2`;
    expect((await faultsOf(`${POINT}&threshold=${halves}`))[0].detail).toBe('has 100 comparisons and ranges');
  });

  it('of a variable that var leaves out is a fault, and of a derived one that var does not name', async () => {
    expect(await faultsOf(`${POINT}&var=temp_mean&threshold=precipitation>20,temp_mean>5`)).toMatchObject([
      {
        parameter: 'threshold',
        detail: 'has a condition on a variable that var leaves out',
        received: 'precipitation>20',
        allowed: 'conditions on temp_mean; or var=temp_mean,precipitation',
      },
    ]);
    expect(await faultsOf(`${POINT}&threshold=dew_point>5`)).toMatchObject([
      { detail: 'has a condition on a variable that is derived, so that var must name it', received: 'dew_point>5' },
    ]);
    expect(await conditionsOf('dew_point>5', '&var=dew_point')).toEqual(['dew_point: dew_point>5']);
    // What var is meant to be is not known.
    const faults = await faultsOf(`${POINT}&var=temp_maen&threshold=precipitation>20`);
    expect(faults.map(({ parameter }) => parameter)).toEqual(['var']);
  });

  it.each([
    ['precipitation', 'has an item that is no condition'],
    ['precipitation=20', 'has an item that is no condition'],
    ['precipitation>', 'has an item that is no condition'],
    ['>20', 'has a condition with a comparison that names no variable'],
    ['precipitation>5 and <10', 'has a condition with a comparison that names no variable'],
    ['precipitation>5 and rain<10', 'has a condition on a variable that is not known'],
    ['precipitation>5 and (temp_mean<0', 'has an item that is no condition: expected ) at character 33'],
    ['precipitation 20..5', 'ends below its beginning at character 19'],
    ['precipitation', 'has an item that is no condition: expected a comparison of precipitation at character 14'],
    ['20<precipitation', 'has an item that is no condition'],
    ['precipitation>1e3', 'has an item that is no condition'],
    ['precipitation>>1', 'has an item that is no condition'],
    ['precipitation>NaN', 'has an item that is no condition'],
    [`precipitation>${'9'.repeat(400)}`, 'has an item that is no condition'],
    ['precipitation>20,', 'has an empty item'],
    [',', 'has an empty item'],
    ['precipitatoin>20', 'has a condition on a variable that is not known, the nearest is precipitation'],
    [`${'x'.repeat(3000)}>20`, 'has a condition on a variable that is not known'],
  ])('%s is rejected', async (text, detail) => {
    const [fault] = await faultsOf(`${POINT}&threshold=${text}`);
    expect(fault).toMatchObject({ parameter: 'threshold', detail: expect.stringContaining(detail) });
    expect(`${fault.detail}${fault.received}`.length).toBeLessThan(250);
  });

  it.each(TRICKS)('%s is rejected, too', async (text) => {
    const faults = await faultsOf(`${POINT}&threshold=${text}`);
    expect([...new Set(faults.map(({ parameter }) => parameter))]).toEqual(['threshold']);
  });
});

describe('terciles', () => {
  it('is false by default, true in any case, and anything else is rejected', async () => {
    expect((await queryOf(POINT)).terciles).toBe(false);
    expect((await queryOf(`${POINT}&terciles=TRUE`)).terciles).toBe(true);
    for (const text of ['1', 'yes', 'below', ...TRICKS]) {
      expect(await faultsOf(`${POINT}&terciles=${text}`)).toMatchObject([{ parameter: 'terciles' }]);
    }
  });

  it('leaves out 1 km data, as the history that forecasts are compared with is coarse', async () => {
    const { downscaling } = await queryOf(`${POINT}&terciles=true`, STATISTICS, { 'x-api-key': FINE_KEY });
    expect(downscaling).toBe(false);
  });
});

describe('any parameter', () => {
  const all = [
    ...['lat', 'lon', 'var', 'start_date', 'end_date', 'use_downscaling', 'statistics', 'granularity', 'threshold'],
    ...['terciles', 'skill'],
  ];
  const good = `${POINT}&start_date=2026-03-02&end_date=2026-03-02&use_downscaling=true&statistics=0.5&granularity=daily&threshold=temp_mean>5&terciles=false&skill=false`;

  it.each(all)('%s: an empty value is a fault, with an equals sign or without', async (name) => {
    const rest = good
      .split('&')
      .filter((pair) => !pair.startsWith(`${name}=`))
      .join('&');
    for (const pair of [name, `${name}=`]) {
      expect(await faultsOf(`${rest}&${pair}`)).toMatchObject([{ parameter: name, detail: 'is empty', received: '' }]);
    }
  });

  it.each(all.filter((name) => name !== 'var'))(
    '%s: given twice is a fault, also with the same value',
    async (name) => {
      const pair = good.split('&').find((text) => text.startsWith(`${name}=`));
      expect(await faultsOf(`${good}&${pair}`)).toMatchObject([{ parameter: name, detail: 'is given 2 times' }]);
    },
  );

  it.each(all)('%s: broken percent-encoding and bytes that are no UTF-8 are faults', async (name) => {
    const rest = good
      .split('&')
      .filter((pair) => !pair.startsWith(`${name}=`))
      .join('&');
    for (const text of ['%', '%z1', '1%2', '%ff', '%c0%80', '%ed%a0%80', '%E2%82']) {
      expect(await faultsOf(`${rest}&${name}=${text}`)).toMatchObject([
        { parameter: name, detail: 'is not percent-encoded UTF-8', received: text },
      ]);
    }
  });

  it('a name may be percent-encoded', async () => {
    expect((await queryOf('l%61t=1&lon=2')).point).toEqual({ latitude: 1, longitude: 2 });
  });

  it('a long value is shortened', async () => {
    const [fault] = await faultsOf(`lon=0&lat=${'5'.repeat(3000)}`);
    expect(fault.detail).toBe('is longer than 1100 characters');
    expect(fault.received).toBe(`${'5'.repeat(97)}...`);
  });

  it('a long value is not cut within a character', async () => {
    const [fault] = await faultsOf(`lon=0&lat=${'5'.repeat(96)}${'%F0%9F%92%A7'.repeat(9)}`);
    expect(fault.received).toBe(`${'5'.repeat(96)}...`);
  });

  it('all faults of a request are reported at once', async () => {
    const faults = await faultsOf(
      'lat=91&var=x&start_date=never&statistics=2&granularity=hourly&use_downscaling=1&frm=csv',
    );
    expect(faults.map(({ parameter }) => parameter)).toEqual([
      'lat',
      'lon',
      'var',
      'start_date',
      'use_downscaling',
      'statistics',
      'granularity',
      'frm',
    ]);
  });

  it('empty pairs and a fragment do not matter', async () => {
    expect((await queryOf('&&lat=1&&lon=2&#lat=3')).point).toEqual({ latitude: 1, longitude: 2 });
  });

  it('a query of more than 16,384 characters is not read', async () => {
    const { ask } = fakeService();
    const response = await ask(`${STATISTICS}?${POINT}&x=${'x'.repeat(16_384)}`);
    expect(response.status).toBe(414);
    expect(await problemOf(response)).toMatchObject({ code: 'query-too-long' });
  });
});

describe('unknown parameters', () => {
  it('current endpoints reject them with the nearest name, and do not repeat their values', async () => {
    expect(await faultsOf(`${POINT}&vars=a&api_key=secret&Lat=3`)).toEqual([
      expect.objectContaining({ parameter: 'vars', detail: 'is not known, the nearest is var', received: 'vars' }),
      expect.objectContaining({ parameter: 'api_key', detail: 'is not known', received: 'api_key' }),
      expect.objectContaining({ parameter: 'Lat', detail: 'is not known, the nearest is lat' }),
    ]);
  });

  it.each(['', '__proto__', 'constructor', '%ff', '%00', 'x'.repeat(5000)])(
    'a name such as %j is rejected',
    async (name) => {
      expect(await faultsOf(`${POINT}&${name}=1`)).toHaveLength(1);
    },
  );

  it.each(['/v1/forecast/seasonal', '/history', '/v1/climatology', '/v1/history/location/everybodys'])(
    '%s ignores them, whatever they are',
    async (path) => {
      await queryOf(`${POINT}&format=json&format=%ff&__proto__=1&=&%zz`, path);
    },
  );

  it.each([
    ['/v1/forecast/seasonal', 'start_date', '/v2/forecast or /v2/forecast/statistics takes it'],
    ['/v1/forecast/short-term/location/everybodys', 'end_date', '/v2/forecast or /v2/forecast/statistics takes it'],
    ['/forecast/subseasonal', 'statistics', '; /v2/forecast/statistics takes it'],
    ['/v1/history', 'start_date', '; /v2/history takes it'],
    ['/history/location/everybodys', 'use_downscaling', '; /v2/history takes it'],
    ['/v1/history', 'statistics', '; /v2/forecast/statistics takes it'],
    ['/v1/climatology', 'end_date', '/v2/forecast or /v2/forecast/statistics or /v2/history takes it'],
  ])('%s rejects %s and names the endpoint that takes it', async (path, name, text) => {
    const [fault] = await faultsOf(`${POINT}&${name}=1`, path);
    expect(fault.parameter).toBe(name);
    expect(fault.detail).toContain(text);
  });
});
