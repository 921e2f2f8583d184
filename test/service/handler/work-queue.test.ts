import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Work, WorkQueue } from '../../../src/service/handler/work-queue.js';

const request = (signal?: AbortSignal) => ({ signal });
/** Works for longer than a slice. */
function workLong(): void {
  const end = performance.now() + 6;
  while (performance.now() < end);
}
const turn = () => new Promise((done) => setImmediate(done));

describe('WorkQueue', () => {
  it('begins at once where nobody waits', () => {
    const queue = new WorkQueue();
    const work = queue.begin('a', request()) as Work;
    expect(work.pause()).toBeUndefined();
    work.end();
    expect(queue.begin('a', request())).not.toBeInstanceOf(Promise);
  });

  it('lets the event loop have its turn after some milliseconds of work', async () => {
    const queue = new WorkQueue();
    const work = queue.begin('a', request()) as Work;
    workLong();
    let hadTurn = false;
    setImmediate(() => {
      hadTurn = true;
    });
    const paused = work.pause();
    expect(paused).toBeInstanceOf(Promise);
    await paused;
    expect(hadTurn).toBe(true);
    work.end();
    workLong();
    expect((queue.begin('a', request()) as Work).pause()).toBeUndefined();
  });

  it('begins no more than it may at once, in the order of their coming', async () => {
    const queue = new WorkQueue({ answering: 1 });
    const order: string[] = [];
    const first = queue.begin('a', request()) as Work;
    const others = ['second', 'third'].map(async (name) => {
      const work = await queue.begin('a', request());
      order.push(name);
      await turn();
      work.end();
    });
    await turn();
    expect(order).toEqual([]);
    first.end();
    await Promise.all(others);
    expect(order).toEqual(['second', 'third']);
  });

  it('begins what waits in the turn of the work before, until that has taken a slice', async () => {
    const queue = new WorkQueue({ answering: 1 });
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    const busy = queue.begin('a', request()) as Work;
    const takesTurns = async (work: () => void) => {
      const from = turns;
      for (let i = 0; i < 10; i++) {
        const begun = await queue.begin('a', request());
        work();
        begun.end();
      }
      return turns - from;
    };
    const all = Promise.all([takesTurns(() => undefined), takesTurns(() => undefined)]);
    count();
    busy.end();
    expect(Math.max(...(await all))).toBeLessThan(5);
    // Each of these takes longer than a slice: events have their turn between two of them.
    const long = Promise.all([takesTurns(workLong), takesTurns(workLong)]);
    expect(Math.min(...(await long))).toBeGreaterThan(5);
    isOver = true;
  });

  it('lets no key take more places than it leaves to others', async () => {
    const queue = new WorkQueue({ answering: 4 });
    const works = [queue.begin('a', request()), queue.begin('a', request())];
    for (const work of works) expect(work).not.toBeInstanceOf(Promise);
    let begun = false;
    const third = Promise.resolve(queue.begin('a', request())).then((work) => {
      begun = true;
      return work;
    });
    const other = await queue.begin('b', request());
    for (let i = 0; i < 5; i++) await turn();
    expect(begun).toBe(false);
    (works[0] as Work).end();
    (await third).end();
    other.end();
    (works[1] as Work).end();
  });

  it('gives keys turns one after the other, however many requests a key has', async () => {
    const queue = new WorkQueue({ answering: 1 });
    const busy = queue.begin('z', request()) as Work;
    const order: string[] = [];
    const waiting = ['a', 'a', 'a', 'a', 'b', 'c'].map(async (key) => {
      const work = await queue.begin(key, request());
      order.push(key);
      workLong();
      work.end();
    });
    busy.end();
    await Promise.all(waiting);
    expect(order).toEqual(['a', 'b', 'c', 'a', 'a', 'a']);
  });

  it('lets short work of one key pass between the slices of long work of another', async () => {
    const queue = new WorkQueue();
    const order: string[] = [];
    const long = (async () => {
      const work = await queue.begin('a', request());
      for (let slice = 0; slice < 3; slice++) {
        workLong();
        order.push('slice');
        await work.pause();
      }
      work.end();
    })();
    const short = Array.from({ length: 5 }, async () => {
      const work = await queue.begin('b', request());
      order.push('short');
      work.end();
    });
    await Promise.all([long, ...short]);
    expect(order.slice(0, 7)).toEqual(['slice', 'short', 'short', 'short', 'short', 'short', 'slice']);
  });

  it('rejects what is beyond the places to wait, and leaves half of them to other keys', async () => {
    const queue = new WorkQueue({ answering: 1, waiting: 4 });
    const busy = queue.begin('a', request()) as Work;
    const waiting = [queue.begin('a', request()), queue.begin('a', request())];
    expect(() => queue.begin('a', request())).toThrowError(
      expect.objectContaining({ status: 503, code: 'overloaded' }) as Error,
    );
    waiting.push(queue.begin('b', request()));
    expect(() => queue.begin('b', request())).toThrowError(/More is requested/);
    busy.end();
    for (const work of waiting) (await work).end();
    expect(queue.begin('a', request())).toBeDefined();
  });

  it('drops waiting work when its client goes, which frees its place', async () => {
    const queue = new WorkQueue({ answering: 1, waiting: 2 });
    const busy = queue.begin('a', request()) as Work;
    const client = new AbortController();
    const waiting = queue.begin('a', request(client.signal));
    expect(() => queue.begin('a', request())).toThrowError(/More is requested/);
    client.abort();
    await expect(waiting).rejects.toMatchObject({ status: 499, code: 'client-gone' });
    await expect(queue.begin('a', request(client.signal))).rejects.toMatchObject({ code: 'client-gone' });
    const next = queue.begin('a', request());
    busy.end();
    (await next).end();
  });

  it('drops long work between slices when its client goes', async () => {
    const queue = new WorkQueue();
    const client = new AbortController();
    const work = queue.begin('a', request(client.signal)) as Work;
    workLong();
    const paused = work.pause();
    client.abort();
    await expect(paused).rejects.toMatchObject({ code: 'client-gone' });
    work.end();
  });

  describe('long responses', () => {
    /** A response that has stalled for so many milliseconds; undefined for one that is being taken. */
    function sent(queue: WorkQueue, keyId: string, points: number, stalled?: number) {
      const work = queue.begin(keyId, request()) as Work;
      const response = {
        isBroken: false,
        stalledSince: stalled === undefined ? undefined : performance.now() - stalled,
        breakOff() {
          response.isBroken = true;
          work.end();
        },
      };
      try {
        work.send(points, response);
      } catch (error) {
        work.end();
        throw error;
      }
      return response;
    }

    it('of a few keys that have stalled make room for those of others; those that are taken do not', () => {
      const queue = new WorkQueue();
      const slow = [sent(queue, 'a', 100, 5000), sent(queue, 'a', 100, 6000), sent(queue, 'b', 100, 4000)];
      expect(sent(queue, 'c', 100).isBroken).toBe(false);
      expect(slow.map(({ isBroken }) => isBroken)).toEqual([false, true, false]);
      expect(() => sent(queue, 'a', 1)).toThrow(/More long responses/);
      expect(sent(queue, 'd', 1).isBroken).toBe(false);
      const fast = new WorkQueue();
      for (const key of ['a', 'a', 'b']) sent(fast, key, 100, 10);
      expect(() => sent(fast, 'c', 1)).toThrow(/More long responses/);
    });

    it('make no room for more of the same key, nor for a key that takes as much', () => {
      const queue = new WorkQueue({ sending: 2 });
      sent(queue, 'a', 1, 5000);
      expect(() => sent(queue, 'a', 1)).toThrow(/More long responses/);
      sent(queue, 'b', 1, 5000);
      expect(sent(queue, 'c', 1).isBroken).toBe(false);
      expect(() => sent(queue, 'c', 1)).toThrow(/More long responses/);
    });

    it('are broken off when nothing was taken for so long, and not before', () => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const queue = new WorkQueue({ stalledSeconds: 30 });
      const slow = sent(queue, 'a', 1, 0);
      const fast = sent(queue, 'a', 1);
      vi.advanceTimersByTime(20_000);
      slow.stalledSince = performance.now();
      vi.advanceTimersByTime(29_000);
      expect(slow.isBroken).toBe(false);
      vi.advanceTimersByTime(1000);
      expect([slow.isBroken, fast.isBroken]).toEqual([true, false]);
      expect(queue.counts.sending).toBe(1);
    });
  });
});
