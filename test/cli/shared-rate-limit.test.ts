import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RateLimitOwner, WorkerRateLimit } from '../../src/cli/shared-rate-limit.js';
import type { WorkerMessage } from '../../src/cli/worker-messages.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Workers that share a limit; messages take a turn of the event loop. */
function team(requests: number, workers: number) {
  const quota = { requests, windowSeconds: 100 };
  const owner = new RateLimitOwner();
  const messages: WorkerMessage[] = [];
  const limits = Array.from({ length: workers }, () => {
    const limit: WorkerRateLimit = new WorkerRateLimit(quota, workers, async (message) => {
      messages.push(message);
      await setImmediate();
      if (message.lease !== undefined) limit.receive(owner.lease(message.lease));
      if (message.unused !== undefined) owner.giveBack(message.unused);
    });
    return limit;
  });
  const ask = async (worker: number, keyId = 'key') =>
    limits[worker].limit({ keyId, owner: 'o', path: '/', requestId: 'r' });
  return { limits, ask, messages };
}

const isAllowed = (decision: { retryAfterSeconds?: number } | undefined) => decision?.retryAfterSeconds === undefined;

describe('a rate limit that workers share', () => {
  it.each([
    [1, 4],
    [7, 3],
    [100, 2],
    [1000, 4],
  ])('of %i allows exactly so many by %i workers together', async (requests, workers) => {
    const { ask } = team(requests, workers);
    let allowed = 0;
    // Each worker until all are rejected: nothing is held back for ever.
    for (let round = 0; round < requests + 5; round++) {
      const decisions = await Promise.all(Array.from({ length: workers }, (_, worker) => ask(worker)));
      allowed += decisions.filter(isAllowed).length;
      if (!decisions.some(isAllowed)) break;
    }
    expect(allowed).toBe(requests);
  });

  it('asks once for many requests, and not again while there are none', async () => {
    const { ask, messages } = team(1000, 2);
    await Promise.all(Array.from({ length: 50 }, () => ask(0)));
    expect(messages).toHaveLength(1);
    await Promise.all(Array.from({ length: 2000 }, () => ask(0)));
    const sent = messages.length;
    expect(sent).toBeLessThanOrEqual(22);
    const rejected = await ask(0);
    expect(rejected?.retryAfterSeconds).toBeCloseTo(0.1, 2);
    expect(rejected?.allowance).toMatchObject({ requests: 1000, windowSeconds: 100, remaining: 0 });
    expect(messages).toHaveLength(sent);
  });

  it('gives unused tokens back after a second, so that others may use them', async () => {
    const { ask, limits } = team(100, 2);
    await ask(0);
    // 5 are held by the first worker, of which one is used.
    const allowed = (await Promise.all(Array.from({ length: 100 }, () => ask(1)))).filter(isAllowed).length;
    expect(allowed).toBe(95);
    limits[0].giveBack();
    await setImmediate();
    vi.advanceTimersByTime(1001);
    limits[0].giveBack();
    await setImmediate();
    await setImmediate();
    // Those, and the one that has come back in a second.
    const more = (await Promise.all(Array.from({ length: 20 }, () => ask(1)))).filter(isAllowed).length;
    expect(more).toBe(5);
  });

  it('tells what is left for the key, and keeps keys apart', async () => {
    const { ask } = team(100, 2);
    expect((await ask(0, 'a'))?.allowance?.remaining).toBe(99);
    expect((await ask(0, 'a'))?.allowance?.remaining).toBe(98);
    expect((await ask(1, 'a'))?.allowance?.remaining).toBe(94);
    expect((await ask(1, 'b'))?.allowance?.remaining).toBe(99);
  });

  it('gives a key with a rate of its own that one, and another one once it changes', async () => {
    const owner = new RateLimitOwner();
    const limit: WorkerRateLimit = new WorkerRateLimit(undefined, 2, async (message) => {
      await setImmediate();
      if (message.lease !== undefined) limit.receive(owner.lease(message.lease));
    });
    const ask = async (keyId: string, requests?: number) => {
      const rate = requests === undefined ? undefined : { requests, windowSeconds: 100 };
      return limit.limit({ keyId, owner: 'o', rate, path: '/', requestId: 'r' });
    };
    expect(await ask('free')).toBeUndefined();
    expect([await ask('a', 2), await ask('a', 2), await ask('a', 2)].map(isAllowed)).toEqual([true, true, false]);
    expect((await ask('a', 5))?.allowance).toMatchObject({ requests: 5, remaining: 4 });
  });
});
