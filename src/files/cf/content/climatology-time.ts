import { daysFromDate, type ModelCalendar } from '../../../period/calendar.js';
import { isLeapYear } from '../../../period/day.js';
import { type Granularity, weekStart } from '../../../period/period.js';
import type { NetcdfArray } from '../../netcdf4/netcdf-content.js';
import { type Axes, timeAxis } from '../cells/grid-axes.js';

/**
 * The years of a climatology's samples, inclusive, and the number of days before and after a day whose samples count
 * for it.
 */
export interface ClimateSamples {
  readonly granularity: Granularity;
  readonly calendar: ModelCalendar | undefined;
  readonly firstYear: number;
  readonly lastYear: number;
  readonly halfWidth: number;
}

/**
 * Creates the axis `time` of a climatology, by CF section 7.4: for each period of the year a day that represents it,
 * and in `climatology_bounds` the first day of its samples and the day after the last. `codes` are those of
 * `periodArray`.
 */
export function climatologyTime(codes: Int32Array, samples: ClimateSamples): Axes {
  const { calendar } = samples;
  const { dimensions, arrays } = timeAxis(
    calendar,
    codes.map((code) => representativeDay(code, samples)),
  );
  const [time] = arrays;
  const bounds = Int32Array.from([...codes].flatMap((code) => sampleBounds(code, samples)));
  return {
    dimensions: [...dimensions, ['bnds', 2]],
    arrays: [
      {
        ...time,
        attributes: new Map([
          ...time.attributes,
          ['long_name', 'climatological time: first day of the period, in one of the reference years'],
          ['climatology', 'climatology_bounds'],
        ]),
      },
      {
        name: 'climatology_bounds',
        type: 'int32',
        dimensions: ['time', 'bnds'],
        attributes: new Map(),
        values: bounds,
      },
    ],
  };
}

const LONG_NAMES: Record<Granularity, string> = {
  daily: 'period of the year: month and day, as 100 * month + day',
  weekly: 'period of the year: ISO week; 53 is the seven days from 28 December of every year',
  monthly: 'period of the year: month',
};

/** The periods of the year as numbers, along a dimension. */
export function periodArray(codes: Int32Array, granularity: Granularity, along: string): NetcdfArray {
  return {
    name: 'period',
    type: 'int32',
    dimensions: [along],
    attributes: new Map([
      ['long_name', LONG_NAMES[granularity]],
      ['units', '1'],
    ]),
    values: codes,
  };
}

/** The number of a period of the year: 131 of `01-31`, 5 of `W05`, 1 of `01`. */
export function periodCode(key: string): number {
  return Number(key.replace(/[W-]/g, ''));
}

/** The period of the year of a number of `periodCode`. */
export function periodOfCode(code: number, granularity: Granularity): string {
  const digits = String(code).padStart(granularity === 'daily' ? 4 : 2, '0');
  if (granularity === 'weekly') return `W${digits}`;
  return granularity === 'daily' ? `${digits.slice(0, 2)}-${digits.slice(2)}` : digits;
}

/** A day of one year, so that days ascend: of a leap year near the first year, so that 29 February exists. */
function representativeDay(code: number, samples: ClimateSamples): number {
  const { granularity, calendar, firstYear, lastYear } = samples;
  if (granularity !== 'daily' || calendar !== undefined) return firstDayIn(firstYear, code, samples);
  let year = firstYear;
  while (year < lastYear && !isLeapYear(year)) year++;
  while (!isLeapYear(year)) year++;
  return firstDayIn(year, code, samples);
}

/** The first day of a period of the year in a year; 29 February is 28 February in common years. */
function firstDayIn(year: number, code: number, { granularity, calendar }: ClimateSamples): number {
  if (granularity === 'weekly') return code === 53 ? daysFromDate(undefined, year, 12, 28) : weekStart(year, code);
  if (granularity === 'monthly') return daysFromDate(calendar, year, code, 1);
  const isAbsent = code === 229 && calendar === undefined && !isLeapYear(year);
  return daysFromDate(calendar, year, Math.floor(code / 100), isAbsent ? 28 : code % 100);
}

/**
 * The first day of a period's samples, and the day after the last; daily samples do not include days outside the
 * reference years.
 */
function sampleBounds(code: number, samples: ClimateSamples): [number, number] {
  const { granularity, calendar, firstYear, lastYear, halfWidth } = samples;
  const first = firstDayIn(firstYear, code, samples);
  const last = firstDayIn(lastYear, code, samples);
  if (granularity === 'weekly') return [first, last + 7];
  if (granularity === 'monthly') {
    const end = code === 12 ? daysFromDate(calendar, lastYear + 1, 1, 1) : firstDayIn(lastYear, code + 1, samples);
    return [first, end];
  }
  const start = daysFromDate(calendar, firstYear, 1, 1);
  const end = daysFromDate(calendar, lastYear + 1, 1, 1);
  return [Math.max(start, first - halfWidth), Math.min(end, last + halfWidth + 1)];
}
