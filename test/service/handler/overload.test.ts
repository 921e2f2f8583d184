import { describe, expect, it } from 'vitest';
import type { Answers } from '../../../src/service/endpoints/answers.js';
import type { HandlerOptions, RequestRecord } from '../../../src/service/handler/handler-options.js';
import type { WorkLimits } from '../../../src/service/handler/work-queue.js';
import { createHeaders, FINE_KEY, fakeAnswers, fakeService, KEY, problemOf } from './fake-service.js';
import { longHistory } from './long-history.js';

const HISTORY = '/v2/history?lat=37.3&lon=-79.84';
const ACCEPTED = ['application/json', 'text/csv', 'application/vnd.apache.arrow.stream'];

/** A service whose history is long, and answers when the test says so. */
function slowService(options: Partial<HandlerOptions> = {}, answer = longHistory()) {
  let computed = 0;
  let release = () => {};
  const gate = new Promise<void>((done) => {
    release = done;
  });
  const answers: Answers = {
    ...fakeAnswers(),
    async history() {
      computed++;
      await gate;
      return answer;
    },
  };
  return { ...fakeService({ answers, ...options }), release, computed: () => computed };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((done) => setImmediate(done));
}

describe('a service that gets more requests than it can compute', () => {
  it('answers 503 with Retry-After beyond what may wait, and other keys all the same', async () => {
    const { ask, release, computed } = slowService({ limits: { answering: 4, waiting: 4 } });
    const own = Array.from({ length: 6 }, () => ask(HISTORY));
    const other = ask(HISTORY, { 'x-api-key': FINE_KEY });
    await settled();
    expect(computed()).toBe(3);
    release();
    const responses = await Promise.all(own);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 503, 503]);
    expect(responses[4].headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await problemOf(responses[4])).toMatchObject({ code: 'overloaded', title: 'Too much is requested at once' });
    expect((await other).status).toBe(200);
    for (const response of [...responses.slice(0, 4), await other]) await response.body?.cancel();
    expect((await ask(HISTORY)).status).toBe(200);
  });

  it('checks path, method, key and parameters first, and lets no request about the service wait', async () => {
    const { ask } = slowService({ limits: { answering: 1, waiting: 0 } });
    const busy = ask(HISTORY);
    await settled();
    const statuses = ['/health', '/ready', '/openapi.json', '/nowhere', '/v2/history?lat=x&lon=1', HISTORY];
    expect(await Promise.all(statuses.map(async (path) => (await ask(path)).status))).toEqual([
      ...[200, 200, 200, 404, 400, 503],
    ]);
    expect((await ask(HISTORY, { 'x-api-key': 'no key' })).status).toBe(401);
    expect((await ask(HISTORY, {}, 'POST')).status).toBe(405);
    void busy;
  });

  it('computes nothing for clients that have gone', async () => {
    const records: RequestRecord[] = [];
    const { handler, ask, release, computed } = slowService({
      limits: { answering: 2 },
      onRequest: (record) => records.push(record),
    });
    const busy = ask(HISTORY);
    const client = new AbortController();
    const request = () =>
      new Request(`http://service.test${HISTORY}`, { headers: { 'x-api-key': KEY }, signal: client.signal });
    const gone = Array.from({ length: 100 }, () => handler(request()));
    await settled();
    client.abort();
    release();
    for (const response of await Promise.all(gone)) expect(response.status).toBe(499);
    await (await busy).body?.cancel();
    expect(computed()).toBe(1);
    expect(records.filter(({ status }) => status === 499)).toHaveLength(100);
  });
});

describe('a long response', () => {
  it.each(ACCEPTED)('is %s in pieces, with what a short one carries but its length', async (accept) => {
    const records: RequestRecord[] = [];
    const { ask, release } = slowService({ onRequest: (record) => records.push(record) });
    release();
    const response = await ask(HISTORY, { accept });
    const head = await ask(HISTORY, { accept }, 'HEAD');
    expect(createHeaders(head)).toEqual(createHeaders(response));
    expect(createHeaders(response)).toMatchObject({
      etag: expect.any(String),
      vary: 'Accept, Accept-Encoding, X-Api-Key, Origin',
    });
    expect(response.headers.get('content-length')).toBeNull();
    expect(await head.text()).toBe('');
    const { byteLength } = await response.arrayBuffer();
    await settled();
    expect(byteLength).toBeGreaterThan(500_000);
    expect(records.map(({ method, status, bytes }) => [method, status, bytes])).toEqual([
      ['HEAD', 200, 0],
      ['GET', 200, byteLength],
    ]);
    const etag = response.headers.get('etag') ?? '';
    expect((await ask(HISTORY, { accept, 'if-none-match': etag })).status).toBe(304);
    expect((await ask(HISTORY, { accept, 'if-none-match': '*' })).status).toBe(304);
  });

  it('of several points counts as that many', async () => {
    const { ask, release } = slowService({ limits: { sending: 8 } });
    release();
    const points = (n: number) => `/v2/history?points=${Array(n).fill('37.3,-79.84').join(';')}`;
    const first = await ask(points(4));
    expect([first.status, (await ask(HISTORY)).status]).toEqual([200, 503]);
    expect((await ask(HISTORY, { 'x-api-key': FINE_KEY })).status).toBe(200);
    await first.body?.cancel();
    await settled();
    const again = await Promise.all([ask(HISTORY), ask(HISTORY), ask(points(100))]);
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await ask(HISTORY)).status).toBe(503);
  });

  it('is written as it is read: nothing where its client leaves, whose place is free then', async () => {
    const records: RequestRecord[] = [];
    const { ask, release } = slowService({
      limits: { sending: 1 },
      onRequest: (record) => records.push(record),
    });
    release();
    const response = await ask(HISTORY, { accept: 'text/csv' });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    await settled();
    expect(await problemOf(await ask(HISTORY))).toMatchObject({ status: 503, code: 'overloaded' });
    await reader.cancel();
    expect(records.at(-1)?.bytes).toBe(value?.length);
    expect((await ask(HISTORY)).status).toBe(200);
  });

  it('waits for nobody: many may have begun before the first is read', async () => {
    const { ask, release } = slowService({ limits: { answering: 1 } });
    release();
    const responses = await Promise.all(Array.from({ length: 20 }, () => ask(HISTORY)));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    for (const response of responses) await response.body?.cancel();
  });

  it('lets the event loop have turns while it is written', async () => {
    const { ask, release } = slowService();
    release();
    const response = await ask(HISTORY, { accept: 'text/csv' });
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await response.arrayBuffer();
    isOver = true;
    expect(turns).toBeGreaterThan(5);
  });

  it('is kept in the cache of responses once it was read to its end, and is the same from there', async () => {
    const { ask, release, computed } = slowService({ responseCacheBytes: 10_000_000 });
    release();
    const left = await ask(HISTORY, { accept: 'text/csv' });
    await left.body?.cancel();
    const first = await (await ask(HISTORY, { accept: 'text/csv' })).arrayBuffer();
    expect(computed()).toBe(2);
    const kept = await ask(HISTORY, { accept: 'text/csv' });
    expect(kept.headers.get('content-length')).toBe(`${first.byteLength}`);
    expect(Buffer.compare(Buffer.from(await kept.arrayBuffer()), Buffer.from(first))).toBe(0);
    expect(computed()).toBe(2);
  });

  it('does not begin where a value is infinite, which JSON has no number for', async () => {
    const { ask, release } = slowService({}, longHistory(Number.POSITIVE_INFINITY));
    release();
    expect((await ask(HISTORY)).status).toBe(503);
    expect((await ask(HISTORY, { accept: 'text/csv' })).status).toBe(200);
  });
});

describe('limits', () => {
  it.each([
    [{ answering: 0 }, /limits\.answering/],
    [{ waiting: -1 }, /limits\.waiting/],
    [{ answering: 1.5 }, /limits\.answering/],
    [{ sending: 0 }, /limits\.sending/],
    [{ stalledSeconds: 0 }, /limits\.stalledSeconds/],
    [{ stalledSeconds: Number.NaN }, /limits\.stalledSeconds/],
    [{ computing: 1 }, /unknown option/],
  ])('%o are rejected', (limits, message) => {
    expect(() => fakeService({ limits: limits as WorkLimits })).toThrow(message);
  });
});
