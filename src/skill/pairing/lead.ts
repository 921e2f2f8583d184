import { type ModelCalendar, packedDate } from '../../period/calendar.js';
import type { Windows } from '../../period/windows.js';
import type { CheckedVerify } from './options.js';

/** What leads are counted in. */
export type LeadUnit = 'days' | 'weeks' | 'months';

/**
 * What leads of windows are counted in: complete ones between the start of a run and the first day of the window. Months for
 * months, seasons, years and others that begin with a month; days for all others.
 */
export function leadUnit(granularity: CheckedVerify['granularity']): LeadUnit {
  const text = `${granularity}`;
  if (text === 'weekly') return 'weeks';
  const { ofYear, rolling } = granularity as Partial<Windows>;
  const isOfMonths = text === 'monthly' || (ofYear !== undefined && rolling === undefined && text !== 'dekads');
  return isOfMonths && text !== 'daily' ? 'months' : 'days';
}

/** How many complete units lie between two days. */
export function leadOf(unit: LeadUnit, from: number, to: number, calendar: ModelCalendar | undefined): number {
  if (unit === 'days') return to - from;
  if (unit === 'weeks') return Math.floor((to - from) / 7);
  const [first, last] = [from, to].map((day) => packedDate(calendar, day));
  const months = (packed: number) => (packed >> 9) * 12 + ((packed >> 5) & 15);
  return months(last) - months(first) - Number((last & 31) < (first & 31));
}
