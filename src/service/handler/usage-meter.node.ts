import { assertKnownKeys, assertShape } from '../../check/option-checks.js';
import { isPlumecastError, unusable } from '../../errors.js';
import { DAY_MILLISECONDS, DAY_SECONDS } from '../../period/day.js';
import type { KeyRecord } from '../access/key-store.js';
import { joinUsage, type KeyUsage, type UsageStore } from '../access/usage.js';
import { type OnFault, report } from '../fault-report.js';
import type { DayQuota, UsageMeter } from './usage-meter.js';

/** A timer of some 25 days or more would end at once. */
const MAX_FLUSH_SECONDS = DAY_SECONDS;

/** How usage is counted. */
export interface UsageMeterOptions {
  /** How often it is added to the store, in seconds. Default 2. */
  readonly flushSeconds?: number;
  /** Called once where the store cannot be reached; what was used is kept and added later. */
  readonly onFault?: OnFault;
  /** The clock. */
  readonly now?: () => Date;
}

/** Counts what keys use, and adds it to a store now and then. */
export interface StoredUsage extends UsageMeter {
  /** Adds what was used since the last time. */
  flush(): Promise<void>;
  /** Adds what is left, and ends. */
  close(): Promise<void>;
}

type Counts = { -readonly [Field in keyof KeyUsage]: KeyUsage[Field] };

/** What was counted on a day. */
interface DayCounts {
  readonly day: string;
  /** In milliseconds: when it ends. */
  readonly end: number;
  /** What is not in the store yet: each request changes its numbers. */
  used: Map<string, Counts>;
  /** What was in the store when it was last added to or asked, of keys with a quota. */
  readonly stored: Map<string, number>;
}

/**
 * Counts the usage of keys for a service (the option `usage` of `createHandler`), by day in UTC. A key with a quota may go beyond it by
 * one request, and by what several servers answer between two additions to the store.
 */
export function createUsageMeter(store: UsageStore, options: UsageMeterOptions = {}): StoredUsage {
  assertShape('store', store, { add: 'function', costOf: 'function', read: 'function' });
  assertKnownKeys(options, ['flushSeconds', 'onFault', 'now']);
  assertShape('options', options, { flushSeconds: 'number?', onFault: 'function?', now: 'function?' });
  const { flushSeconds = 2, onFault } = options;
  /** In milliseconds: a Date of each request would be garbage. */
  const now = () => {
    if (options.now === undefined) return Date.now();
    const time = options.now();
    if (time instanceof Date) return time.getTime();
    throw unusable('options.now', time, 'a function that returns a Date');
  };
  if (!(flushSeconds > 0 && flushSeconds <= MAX_FLUSH_SECONDS))
    throw unusable('options.flushSeconds', flushSeconds, `seconds, up to ${MAX_FLUSH_SECONDS}, a day`);
  let today: DayCounts = { day: '', end: 0, used: new Map(), stored: new Map() };
  const before: DayCounts[] = [];
  let adding: Promise<void> | undefined;
  let fault: string | undefined;
  const timer = setInterval(() => flush().catch(() => undefined), 1000 * flushSeconds);
  timer.unref();

  function current(now: number): DayCounts {
    // To write the day takes a microsecond, which each request would pay.
    if (now >= today.end || now < today.end - DAY_MILLISECONDS) {
      if (today.used.size > 0) before.push(today);
      const end = (Math.floor(now / DAY_MILLISECONDS) + 1) * DAY_MILLISECONDS;
      today = { day: new Date(now).toISOString().slice(0, 10), end, used: new Map(), stored: new Map() };
    }
    return today;
  }

  function flush(): Promise<void> {
    adding ??= addAll().finally(() => {
      adding = undefined;
    });
    return adding;
  }

  async function addAll(): Promise<void> {
    current(now());
    try {
      while (before.length > 0) {
        await add(before[0]);
        before.shift();
      }
      if (today.used.size > 0) await add(today);
      fault = undefined;
    } catch (error) {
      if (isPlumecastError(error) && error.message !== fault) report(onFault, error);
      fault = String((error as Error).message);
      throw error;
    }
  }

  async function add(counts: DayCounts): Promise<void> {
    const { used, stored } = counts;
    counts.used = new Map();
    // On its way it is neither in the store nor here.
    const move = (sign: 1 | -1) => {
      for (const [keyId, { cost }] of used) {
        const before = stored.get(keyId);
        if (before !== undefined) stored.set(keyId, before + sign * cost);
      }
    };
    move(1);
    try {
      for (const [keyId, cost] of await store.add(counts.day, used)) {
        if (stored.has(keyId)) stored.set(keyId, cost);
      }
    } catch (error) {
      move(-1);
      for (const [keyId, usage] of counts.used) used.set(keyId, joinUsage(used.get(keyId), usage));
      counts.used = used;
      throw error;
    }
  }

  return {
    charge(keyId, cost, bytes) {
      const time = now();
      const { used } = current(time);
      const counted = used.get(keyId);
      if (counted === undefined) used.set(keyId, { requests: 1, cost, bytes, lastUsed: new Date(time) });
      else {
        counted.requests++;
        counted.cost += cost;
        counted.bytes += bytes;
        counted.lastUsed.setTime(time);
      }
    },
    quotaOf({ id, dailyQuota }: KeyRecord) {
      if (dailyQuota === undefined) return undefined;
      const time = now();
      const counts = current(time);
      const quota = (stored: number): DayQuota => {
        const left = Math.max(0, dailyQuota - stored - (counts.used.get(id)?.cost ?? 0));
        return {
          quota: dailyQuota,
          left,
          resetSeconds: (DAY_MILLISECONDS - (time % DAY_MILLISECONDS)) / 1000,
        };
      };
      const stored = counts.stored.get(id);
      if (stored !== undefined) return quota(stored);
      return store.costOf(counts.day, id).then((cost) => {
        if (!counts.stored.has(id)) counts.stored.set(id, cost);
        return quota(counts.stored.get(id) as number);
      });
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      // What came while it was being added.
      await flush();
    },
  };
}
