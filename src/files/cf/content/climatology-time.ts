import { type ClimateWindows, climateKeys, type YearlyWindows } from '../../../climate/climatology.js';
import { daysFromDate, type ModelCalendar } from '../../../period/calendar.js';
import { isLeapYear } from '../../../period/day.js';
import { weekStart } from '../../../period/period.js';
import type { NetcdfArray } from '../../netcdf4/netcdf-content.js';
import { type Axes, timeAxis } from '../cells/grid-axes.js';

/**
 * The years of a climatology's samples, inclusive, and the number of days before and after a day whose samples count
 * for it.
 */
export interface ClimateSamples {
  readonly granularity: ClimateWindows;
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

const LONG_NAMES = {
  daily: 'period of the year: month and day, as 100 * month + day',
  weekly: 'period of the year: ISO week; 53 is the seven days from 28 December of every year',
  monthly: 'period of the year: month',
};

/** The periods of the year as numbers, along a dimension. */
export function periodArray(codes: Int32Array, granularity: ClimateWindows, along: string): NetcdfArray {
  return {
    name: 'period',
    type: 'int32',
    dimensions: [along],
    attributes: new Map([
      ['long_name', longName(granularity)],
      ['units', '1'],
    ]),
    values: codes,
  };
}

function longName(granularity: ClimateWindows): string {
  if (typeof granularity === 'string') return LONG_NAMES[granularity];
  const { rolling } = granularity;
  if (rolling !== undefined) return `period of the year: last of ${rolling} days, as 100 * month + day`;
  return `period of the year: ${climateKeys(granularity)
    .map((key, k) => `${k + 1} ${key}`)
    .join(', ')}`;
}

/** Whether numbers of periods are days of the year: the last ones of rolling windows. */
function isByDay(granularity: ClimateWindows): boolean {
  return granularity === 'daily' || (granularity as YearlyWindows).rolling !== undefined;
}

/** The number of a period of the year: 131 of `01-31`, 5 of `W05`, 1 of `01`; of other windows its place, from 1. */
export function periodCode(key: string, granularity: ClimateWindows): number {
  if (typeof granularity === 'string' || isByDay(granularity)) return Number(key.replace(/^P\d+D\/|[W-]/g, ''));
  return climateKeys(granularity).indexOf(key) + 1;
}

/** The period of the year of a number of `periodCode`. */
export function periodOfCode(code: number, granularity: ClimateWindows): string {
  if (typeof granularity !== 'string' && !isByDay(granularity)) return climateKeys(granularity)[code - 1] ?? '';
  const digits = String(code).padStart(isByDay(granularity) ? 4 : 2, '0');
  if (granularity === 'weekly') return `W${digits}`;
  const { rolling } = granularity as YearlyWindows;
  const key = isByDay(granularity) ? `${digits.slice(0, 2)}-${digits.slice(2)}` : digits;
  return rolling === undefined ? key : `P${rolling}D/${key}`;
}

/** A day of one year, so that days ascend: of a leap year near the first year, so that 29 February exists. */
function representativeDay(code: number, samples: ClimateSamples): number {
  const { granularity, calendar, firstYear, lastYear } = samples;
  if (!isByDay(granularity) || calendar !== undefined) return windowIn(firstYear, code, samples)[0];
  let year = firstYear;
  while (year < lastYear && !isLeapYear(year)) year++;
  while (!isLeapYear(year)) year++;
  return windowIn(year, code, samples)[0];
}

/** First and last day of a period of the year in a year; 29 February is 28 February in common years. */
function windowIn(
  year: number,
  code: number,
  { granularity, calendar }: Pick<ClimateSamples, 'granularity' | 'calendar'>,
): readonly [number, number] {
  if (granularity === 'weekly') {
    const start = code === 53 ? daysFromDate(undefined, year, 12, 28) : weekStart(year, code);
    return [start, start + 6];
  }
  if (granularity === 'monthly') {
    const next = code === 12 ? daysFromDate(calendar, year + 1, 1, 1) : daysFromDate(calendar, year, code + 1, 1);
    return [daysFromDate(calendar, year, code, 1), next - 1];
  }
  if (!isByDay(granularity)) {
    const [start, end] = (granularity as YearlyWindows).ofYear(year, calendar)[code - 1];
    return [start, end];
  }
  const isAbsent = code === 229 && calendar === undefined && !isLeapYear(year);
  const day = daysFromDate(calendar, year, Math.floor(code / 100), isAbsent ? 28 : code % 100);
  return [day - ((granularity as YearlyWindows).rolling ?? 1) + 1, day];
}

/**
 * The first day of a period's samples, and the day after the last; samples of days do not include days outside the
 * reference years, or rolling windows that end outside of them.
 */
function sampleBounds(code: number, samples: ClimateSamples): [number, number] {
  const { granularity, calendar, firstYear, lastYear, halfWidth } = samples;
  const [first] = windowIn(firstYear, code, samples);
  const [, last] = windowIn(lastYear, code, samples);
  if (!isByDay(granularity)) return [first, last + 1];
  const [start] = windowIn(firstYear, FIRST_OF_YEAR, { granularity, calendar });
  const end = daysFromDate(calendar, lastYear + 1, 1, 1);
  return [Math.max(start, first - halfWidth), Math.min(end, last + halfWidth + 1)];
}

/** The number of 1 January. */
const FIRST_OF_YEAR = 101;
