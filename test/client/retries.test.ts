import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient, ServiceError } from '../../src/client/index.js';

const QUERY = { latitude: 37.3, longitude: -79.8 };
const ANSWER = () => Response.json({ variables: {} });
const problem =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ code: 'overloaded', detail: 'Too much.' }, { status, headers });

/** A client of a service that gives these answers, one after the other; what it gave, and when. */
function clientOf(answers: readonly (() => Response)[], retries?: number) {
  const times: number[] = [];
  const fetch = async () => {
    times.push(Date.now());
    return answers[times.length - 1]();
  };
  return { client: createClient({ baseUrl: 'http://x', apiKey: 'k', fetch, retries }), times };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Waits for a call while the time passes. */
async function settled<T>(call: Promise<T>): Promise<T | ServiceError> {
  const result = call.catch((error: ServiceError) => error);
  await vi.runAllTimersAsync();
  return result;
}

describe('retries of a client', () => {
  it('are sent after the time that the service says', async () => {
    const { client, times } = clientOf(
      [problem(503, { 'retry-after': '7' }), problem(429, { 'retry-after': '2' }), ANSWER],
      2,
    );
    expect(await settled(client.history(QUERY))).toEqual({ variables: {} });
    expect(times.map((time) => time - times[0])).toEqual([0, 7000, 9000]);
  });

  it('wait longer each time where the service says nothing, also where it is not reached', async () => {
    const unreachable = () => {
      throw new TypeError('fetch failed');
    };
    const { client, times } = clientOf([unreachable, problem(502), problem(504), ANSWER], 3);
    expect(await settled(client.history(QUERY))).toEqual({ variables: {} });
    const waits = times.slice(1).map((time, i) => time - times[i]);
    for (const [i, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(500 * 2 ** i);
      expect(wait).toBeLessThanOrEqual(1500 * 2 ** i);
    }
  });

  it('are sent at once where the service says 0', async () => {
    const { client, times } = clientOf([problem(503, { 'retry-after': '0' }), ANSWER], 1);
    expect(await settled(client.history(QUERY))).toEqual({ variables: {} });
    expect(times[1] - times[0]).toBeLessThan(10);
  });

  it('end with the last error', async () => {
    const { client, times } = clientOf([problem(503), problem(503), problem(503)], 2);
    expect(await settled(client.history(QUERY))).toMatchObject({ status: 503, code: 'overloaded' });
    expect(times).toHaveLength(3);
  });

  it.each([
    ['by default', problem(503), undefined],
    ['of what would fail again', problem(400), 3],
    ['after more than a minute', problem(429, { 'retry-after': '61' }), 3],
  ])('there are none %s', async (_, answer, retries) => {
    const { client, times } = clientOf([answer, ANSWER], retries);
    expect(await settled(client.history(QUERY))).toBeInstanceOf(ServiceError);
    expect(times).toHaveLength(1);
  });

  it('are not waited for where the signal is aborted', async () => {
    const { client, times } = clientOf([problem(503, { 'retry-after': '50' }), ANSWER], 1);
    const controller = new AbortController();
    const call = client.history(QUERY, { signal: controller.signal });
    const failed = expect(call).rejects.toThrow('enough');
    await vi.advanceTimersByTimeAsync(1000);
    controller.abort(new Error('enough'));
    await failed;
    expect([times.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it.each([-1, 0.5, 11, Number.NaN, '2' as never])('cannot be %s', (retries) => {
    expect(() => clientOf([], retries)).toThrow('retries: ');
  });
});
