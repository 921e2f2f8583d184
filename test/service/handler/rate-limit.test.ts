import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { OptionError } from '../../../src/errors.js';
import { createRateLimit, TokenBuckets } from '../../../src/service/handler/rate-limit.js';
import { FINE_KEY, fakeService, problemOf } from './fake-service.js';

const HEALTHY = '/v2/forecast?lat=37.3&lon=-79.84';

const limitsOf = ({ headers }: Response) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];

describe('createRateLimit', () => {
  it('counts each key by itself, tells what is left, and answers what is beyond with 429', async () => {
    const { ask } = fakeService({ rateLimit: createRateLimit({ requests: 2, windowSeconds: 3600 }) });
    expect(limitsOf(await ask(HEALTHY))).toEqual(['"key";q=2;w=3600', '"key";r=1;t=1800']);
    expect(limitsOf(await ask('/v2/forecast'))).toEqual(['"key";q=2;w=3600', '"key";r=0;t=3600']);
    const rejected = await ask(HEALTHY);
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '1800']);
    expect(limitsOf(rejected)).toEqual(['"key";q=2;w=3600', '"key";r=0;t=3600']);
    expect((await problemOf(rejected)).code).toBe('rate-limited');
    expect(limitsOf(await ask(HEALTHY, { 'x-api-key': FINE_KEY }))[1]).toBe('"key";r=1;t=1800');
  });

  it('does not count, or tell of, what needs no key, and unknown keys', async () => {
    const { ask } = fakeService({ rateLimit: createRateLimit({ requests: 1, windowSeconds: 3600 }) });
    for (const response of [await ask('/health'), await ask('/nowhere'), await ask(HEALTHY, { 'x-api-key': 'x' })]) {
      expect(limitsOf(response)).toEqual([null, null]);
    }
    expect((await ask(HEALTHY)).status).toBe(200);
  });

  it('gives requests back as time goes by', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { ask } = fakeService({ rateLimit: createRateLimit({ requests: 10, windowSeconds: 1 }) });
    const statuses = async (count: number) => {
      const found: number[] = [];
      for (let i = 0; i < count; i++) found.push((await ask(HEALTHY)).status);
      return found;
    };
    expect(await statuses(11)).toEqual([...Array(10).fill(200), 429]);
    vi.advanceTimersByTime(201);
    expect(await statuses(3)).toEqual([200, 200, 429]);
    vi.useRealTimers();
  });

  it.each([
    { requests: 0, windowSeconds: 1 },
    { requests: 1.5, windowSeconds: 1 },
    { requests: 1, windowSeconds: 0 },
    { requests: 1, windowSeconds: Number.NaN },
  ])('throws OptionError for %j', (quota) => {
    expect(() => createRateLimit(quota)).toThrow(OptionError);
  });
});

describe('token buckets', () => {
  const steps = fc.array(
    fc.record({ wait: fc.integer({ min: 0, max: 3000 }), most: fc.integer({ min: 1, max: 30 }), back: fc.nat(5) }),
    { minLength: 1, maxLength: 60 },
  );

  it('never give more in any span of time than the limit and what comes back in it', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 20 }), (all, requests) => {
        const buckets = new TokenBuckets();
        const quota = { requests, windowSeconds: 2 };
        const taken: { at: number; tokens: number }[] = [];
        let now = 0;
        for (const { wait, most, back } of all) {
          now += wait;
          const { tokens } = buckets.takeSome('a', quota, most, now);
          expect(tokens).toBeGreaterThanOrEqual(0);
          const unused = Math.min(back, tokens);
          buckets.giveBack('a', unused, now);
          taken.push({ at: now, tokens: tokens - unused });
        }
        for (let from = 0; from < taken.length; from++) {
          let sum = 0;
          for (const { at, tokens } of taken.slice(from)) {
            sum += tokens;
            const allowed = requests * (1 + (at - taken[from].at) / 2000);
            expect(sum).toBeLessThanOrEqual(allowed + 1e-6);
          }
        }
      }),
    );
  });

  it('are full again after a window, also where they were forgotten', () => {
    const buckets = new TokenBuckets();
    const quota = { requests: 5, windowSeconds: 2 };
    const take = (key: string, most: number, now: number) => buckets.takeSome(key, quota, most, now).tokens;
    expect([take('a', 9, 0), take('a', 9, 100)]).toEqual([5, 0]);
    expect([take('b', 1, 2100), take('a', 9, 2100)]).toEqual([1, 5]);
    expect([take('a', 9, 2200), take('a', 9, 70_000)]).toEqual([0, 5]);
  });

  it('are new ones where the quota of a key changes', () => {
    const buckets = new TokenBuckets();
    const take = (requests: number) => buckets.takeSome('a', { requests, windowSeconds: 2 }, 9, 0).tokens;
    expect([take(5), take(5), take(3), take(3)]).toEqual([5, 0, 3, 0]);
  });
});
