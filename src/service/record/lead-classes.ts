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

/** The classes of leads by granularity, as far as they are not the last one: a request has many windows. */
const CLASSES = /* @__PURE__ */ new Map<Granularity, Int8Array>();

/** The class of a lead: -1 of a window that begins before its run. */
export function leadClass(granularity: Granularity, lead: number): number {
  const classes = CLASSES.get(granularity) ?? classesOf(granularity);
  return lead < 0 ? -1 : classes[Math.min(lead, classes.length - 1)];
}

function classesOf(granularity: Granularity): Int8Array {
  const leads = firstLeads(granularity);
  const last = leads[leads.length - 1];
  const classes = Int8Array.from({ length: last + 1 }, (_, lead) => leads.findLastIndex((first) => first <= lead));
  CLASSES.set(granularity, classes);
  return classes;
}

function upTo(last: number): number[] {
  return Array.from({ length: last + 1 }, (_, lead) => lead);
}
