import { unusable } from '../../errors.js';
import { measureOf } from '../../statistics/statistic-kinds.js';
import { niceDomain, ticksOf } from '../linear-scale.js';
import type { MapField } from './map-field.js';
import { PALETTES, type Palette } from './palettes.js';

/** Classes of values, each with a colour. */
export interface ValueClasses {
  /** The limits between classes, ascending, with the lowest and the highest: one more than there are classes. */
  readonly limits: readonly number[];
  /** A colour for each class, such as `#a0b1c2`. */
  readonly colours: readonly string[];
  /** A limit as it is shown. */
  readonly label: (limit: number) => string;
  /** Whether values that are seen lie outside of the limits: they belong to the outermost classes. */
  readonly areExceeded: boolean;
}

/** About how many classes there are. */
const CLASSES = 9;
const SHARES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
/** Steps of amounts that differ by orders of magnitude. */
const SERIES = [5, 2, 1];
const MAX_SERIES = 9;

/**
 * Creates the classes of those values of a field that are seen, between the `given` limits if there are any; undefined
 * where all are missing.
 */
export function valueClasses(field: MapField, seen: Float64Array, given?: readonly number[]): ValueClasses | undefined {
  const [low, high] = rangeOf(seen);
  if (low > high) return undefined;
  const limits = given ?? (isShare(field) ? shareLimits(seen, low, high) : valueLimits(field, seen, low, high));
  return {
    ...{ limits, colours: coloursOf(limits, field) },
    label: isShare(field) ? (limit) => numberText(100 * limit) : numberText,
    areExceeded: low < limits[0] || high > limits[limits.length - 1],
  };
}

/** So many classes are in use at least, where values differ so much. */
const MIN_USED = 5;

/** Steps of 10 %; where shares lie close together, finer steps around them, of which at least five are in use if any are. */
function shareLimits(values: Float64Array, low: number, high: number): readonly number[] {
  for (const step of [10, 5, 2, 1]) {
    const limits =
      step === 10
        ? SHARES
        : Array.from(
            { length: Math.ceil((100 * high) / step - 1e-9) - Math.floor((100 * low) / step + 1e-9) + 1 },
            (_, k) => (step * (Math.floor((100 * low) / step + 1e-9) + k)) / 100,
          );
    if (limits.length > 2 && usedClasses(limits, values) >= MIN_USED) return limits;
  }
  return SHARES;
}

/** How many classes have values, up to `MIN_USED`. */
function usedClasses(limits: readonly number[], values: Float64Array): number {
  const used = new Set<number>();
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    used.add(classOf({ limits }, value));
    if (used.size === MIN_USED) break;
  }
  return used.size;
}

/** Numbers of classes, of which the first is chosen with which enough classes are in use. */
const FINER = [CLASSES, 14, 20];
/** The share of values on each side that may lie beyond the limits, where the classes in use would be too few otherwise. */
const TAIL = 0.02;

/**
 * Limits with which at least five classes are in use, where values differ so much: round ones that hold all values, finer
 * ones, or ones that hold all but the lowest and the highest.
 */
function valueLimits(field: MapField, values: Float64Array, low: number, high: number): number[] {
  const usual = chooseLimits(field, values, low, high);
  if (usedClasses(usual, values) >= MIN_USED || !areVaried(values)) return usual;
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const tail = Math.floor(TAIL * sorted.length);
  const inner = [sorted[tail], sorted[sorted.length - 1 - tail]] as const;
  const others = [
    ...FINER.map((count) => roundLimits(low, high, count)),
    ...FINER.map((count) => roundLimits(...inner, count)),
  ];
  return others.find((limits) => usedClasses(limits, values) >= MIN_USED) ?? usual;
}

/** Whether so many values differ as classes are to be in use. */
function areVaried(values: Float64Array): boolean {
  const found = new Set<number>();
  for (const value of values) {
    if (!Number.isNaN(value)) found.add(value);
    if (found.size === MIN_USED) return true;
  }
  return false;
}

/** The lowest and the highest value; Infinity and -Infinity where all are missing. */
export function rangeOf(values: Float64Array): readonly [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  // By index: a million values take a third of the time.
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** Limits that hold all values. Amounts are uneven where more than half of them are below a quarter of the highest. */
function chooseLimits(field: MapField, values: Float64Array, low: number, high: number): number[] {
  if (!isAmount(field) || low < 0) return roundLimits(low, high);
  let [small, all] = [0, 0];
  for (const value of values) {
    if (value < high / 4) small++;
    if (!Number.isNaN(value)) all++;
  }
  return small > all >> 1 ? seriesUpTo(high) : roundLimits(low, high);
}

/** The greatest number of limits that are told from each other. */
const MAX_LIMITS = 40;

/** Throws OptionError for what is not a list of limits. */
export function checkLimits(limits: readonly number[]): void {
  const isList = Array.isArray(limits) && limits.length >= 2 && limits.length <= MAX_LIMITS;
  if (isList && limits.every((limit, i) => Number.isFinite(limit) && (i === 0 || limit > limits[i - 1]))) return;
  throw unusable('limits', limits, `2 to ${MAX_LIMITS} numbers, ascending`);
}

/**
 * The class of a value: limits belong to the class above, the highest to the last one; values outside of all limits to
 * the outermost classes.
 */
export function classOf({ limits }: Pick<ValueClasses, 'limits'>, value: number): number {
  let [low, high] = [0, limits.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (value >= limits[middle]) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whether values are shares of members. */
export function isShare({ statistic }: MapField): boolean {
  return measureOf(statistic) === 'share';
}

function isAmount({ statistic, window }: MapField): boolean {
  return window === 'sum' && (measureOf(statistic) ?? 'value') === 'value';
}

function roundLimits(low: number, high: number, count = CLASSES): number[] {
  const margin = low === high ? Math.abs(low) * 0.1 || 1 : 0;
  const [from, to] = niceDomain([low - margin, high + margin], count);
  const limits = ticksOf([from, to], count);
  return [...(limits[0] > from ? [from] : []), ...limits, ...(limits[limits.length - 1] < to ? [to] : [])];
}

/** 0, 1, 2, 5, 10, ...: amounts that differ by orders of magnitude. */
function seriesUpTo(high: number): number[] {
  const limits: number[] = [];
  const exponent = Math.ceil(Math.log10(high));
  for (let power = exponent; limits.length < MAX_SERIES; power--) {
    for (const step of SERIES) {
      const limit = Number(`${step}e${power}`);
      // The highest limit is the least one that is not below the highest value.
      if (limit >= high) limits[0] = limit;
      else if (limits.length < MAX_SERIES) limits.push(limit);
    }
  }
  return [0, ...limits.reverse()];
}

/**
 * Colours in the order of their lightness, or on both sides of zero. All are of ColorBrewer or viridis, which
 * colour-blind people see in order.
 */
function coloursOf(limits: readonly number[], field: MapField): string[] {
  const middles = limits.slice(1).map((limit, i) => (limit + limits[i]) / 2);
  const zero = zeroOf(field);
  const [low, high] = [limits[0], limits[limits.length - 1]];
  if (zero !== undefined && ((low < zero && high > zero) || isDifference(field))) {
    const most = Math.max(high - zero, zero - low);
    const palette: Palette = isWater(field) ? PALETTES.BrBG : (share) => PALETTES.RdBu(1 - share);
    return middles.map((middle) => palette(0.5 + (0.46 * (middle - zero)) / most));
  }
  const palette = sequentialColours(field, high);
  const count = middles.length;
  return middles.map((_, i) => palette(count === 1 ? 0.5 : i / (count - 1)));
}

/** The value from which colours diverge: none for an anomaly, the freezing point. */
function zeroOf(field: MapField): number | undefined {
  const { statistic, units } = field;
  const measure = measureOf(statistic);
  if (isDifference(field)) return 0;
  if (measure !== 'value') return undefined;
  return units === '°C' || units === 'degC' ? 0 : units === 'K' ? 273.15 : undefined;
}

function isDifference({ statistic, isDifference: isStated }: MapField): boolean {
  return isStated ?? measureOf(statistic) === 'difference';
}

function isWater({ window }: MapField): boolean {
  return window === 'sum';
}

function sequentialColours(field: MapField, high: number): Palette {
  // The ends of palettes are nearly white or black.
  const within = (palette: Palette, from: number, to: number) => (share: number) => palette(from + share * (to - from));
  if (isShare(field)) return within(PALETTES.BuPu, 0.04, 1);
  if (measureOf(field.statistic) === 'deviation') return within(PALETTES.YlOrBr, 0.05, 0.95);
  const zero = zeroOf(field);
  if (zero !== undefined) {
    return high <= zero ? within(PALETTES.PuBu, 0.95, 0.05) : within(PALETTES.YlOrRd, 0.03, 1);
  }
  if (isAmount(field)) return within(PALETTES.YlGnBu, 0.03, 1);
  return within(PALETTES.viridis, 0, 0.96);
}

function numberText(value: number): string {
  return String(Number(value.toPrecision(6))).replace('-', '\u2212');
}
