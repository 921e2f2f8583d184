import type { DayRange } from '../../respond/answer-data.js';
import type { HorizonName } from '../../variable/availability.js';
import type { KeyRecord } from '../access/key-store.js';
import type { DataQuery } from '../endpoints/endpoint.js';
import { datasetDays } from '../point/series.js';
import type { Dataset } from '../source/dataset.js';
import type { Snapshot } from '../source/source.js';

/** Counts what keys use, and knows what they have left: the option `usage` of `createHandler`. */
export interface UsageMeter {
  /** Called for each request with a valid key when it was answered; the cost is 0 where there was no answer with data. */
  charge(keyId: string, cost: number, bytes: number): void;
  /** What a key has left today; undefined where it has no quota. Rejects where that cannot be told. */
  quotaOf(key: KeyRecord): DayQuota | undefined | Promise<DayQuota | undefined>;
}

/** What a key may use on a day, and has left. */
export interface DayQuota {
  readonly quota: number;
  /** 0 where it has used all, or more. */
  readonly left: number;
  /** Until midnight in UTC. */
  readonly resetSeconds: number;
}

/** So many variables of so many days at a point cost 1. */
const VARIABLES = 10;
const DAYS = 14;

/** Without dates `/v2/history` answers so many. */
const HISTORY_DAYS = 366;

interface CostFields {
  readonly points?: readonly unknown[];
  readonly variables?: readonly unknown[];
  readonly startDay?: number;
  readonly endDay?: number;
  readonly horizon?: HorizonName;
}

/**
 * What an answer costs: for each point 1 for up to 10 variables of up to 14 days, and in proportion for more, rounded up. Days are
 * the requested ones that the data have; all without dates.
 */
export function costOf(query: DataQuery, data: Snapshot, family: 'forecast' | 'history' | 'climatology'): number {
  const { points, variables, startDay, endDay, horizon } = query as CostFields;
  const dataset =
    family === 'forecast'
      ? horizon === undefined
        ? data.forecast?.timeline
        : data.forecast?.horizons[horizon]?.data
      : data.history?.data;
  if (dataset === undefined) return points?.length ?? 1;
  const all = daysOf(dataset);
  let days = HISTORY_DAYS;
  if (family === 'forecast' || (family === 'history' && startDay !== undefined)) {
    const [first, last] = [
      Math.max(startDay ?? all.firstDay, all.firstDay),
      Math.min(endDay ?? all.lastDay, all.lastDay),
    ];
    days = Math.max(1, last - first + 1);
  }
  const share = ((variables?.length ?? dataset.variables.size) / VARIABLES) * Math.max(1, days / DAYS);
  return (points?.length ?? 1) * Math.max(1, Math.ceil(share));
}

const knownDays = /* @__PURE__ */ new WeakMap<Dataset, DayRange>();

/** The days of a dataset, which are found once. */
function daysOf(dataset: Dataset): DayRange {
  const known = knownDays.get(dataset);
  if (known !== undefined) return known;
  const days = datasetDays(dataset) ?? { firstDay: 0, lastDay: 0 };
  knownDays.set(dataset, days);
  return days;
}
