import { DataType, type Table } from 'apache-arrow';
import type { LocalDays } from '../../ensemble/local-days.js';
import { DataError, mentionOption, OptionError, subjectIn } from '../../errors.js';
import { DAY_MILLISECONDS } from '../../period/day.js';
import { daysInWords } from '../../period/stated-days.js';
import { columnOf } from '../arrow/table-schema.js';
import { withMetadata } from '../arrow/with-metadata.js';
import { withColumn } from './dated-table.js';
import { statedZone, timeColumn } from './time-column.js';

/**
 * A table of daily values, kept as days of a zone: dates stay as they are written, and times that state a zone become
 * the dates of the days that begin at them. Throws OptionError for days of which daily values cannot be, and for other
 * days than those that the table states; DataError for times at which no day of the zone begins.
 */
export function keptDays(table: Table, date: string, days: LocalDays, source?: string): Table {
  assertKept(days, table.schema.metadata, source);
  const column = columnOf(table, date);
  const times = DataType.isDate(column.type) ? undefined : timeColumn(column, date, source);
  const zoneAt = times && statedZone(table, date);
  if (times === undefined || zoneAt?.(0) === undefined) return withMetadata(table, days.texts);
  const known = new Map<number, number>();
  const dates = times.map((time, row) => {
    const day = known.get(time) ?? days.dayOf(time);
    known.set(time, day);
    if (days.start(day) === time) return day * DAY_MILLISECONDS;
    const received = `${new Date(1000 * time).toISOString().slice(0, 16)}Z, zone ${zoneAt(row)}`;
    throw new DataError({
      ...{ source, row: row + 1, column: date, problem: `daily values are not of ${days}`, received },
      allowed: 'dates alone, times at which its days begin, or time steps, of which its days are made',
    });
  });
  return withMetadata(withColumn(table, date, dates, new Set([date])), days.texts);
}

/**
 * Throws OptionError for days of which daily values cannot be: those that begin at another hour and parts of days, unless
 * the data state the same, and any others than the data state.
 */
export function assertKept(days: LocalDays, metadata: ReadonlyMap<string, string>, source?: string): void {
  const stated = daysInWords(metadata);
  if (stated === `${days}`) return;
  const hasHours = days.texts.has('day_hours');
  const part = hasHours ? 'hours' : 'dayStart';
  if (stated !== undefined) {
    const given = days.texts.get('time_zone') === 'UTC' && !days.areWhole ? part : 'timeZone';
    throw new OptionError({
      subject: subjectIn(source, given),
      problem: 'values are daily, and of other days, as the data state',
      received: `${days}`,
      allowed: `${stated}; or to leave out ${mentionOption(given)}`,
    });
  }
  if (days.areWhole) return;
  throw new OptionError({
    subject: subjectIn(source, part),
    problem: `values are daily: ${hasHours ? 'parts of days' : 'days that begin at another hour'} cannot be made of them`,
    received: days.texts.get(hasHours ? 'day_hours' : 'day_start'),
    allowed: 'time steps, such as hourly values',
  });
}

/** The error for zones by place of values that are daily. */
export function noDailyZones(source?: string): OptionError {
  return new OptionError({
    ...{ subject: subjectIn(source, 'timeZones'), problem: 'are for time steps, and values are daily' },
    allowed: `time steps, such as hourly values; or ${mentionOption('timeZone')}`,
  });
}
