import type { DailySteps } from '../../../ensemble/daily-steps.js';
import { findProducer } from '../../../ensemble/time-evidence.js';
import { DataError, inWords, mentionOption } from '../../../errors.js';
import { dateText, daysFromDate } from '../../../period/calendar.js';
import { DAY_SECONDS, isScattered } from '../../../period/day.js';
import { GRANULARITIES, type Granularity, windowTable } from '../../../period/period.js';
import type { ArrayFile, StoredArray } from '../../array/array-file.js';
import type { ArrayLayout } from '../array-layout.js';
import { textAttribute } from '../attribute-values.js';
import { timeMethod } from '../time/time-axis.js';
import { modelPart } from '../time/time-units.js';
import type { DailyRule } from './daily-rule.js';

/** The periods of stored values: days, ISO weeks or calendar months. */
export interface StoredPeriods {
  readonly granularity: Granularity;
  /** Each day of a period has one step, that of its period. */
  readonly steps: DailySteps;
  /** The number of days of the period of each step. */
  readonly days: Float64Array;
  /** How the periods are known, where no bounds state them: for people. */
  readonly by?: string;
}

/**
 * Finds the periods of an array's values, by the bounds of time, else by the months of its times. Throws DataError
 * unless all are days, all ISO weeks or all calendar months, one after the other.
 */
export function storedPeriods(source: string, { array, times }: ArrayLayout): StoredPeriods {
  const calendar = modelPart(times.calendar);
  const fault = (problem: string, received?: string) =>
    new DataError({
      ...{ source, column: array.name, problem, received: received && inWords(received) },
      allowed: 'values of days, of ISO weeks, or of calendar months, with bounds of time',
    });
  const found = times.bounds === undefined ? monthsOfTimes(array, times) : withLastDays(times.bounds, calendar);
  const bounds = found?.bounds ?? times.bounds;
  if (bounds === undefined) throw fault('does not state the periods of its values');
  const edges = bounds.map((seconds) => seconds / DAY_SECONDS);
  const text = (step: number) =>
    [edges[2 * step], edges[2 * step + 1]].map((day) => dateText(calendar, Math.floor(day))).join(' to ');
  const of = (step: number) => granularityOf(edges[2 * step], edges[2 * step + 1], calendar);
  const granularity = of(0);
  const count = edges.length / 2;
  for (let step = 0; step < count; step++) {
    const found = of(step);
    if (found === undefined || granularity === undefined) {
      throw fault('has values of periods that are no day, ISO week or calendar month', text(step));
    }
    if (found !== granularity) throw fault('has values of different periods', `${text(0)}, and ${text(step)}`);
    if (step > 0 && edges[2 * step] < edges[2 * step - 1]) {
      throw fault('has periods that overlap', `${text(step - 1)}, and ${text(step)}`);
    }
  }
  const days = Float64Array.from({ length: count }, (_, step) => edges[2 * step + 1] - edges[2 * step]);
  const [firstDay, end] = [edges[0], edges[edges.length - 1]];
  if (
    isScattered(
      firstDay,
      end - 1,
      days.reduce((sum, length) => sum + length, 0),
    )
  ) {
    throw fault('has periods that are scattered', `${text(0)}, then up to ${dateText(calendar, end - 1)}`);
  }
  const steps = daySteps(edges, days);
  return { granularity: granularity as Granularity, steps, days, ...(found && { by: found.by }) };
}

/**
 * Bounds of weeks or months of daily values that end with their last day, as CDO writes them (01-01 to 01-31, all at the
 * hour at which the days are written), each made a day longer; undefined for others.
 */
function withLastDays(
  bounds: Float64Array,
  calendar: ReturnType<typeof modelPart>,
): { bounds: Float64Array; by: string } | undefined {
  const hour = bounds[0] - DAY_SECONDS * Math.floor(bounds[0] / DAY_SECONDS);
  const days = bounds.map((time) => time - hour);
  for (let i = 0; i < days.length; i += 2) {
    const [from, to] = [days[i] / DAY_SECONDS, days[i + 1] / DAY_SECONDS];
    const isLastDay = to > from && granularityOf(from, to, calendar) === undefined;
    if (!isLastDay || granularityOf(from, to + 1, calendar) === undefined) return undefined;
  }
  const longer = days.map((time, i) => (i % 2 === 1 ? time + DAY_SECONDS : time));
  return { bounds: longer, by: 'whose bounds end with the last day: each is taken a day longer' };
}

/** The least number of days between two times of consecutive months: from the start of February, or to its end. */
const LEAST_MONTH = 27;

/**
 * The bounds of the months that times without bounds stand for: each the month that it lies in, or the month before
 * where times are its end, one month after the start of the run. Undefined where times are no months apart; a
 * single time is one of a month where GRIB says so.
 */
function monthsOfTimes(
  array: ArrayLayout['array'],
  { seconds, init, calendar }: ArrayLayout['times'],
): { bounds: Float64Array; by: string } | undefined {
  const model = modelPart(calendar);
  const monthOf = (time: number) => {
    const [year, month] = dateText(model, Math.floor(time / DAY_SECONDS))
      .split('-')
      .map(Number);
    return 12 * year + month - 1;
  };
  const startOf = (month: number) => DAY_SECONDS * daysFromDate(model, Math.floor(month / 12), (month % 12) + 1, 1);
  const months = Array.from(seconds, monthOf);
  const areApart = months.every(
    (month, i) => i === 0 || (month > months[i - 1] && seconds[i] - seconds[i - 1] >= LEAST_MONTH * DAY_SECONDS),
  );
  const isNext = months.some((month, i) => i > 0 && month === months[i - 1] + 1);
  const isMonthly = isNext || MONTHLY_STEPS.test(textAttribute(array.attributes, 'GRIB_stepType') ?? '');
  if (!areApart || !isMonthly) return undefined;
  const areEnds =
    init !== undefined && monthOf(init) === months[0] - 1 && seconds.every((time, i) => time === startOf(months[i]));
  const bounds = months.flatMap((month) => (areEnds ? [month - 1, month] : [month, month + 1]).map(startOf));
  const by = areEnds
    ? 'each of the month that ends at its time, by the start of the run'
    : 'each of the month of its time';
  return { bounds: Float64Array.from(bounds), by };
}

/** Steps of ECMWF's monthly means: of forecasts, analyses and both. */
const MONTHLY_STEPS = /^avg(fc|ua|as|ad|id|va|ia)$/;

/** The kind of window that a period is; undefined where it is none. */
function granularityOf(from: number, to: number, calendar: ReturnType<typeof modelPart>): Granularity | undefined {
  if (!Number.isInteger(from) || !Number.isInteger(to) || to <= from || to - from > 31) return undefined;
  return GRANULARITIES.find((granularity) => {
    if (granularity === 'weekly' && calendar !== undefined) return false;
    return windowTable(granularity, from, to - 1, { calendar }).count === 1;
  });
}

function daySteps(edges: Float64Array, days: Float64Array): DailySteps {
  const firstDay = edges[0];
  const span = edges[edges.length - 1] - firstDay;
  const [firstStep, steps, whole] = [new Int32Array(span), new Int32Array(span), new Uint8Array(span)];
  for (const [step, length] of days.entries()) {
    const from = edges[2 * step] - firstDay;
    firstStep.fill(step, from, from + length);
    steps.fill(1, from, from + length);
    whole.fill(1, from, from + length);
  }
  return { firstDay, days: span, firstStep, steps, whole, seconds: new Float64Array(days.length).fill(DAY_SECONDS) };
}

/** The operator of CDO that made values of longer periods by adding up, as the history of a file says. */
export function summingOperator({ attributes }: ArrayFile): string | undefined {
  return /\bcdo\b.*[ ,-]((mon|week|dek|seas|year|timsel)sum)\b/.exec(textAttribute(attributes, 'history') ?? '')?.[1];
}

/** CDO keeps the units of what it adds up. */
function sumsOfRates({ name, attributes }: StoredArray, operator: string, units = 'mm'): string {
  const stated = textAttribute(attributes, 'units');
  return `${name} holds rates (${stated}) that CDO's ${operator} added up, as the history says: taken for mean rates, times the length of each period; ${mentionOption('units', `${units}/month`)} takes them for totals of months, ${mentionOption('units', stated)} for rates without this warning`;
}

/** Periods, and what says how the amounts in them are meant. */
interface RuledPeriods extends StoredPeriods {
  /** Whether amounts are stated to be totals of months. */
  readonly areTotals: boolean;
  /** The operator of CDO that made them, where rates may be totals. */
  readonly summedBy?: string | undefined;
}

/**
 * The rule by which each day has the value of its period: amounts are divided among its days, but for monthly means of
 * ECMWF, whose amounts are of a day: a warning where only the name of the array shows it. Throws DataError for other means
 * of amounts, which do not say over what time.
 */
export function periodRule(
  source: string,
  { array, times }: ArrayLayout,
  rule: DailyRule,
  { granularity, days, by, areTotals, summedBy }: RuledPeriods,
): { readonly rule: DailyRule; readonly warnings: readonly string[] } {
  const stored = `${granularity} values, as stored`;
  const conversions = [...rule.conversions, by === undefined ? stored : `${stored}, ${by}`];
  const noted = (others: Partial<DailyRule> = {}, warnings: readonly string[] = []) => ({
    rule: { ...rule, conversions, ...others },
    warnings,
  });
  if (rule.reduction !== 'sum' || granularity === 'daily') return noted();
  if (rule.areRates) return noted({}, summedBy === undefined ? [] : [sumsOfRates(array, summedBy, rule.units)]);
  const method = timeMethod(array.attributes);
  const isOfMonths = granularity === 'monthly' && times.bounds === undefined && !areTotals;
  if (isOfMonths && MONTHLY_STEPS.test(textAttribute(array.attributes, 'GRIB_stepType') ?? ''))
    return noted({ conversions: [...conversions, 'amounts are means of daily ones, as in monthly means of ECMWF'] });
  const own = array.name.slice(array.name.lastIndexOf('/') + 1);
  const inMetres = /^m(et(er|re)s?)?$/.test(textAttribute(array.attributes, 'units') ?? '');
  if (isOfMonths && method === undefined && inMetres && findProducer([own], '', new Map()) !== undefined) {
    const warning = `monthly amounts of ${array.name} in metres are taken for means of daily ones, as ECMWF writes them; ${mentionOption('units', 'm/month')} takes them for totals of months, ${mentionOption('units', 'm/day')} for means without this warning`;
    return noted({}, [warning]);
  }
  if (method !== 'mean' || areTotals) return noted({ weights: days.map((count) => 1 / count) });
  throw new DataError({
    ...{ source, column: array.name, problem: 'holds means of amounts, and does not state of what time' },
    ...{ received: 'cell method of time: mean', allowed: 'amounts of periods, or means of rates' },
  });
}
