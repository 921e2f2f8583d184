import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileError } from '../../src/errors.js';
import { RefreshedValue, type RefreshOptions } from '../../src/service/refreshed-value.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});
const later = (seconds: number) => vi.advanceTimersByTime(1000 * seconds);

const away = new FileError({ subject: 'origin', problem: 'is away', allowed: 'an origin' });

/** What values are made from: each value is the version that was loaded. */
class Origin {
  version = 1;
  looks = 0;
  loads = 0;
  /** What the next looks, or loads, reject with. */
  lookFault: Error | undefined;
  loadFault: Error | undefined;
  /** Looks end when this does. */
  delay: Promise<void> | undefined;
  /** Runs while a value is loaded. */
  duringLoad: (() => void) | undefined;

  look = async () => {
    this.looks++;
    await this.delay;
    if (this.lookFault !== undefined) throw this.lookFault;
    return { stamp: `version ${this.version}`, load: this.load };
  };

  load = async () => {
    this.loads++;
    const { version } = this;
    this.duringLoad?.();
    if (this.loadFault !== undefined) throw this.loadFault;
    return version;
  };

  /** Delays looks until the returned function is called. */
  hold(): () => void {
    let release = () => {};
    this.delay = new Promise((resolve) => {
      release = resolve;
    });
    return () => {
      this.delay = undefined;
      release();
    };
  }
}

let origin: Origin;
beforeEach(() => {
  origin = new Origin();
});

const open = (options: Partial<RefreshOptions<number>> = {}) =>
  RefreshedValue.open({ look: origin.look, seconds: 10, waiting: 'all', ...options });

describe('a refreshed value', () => {
  it('is given at once until it is time for a look, and then after the look', async () => {
    const value = await open();
    later(9.9);
    expect(value.current()).toBe(1);
    later(0.1);
    expect(value.current()).toBeInstanceOf(Promise);
    expect(origin.looks).toBe(2);
  });

  it('is loaded again only where the stamp has changed', async () => {
    const value = await open({ seconds: 0 });
    expect(await value.current()).toBe(1);
    origin.version = 2;
    expect(await value.current()).toBe(2);
    expect(await value.current()).toBe(2);
    expect([origin.looks, origin.loads]).toEqual([4, 2]);
  });

  it('is not looked at again for so many seconds from the end of a look, also where that took longer', async () => {
    const value = await open();
    later(10);
    const release = origin.hold();
    const slow = value.current();
    later(60);
    release();
    await slow;
    later(9.9);
    expect(value.current()).toBe(1);
    later(0.1);
    expect(value.current()).toBeInstanceOf(Promise);
  });

  it('rejects where it cannot be made for the first time, which is not reported', async () => {
    const onFault = vi.fn();
    origin.lookFault = away;
    await expect(open({ onFault })).rejects.toBe(away);
    origin.lookFault = undefined;
    origin.loadFault = away;
    await expect(open({ onFault })).rejects.toBe(away);
    expect(onFault).not.toHaveBeenCalled();
  });
});

describe('callers during a look', () => {
  it('all wait for the same look and the new value, where all are to wait', async () => {
    const value = await open();
    origin.version = 2;
    later(10);
    const all = [value.current(), value.current(), value.current()];
    expect(new Set(all).size).toBe(1);
    expect(await Promise.all(all)).toEqual([2, 2, 2]);
    expect([origin.looks, origin.loads]).toEqual([2, 2]);
  });

  it('get the value before at once, where only the first is to wait', async () => {
    const value = await open({ waiting: 'first' });
    origin.version = 2;
    later(10);
    const release = origin.hold();
    const first = value.current();
    expect([value.current(), value.current()]).toEqual([1, 1]);
    release();
    expect(await first).toBe(2);
    expect(value.current()).toBe(2);
    expect([origin.looks, origin.loads]).toEqual([2, 2]);
  });

  it('begin no second look, however late it is', async () => {
    const value = await open({ waiting: 'first', seconds: 0 });
    const release = origin.hold();
    const first = value.current();
    later(3600);
    value.current();
    expect(origin.looks).toBe(2);
    release();
    await first;
    await value.current();
    expect(origin.looks).toBe(3);
  });
});

describe('a change during a load', () => {
  it('is noticed by the next look', async () => {
    const value = await open();
    origin.version = 2;
    origin.duringLoad = () => {
      origin.version = 3;
    };
    later(10);
    expect(await value.current()).toBe(2);
    origin.duringLoad = undefined;
    later(10);
    expect(await value.current()).toBe(3);
  });
});

describe('a look that fails', () => {
  it.each(['lookFault', 'loadFault'] as const)(
    'keeps the value before, and is tried again, not before its time (%s)',
    async (fault) => {
      const value = await open();
      origin.version = 2;
      origin[fault] = away;
      later(10);
      expect(await Promise.all([value.current(), value.current()])).toEqual([1, 1]);
      origin[fault] = undefined;
      later(9.9);
      expect(value.current()).toBe(1);
      later(0.1);
      expect(await value.current()).toBe(2);
    },
  );

  it('is reported once, again where it is another fault, and again where it comes back', async () => {
    const onFault = vi.fn();
    const value = await open({ seconds: 0, onFault });
    const broken = new FileError({ subject: 'origin', problem: 'is broken', allowed: 'an origin' });
    origin.version = 2;
    for (const fault of [away, away, broken, broken, undefined, broken]) {
      origin.lookFault = fault;
      await value.current();
    }
    expect(onFault.mock.calls).toEqual([[away], [broken], [broken]]);
  });

  const listeners: [string, () => unknown][] = [
    [
      'throws',
      () => {
        throw new Error('of the listener');
      },
    ],
    ['rejects', () => Promise.reject(new Error('of the listener'))],
  ];

  it.each(listeners)('keeps the value before where onFault %s', async (_, onFault) => {
    const value = await open({ seconds: 0, onFault });
    origin.lookFault = away;
    expect(await value.current()).toBe(1);
  });

  it('rejects with an error that is not of plumecast, which is a defect, and is tried again', async () => {
    const onFault = vi.fn();
    const value = await open({ onFault });
    origin.lookFault = new TypeError('a defect');
    later(10);
    await expect(value.current()).rejects.toBe(origin.lookFault);
    expect(value.current()).toBe(1);
    expect(onFault).not.toHaveBeenCalled();
    origin.lookFault = undefined;
    origin.version = 2;
    later(10);
    expect(await value.current()).toBe(2);
  });

  it('does not stop later looks where it throws at once', async () => {
    const look = vi.fn(origin.look);
    const value = await open({ look, seconds: 0 });
    look.mockImplementationOnce(() => {
      throw away;
    });
    expect(await value.current()).toBe(1);
    origin.version = 2;
    expect(await value.current()).toBe(2);
  });
});

describe('a closed value', () => {
  it('has waited for the look under way, and is not looked at again', async () => {
    const value = await open({ seconds: 0, waiting: 'first' });
    origin.version = 2;
    const release = origin.hold();
    const first = value.current();
    const closing = value.close().then(() => origin.loads);
    release();
    expect(await closing).toBe(2);
    expect(await first).toBe(2);
    later(3600);
    expect(value.current()).toBe(2);
    expect(origin.looks).toBe(2);
  });

  it('is closed also where the look under way rejects', async () => {
    const value = await open({ seconds: 0 });
    origin.lookFault = new TypeError('a defect');
    const first = value.current();
    await expect(value.close()).resolves.toBeUndefined();
    await expect(first).rejects.toBe(origin.lookFault);
    expect(value.current()).toBe(1);
  });
});
