import type { Granularity } from '../../period/period.js';

/** Leads of days are alone for two weeks, then together by week, and after the seventh by 30 days; the last has no end. */
const DAYS = [...upTo(13), 14, 21, 28, 35, 42, 49, 79, 109, 139, 169, 199];
/** Leads of weeks are alone for seven weeks, then four together. */
const WEEKS = [...upTo(6), 7, 11, 15, 19, 23, 27, 31];
const MONTHS = upTo(11);

/** The first lead of each class of leads. */
export function firstLeads(granularity: Granularity): readonly number[] {
  return granularity === 'daily' ? DAYS : granularity === 'weekly' ? WEEKS : MONTHS;
}

/** The class of a lead: -1 of a window that begins before its run. */
export function leadClass(granularity: Granularity, lead: number): number {
  return firstLeads(granularity).findLastIndex((first) => first <= lead);
}

function upTo(last: number): number[] {
  return Array.from({ length: last + 1 }, (_, lead) => lead);
}
