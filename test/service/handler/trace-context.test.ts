import { describe, expect, it } from 'vitest';
import type { RequestRecord } from '../../../src/service/handler/handler-options.js';
import { fakeService } from './fake-service.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;

function recordingService() {
  const records: RequestRecord[] = [];
  const errors: unknown[] = [];
  const service = fakeService({
    onRequest: (record) => records.push(record),
    onError: (_, context) => errors.push(context),
  });
  const recordOf = async (headers: Record<string, string>) => {
    await service.ask('/health', headers);
    return records.at(-1) as RequestRecord;
  };
  return { ...service, records, errors, recordOf };
}

describe('a request id', () => {
  it('is that of the request where it is sane, in the response, in logs and for hooks', async () => {
    const { ask, records } = recordingService();
    for (const id of ['a', 'req_1.2:3/4+5=6@7-8', 'x'.repeat(128)]) {
      expect((await ask('/v2/nowhere', { 'x-request-id': id })).headers.get('x-request-id')).toBe(id);
      expect(records.at(-1)?.requestId).toBe(id);
    }
  });

  it('tells nothing of other ids: no two share more than chance gives them', async () => {
    const { ask } = recordingService();
    const ids: string[] = [];
    for (let i = 0; i < 600; i++)
      ids.push((await ask('/health', { 'x-request-id': '' })).headers.get('x-request-id') ?? '');
    expect(ids.filter((id) => !UUID.test(id))).toEqual([]);
    for (const [from, to] of [
      [0, 8],
      [24, 36],
    ]) {
      const parts = ids.map((id) => id.slice(from, to));
      expect(new Set(parts).size).toBe(600);
      // Neither in order nor close: of 600 random numbers, each is above the one before in about half of the cases.
      const above = parts.filter((part, i) => i > 0 && part > parts[i - 1]).length;
      expect(Math.abs(above - 300)).toBeLessThan(100);
    }
  });

  it('is a new UUID where there is none, and in place of others', async () => {
    const { ask } = recordingService();
    const seen = new Set<string | null>();
    for (const id of ['', 'a b', 'a,b', '"a"', 'x'.repeat(129), '\xe9', 'a, a']) {
      const given = (await ask('/health', { 'x-request-id': id })).headers.get('x-request-id');
      expect(given).toMatch(UUID);
      seen.add(given);
    }
    expect(seen.size).toBe(7);
  });

  it('is another UUID for each of ten thousand requests', async () => {
    const { ask } = recordingService();
    const seen = new Set<string | null>();
    for (let i = 0; i < 10_000; i++)
      seen.add((await ask('/health', { 'x-request-id': '' })).headers.get('x-request-id'));
    expect(seen.size).toBe(10_000);
    for (const id of seen) expect(id).toMatch(UUID);
  });

  it('is told with errors, with the trace', async () => {
    const errors: unknown[] = [];
    const { ask } = fakeService({
      source: { snapshot: () => Promise.reject(new TypeError('broken')) },
      onError: (_, context) => errors.push(context),
    });
    const response = await ask('/v2/forecast?lat=37.3&lon=-79.84', { traceparent: TRACEPARENT });
    const { id } = await response.json();
    expect(errors).toEqual([{ id, requestId: 'request-1', trace: expect.objectContaining({ traceId: TRACE }) }]);
  });
});

describe('a trace context', () => {
  it('is passed to hooks with its parts', async () => {
    const { recordOf } = recordingService();
    const tracestate = 'congo=t61rcWkgMzE, rojo@vendor=00f067aa0ba902b7,';
    expect((await recordOf({ traceparent: TRACEPARENT, tracestate })).trace).toEqual({
      ...{ traceId: TRACE, parentId: PARENT, sampled: true },
      ...{ traceparent: TRACEPARENT, tracestate: tracestate },
    });
    expect((await recordOf({ traceparent: `00-${TRACE}-${PARENT}-02` })).trace?.sampled).toBe(false);
    expect((await recordOf({ traceparent: `cc-${TRACE}-${PARENT}-01-later` })).trace?.traceId).toBe(TRACE);
  });

  it.each([
    ['no traceparent', ''],
    ['the forbidden version', `ff-${TRACE}-${PARENT}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['upper case', TRACEPARENT.toUpperCase()],
    ['more than version 00 has', `${TRACEPARENT}-more`],
    ['more without a hyphen', `01-${TRACE}-${PARENT}-01more`],
    ['a short id', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['two lines', `${TRACEPARENT}, ${TRACEPARENT}`],
  ])('%s is ignored, with its tracestate', async (_, traceparent) => {
    expect((await recordingService().recordOf({ traceparent, tracestate: 'a=1' })).trace).toBeUndefined();
  });

  it.each([
    ['a key in upper case', 'A=1'],
    ['a key without a value', 'a'],
    ['an empty value', 'a='],
    ['a value with =', 'a=1=2'],
    ['a key that comes twice', 'a=1,b=2,a=3'],
    ['33 members', Array.from({ length: 33 }, (_, i) => `k${i}=1`).join()],
    ['a key of 257 characters', `${'k'.repeat(257)}=1`],
    ['a value of 257 characters', `k=${'v'.repeat(257)}`],
    ['nothing', ' , '],
  ])('a tracestate of %s is ignored by itself', async (_, tracestate) => {
    const { trace } = await recordingService().recordOf({ traceparent: TRACEPARENT, tracestate });
    expect([trace?.traceId, trace?.tracestate]).toEqual([TRACE, undefined]);
  });
});
