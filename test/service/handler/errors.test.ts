import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CoreError, DataError, FileError, FormatError, OptionError, PackageError } from '../../../src/errors.js';
import type { HandlerOptions, RequestMetric, RequestRecord } from '../../../src/service/handler/handler-options.js';
import { ProblemError } from '../../../src/service/problem-error.js';
import { memoryKeys } from '../../../src/service/source/index.js';
import { createHeaders, fakeAnswers, fakeService, KEY, problemOf, snapshot } from './fake-service.js';

const POINT = 'lat=37.3&lon=-79.84';
const STATISTICS = `/v2/forecast/statistics?${POINT}`;

/** A service whose statistics do what `fail` does, as long as it throws. */
function failing(fail: () => void, options: Partial<HandlerOptions> = {}) {
  const errors: { error: unknown; id: string }[] = [];
  const answers = fakeAnswers();
  const { statistics } = answers;
  answers.statistics = (...call) => {
    fail();
    return statistics(...call);
  };
  const onError = (error: unknown, { id }: { id: string }) => errors.push({ error, id });
  return { ...fakeService({ answers, onError, ...options }), errors };
}

function fileError(file = '/srv/secret/run.arrow') {
  return new FileError({ subject: file, problem: 'not found' });
}

describe('a problem', () => {
  it('is one of RFC 9457, with a stable code', async () => {
    const { ask } = fakeService();
    const response = await ask('/v2/forecast?lat=91&lon=0&x=1');
    expect([response.status, response.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(await problemOf(response)).toEqual({
      contentType: 'application/problem+json',
      type: 'urn:plumecast:problem:bad-parameters',
      title: 'The parameters cannot be used',
      status: 400,
      detail: 'There are 2 faults in the parameters.',
      instance: '/v2/forecast',
      code: 'bad-parameters',
      errors: [
        { parameter: 'lat', detail: 'is outside -90 to 90', received: '91', allowed: 'a number from -90 to 90' },
        expect.objectContaining({ parameter: 'x' }),
      ],
    });
  });

  it('of an answer is returned unchanged', async () => {
    const { ask } = failing(() => {
      throw new ProblemError(404, 'location-not-covered', 'The point is too far.', { headers: { 'x-more': '1' } });
    });
    const response = await ask(STATISTICS);
    expect([response.status, response.headers.get('x-more')]).toEqual([404, '1']);
    expect(await problemOf(response)).toMatchObject({ code: 'location-not-covered', detail: 'The point is too far.' });
  });

  it('of missing data has Retry-After', async () => {
    const { ask, errors } = failing(() => {
      throw new ProblemError(503, 'forecast-unavailable', 'There is no forecast.');
    });
    const response = await ask(STATISTICS);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
    expect(errors).toEqual([]);
  });
});

describe('keys', () => {
  it('a request without one is 401, with one that is unknown too', async () => {
    const { ask, calls } = fakeService();
    for (const [key, code] of [
      ['', 'key-missing'],
      ['wrong', 'key-unknown'],
      [`${KEY} `.repeat(2), 'key-unknown'],
      ['x'.repeat(10_000), 'key-unknown'],
    ]) {
      const response = await ask(STATISTICS, { 'x-api-key': key });
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining('X-Api-Key'),
      ]);
      expect(await problemOf(response)).toMatchObject({ code });
    }
    expect(calls).toEqual([]);
  });

  it('that are not valid now are 401 and say why; the clock is that of the service', async () => {
    const date = (text: string) => new Date(`${text}T00:00:00Z`);
    const [starts, expires, revoked] = [date('2026-03-02'), date('2026-03-03'), date('2026-02-01')];
    const key = (id: string, terms: object) => ({ id, owner: 'me', downscaling: false, key: id, ...terms });
    const keys = memoryKeys([key('terms', { starts, expires }), key('gone', { revoked })]);
    let now = new Date(starts.getTime() - 1);
    const { ask } = fakeService({ keys, now: () => now });
    const code = async (id: string) => {
      const response = await ask(STATISTICS, { 'x-api-key': id });
      if (response.status === 200) return 200;
      expect(response.headers.get('www-authenticate')).toContain('X-Api-Key');
      const problem = await problemOf(response);
      return [response.status, problem.code, problem.detail];
    };
    expect(await code('terms')).toEqual([401, 'key-not-yet-valid', 'The key is valid from 2026-03-02T00:00:00Z on.']);
    now = starts;
    expect(await code('terms')).toBe(200);
    now = new Date(expires.getTime() - 1);
    expect(await code('terms')).toBe(200);
    now = expires;
    expect(await code('terms')).toEqual([401, 'key-expired', 'The key expired at 2026-03-03T00:00:00Z.']);
    expect(await code('gone')).toEqual([401, 'key-revoked', 'The key was revoked at 2026-02-01T00:00:00Z.']);
  });

  it('a key counts in the header only', async () => {
    const { ask } = fakeService();
    const response = await ask(`${STATISTICS}&api_key=${KEY}`, { 'x-api-key': '', authorization: `Bearer ${KEY}` });
    expect(response.status).toBe(401);
  });
});

describe('the order of checks', () => {
  const bad = { path: '/nowhere', method: 'DELETE', key: 'wrong', query: '?lat=91' };
  it.each([
    [404, bad],
    [405, { ...bad, path: '/v2/forecast' }],
    [401, { ...bad, path: '/v2/forecast', method: 'GET' }],
    [400, { ...bad, path: '/v2/forecast', method: 'GET', key: KEY }],
    [503, { path: '/v2/forecast', method: 'GET', key: KEY, query: `?${POINT}` }],
    [400, { path: '/v1/history/location/none', method: 'GET', key: KEY, query: '?var=none' }],
    [404, { path: '/v1/history/location/none', method: 'GET', key: KEY, query: '' }],
  ])('%d: %j', async (status, { path, method, key, query }) => {
    const broken = {
      snapshot: () => {
        throw fileError();
      },
    };
    const { ask } = fakeService({ source: broken });
    expect((await ask(path + query, { 'x-api-key': key }, method)).status).toBe(status);
  });
});

describe('a fault of a source', () => {
  const faults = [
    fileError(),
    new FormatError({ subject: '/srv/secret/run.arrow', problem: 'truncated' }),
    new DataError({ source: '/srv/secret/run.arrow', problem: 'infinite' }),
  ];
  it.each(faults)('%s while reading is 503, without internals', async (fault) => {
    const { ask, errors } = failing(() => {
      throw fault;
    });
    const response = await ask(STATISTICS);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
    const { detail, ...problem } = await problemOf(response);
    expect(problem).toMatchObject({ code: 'source-unavailable', id: errors[0].id });
    expect(detail).toBe('The source of the data has failed; try again later.');
    expect(errors).toEqual([{ error: fault, id: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
  });

  it('any error of a snapshot, of the keys or the locations is one', async () => {
    const fail = () => Promise.reject(new Error('ENOENT /srv/secret'));
    for (const options of [{ source: { snapshot: fail } }, { keys: { find: fail } }, { locations: { find: fail } }]) {
      const response = await fakeService(options).ask('/v1/history/location/everybodys');
      expect(response.status).toBe(503);
      expect(await response.text()).not.toContain('srv');
    }
    expect((await fakeService({ source: { snapshot: fail } }).ask('/ready')).status).toBe(503);
  });

  it('is reported once while it lasts, again when it changes, and again after it was healed', async () => {
    let fault: Error | undefined = fileError();
    const { ask, errors } = failing(() => {
      if (fault !== undefined) throw fault;
    });
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await problemOf(await ask(STATISTICS))).id);
    expect(new Set(ids)).toEqual(new Set([errors[0].id]));
    expect(errors).toHaveLength(1);

    fault = fileError('/srv/other');
    await ask(STATISTICS);
    await ask(STATISTICS);
    expect(errors).toHaveLength(2);

    fault = undefined;
    expect((await ask(STATISTICS)).status).toBe(200);
    fault = fileError('/srv/other');
    expect((await ask(STATISTICS)).status).toBe(503);
    expect(errors).toHaveLength(3);
  });

  it('is not over because something else works', async () => {
    const { ask, errors } = failing(() => {
      throw fileError();
    });
    for (let i = 0; i < 3; i++) {
      await ask(STATISTICS);
      expect((await ask(`/v2/history?${POINT}`)).status).toBe(200);
    }
    expect(errors).toHaveLength(1);
  });

  it('that nobody has met for a minute is over: it is reported again', async () => {
    let time = 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => time);
    onTestFinished(() => void vi.restoreAllMocks());
    const { ask, errors } = failing(() => {
      throw fileError();
    });
    for (const wait of [0, 59_000, 59_000, 60_000]) {
      time += wait;
      await ask(STATISTICS);
    }
    expect(errors).toHaveLength(2);
  });

  it('of a snapshot heals', async () => {
    let broken = true;
    const source = {
      snapshot: () => {
        if (broken) throw fileError();
        return snapshot();
      },
    };
    const errors: unknown[] = [];
    const { ask } = fakeService({ source, onError: (error) => errors.push(error) });
    for (const path of [STATISTICS, '/ready', `/v2/history?${POINT}`]) expect((await ask(path)).status).toBe(503);
    expect(errors).toHaveLength(1);
    broken = false;
    expect((await ask('/ready')).status).toBe(200);
    broken = true;
    await ask('/ready');
    expect(errors).toHaveLength(2);
  });

  it('many different ones are each reported once, as long as they are no more than a hundred', async () => {
    let file = 0;
    const { ask, errors } = failing(() => {
      throw fileError(`/srv/${file}`);
    });
    for (let round = 0; round < 2; round++) for (file = 0; file < 100; file++) await ask(STATISTICS);
    expect(errors).toHaveLength(100);
  });
});

describe('an error of the service itself', () => {
  const errors = [
    new TypeError('x is not a function at /srv/secret.js'),
    new OptionError({ subject: 'secret', problem: 'odd' }),
    new CoreError({ subject: 'core', problem: 'memory' }),
    new PackageError({ subject: 'Arrow', problem: 'absent' }),
    'a text',
    undefined,
  ];
  it.each(errors)('%s is 500 with the id that onError gets, and no details', async (error) => {
    const { ask, errors } = failing(() => {
      throw error;
    });
    const [first, second] = [await problemOf(await ask(STATISTICS)), await problemOf(await ask(STATISTICS))];
    expect(first).toEqual({
      contentType: 'application/problem+json',
      type: 'urn:plumecast:problem:internal-error',
      title: 'An error of the service',
      status: 500,
      detail: 'The service has failed; its operator can look up the id.',
      instance: '/v2/forecast/statistics',
      code: 'internal-error',
      id: errors[0].id,
    });
    expect(errors.map((reported) => reported.error)).toEqual([error, error]);
    expect(second.id).toBe(errors[1].id);
    expect(second.id).not.toBe(first.id);
  });
});

describe('a rate limit', () => {
  it('is called with the key id and the path, after the key and before the parameters are checked', async () => {
    const requested: unknown[] = [];
    const { ask } = fakeService({
      rateLimit: async (request) => {
        requested.push(request);
        return { retryAfterSeconds: 1.2 };
      },
    });
    const response = await ask('/v2/forecast?lat=91');
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2']);
    expect(await problemOf(response)).toMatchObject({ code: 'rate-limited' });
    expect(requested).toEqual([{ keyId: 'key-1', owner: 'field', path: '/v2/forecast', requestId: 'request-1' }]);
    expect((await ask('/v2/forecast', { 'x-api-key': 'wrong' })).status).toBe(401);
    expect((await ask('/health')).status).toBe(200);
    expect(requested).toHaveLength(1);
  });

  it('lets requests pass where it returns nothing', async () => {
    const { ask } = fakeService({ rateLimit: () => undefined });
    expect((await ask(STATISTICS)).status).toBe(200);
  });
});

describe('hooks', () => {
  function logged(options: Partial<HandlerOptions> = {}) {
    const records: RequestRecord[] = [];
    const metrics: RequestMetric[] = [];
    const onRequest = (record: RequestRecord) => records.push(record);
    const onMetric = (metric: RequestMetric) => metrics.push(metric);
    return { ...failing(() => {}, { onRequest, onMetric, ...options }), records, metrics };
  }

  it('are called for each request', async () => {
    const { ask, records, metrics } = logged({ responseCacheBytes: 1_000_000 });
    // What is asked for a second time is kept.
    await ask(STATISTICS);
    for (const list of [records, metrics]) list.length = 0;
    const response = await ask(STATISTICS);
    const bytes = (await response.arrayBuffer()).byteLength;
    await ask(STATISTICS, {}, 'HEAD');
    await ask('/nowhere/at/all');
    await ask('/health');
    const milliseconds = expect.any(Number);
    const known = {
      path: '/v2/forecast/statistics',
      status: 200,
      milliseconds,
      keyId: 'key-1',
      owner: 'field',
      errorId: undefined,
    };
    expect(records).toMatchObject([
      { ...known, method: 'GET', bytes },
      { ...known, method: 'HEAD', bytes: 0 },
      { method: 'GET', path: '/nowhere/at/all', status: 404, keyId: undefined },
      { method: 'GET', path: '/health', status: 200, keyId: undefined },
    ]);
    expect(metrics).toMatchObject([
      { endpoint: 'forecastStatistics', status: 200, milliseconds, bytes, cached: false },
      { endpoint: 'forecastStatistics', status: 200, bytes: 0, cached: true },
      { endpoint: 'none', status: 404 },
      { endpoint: '/health', status: 200 },
    ]);
  });

  it('get the id of an error', async () => {
    const records: RequestRecord[] = [];
    const { ask, errors } = failing(
      () => {
        throw fileError();
      },
      { onRequest: (record) => records.push(record) },
    );
    await ask(STATISTICS);
    expect(records[0]).toMatchObject({ status: 503, errorId: errors[0].id });
  });

  it('that throw do no harm', async () => {
    const fail = () => {
      throw new Error('hook');
    };
    const { ask } = fakeService({ onRequest: fail, onMetric: fail, onError: fail, source: { snapshot: fail } });
    expect((await ask('/health')).status).toBe(200);
    expect((await ask(STATISTICS)).status).toBe(503);
  });

  it('that reject do no harm to the process', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const fail = async () => {
      throw new Error('hook');
    };
    const { ask } = fakeService({ onRequest: fail, onMetric: fail, onError: fail, source: { snapshot: fail } });
    expect((await ask(STATISTICS)).status).toBe(503);
    await new Promise((later) => setTimeout(later));
    expect(unhandled).toEqual([]);
  });

  it('neither hooks nor responses ever hold a key, good or bad', async () => {
    const { ask, records, metrics, errors } = logged({
      source: {
        snapshot: () => {
          throw fileError();
        },
      },
    });
    const texts: string[] = [];
    for (const key of [KEY, 'wrong-secret']) {
      for (const path of [STATISTICS, `${STATISTICS}&x_api_key=${key}`, `/v2/history?${POINT}`, '/nowhere']) {
        const response = await ask(path, { 'x-api-key': key });
        texts.push(await response.text(), JSON.stringify(createHeaders(response)));
      }
    }
    const observed = JSON.stringify([records, metrics, errors, texts]);
    expect(observed).not.toContain('secret-of-field');
    expect(observed).not.toContain('wrong-secret');
  });
});

describe('options', () => {
  it.each(['source', 'keys'])('%s is needed', (name) => {
    expect(() => fakeService({ [name]: undefined })).toThrow(`${name}: missing`);
  });

  it('an unknown option is rejected with the nearest name', () => {
    expect(() => fakeService({ basepath: '/' } as object)).toThrow('basePath');
  });

  it('an option of the wrong type is rejected', () => {
    expect(() => fakeService({ onError: 5 } as object)).toThrow('onError');
    expect(() => fakeService({ keys: null } as object)).toThrow('keys');
  });
});
