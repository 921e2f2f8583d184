/** Equally spaced numbers that values are, each rounded to float32. */
export interface FoundGrid {
  readonly quantum: number;
  readonly origin: number;
}

/** Numbers from `low` to `high`. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** So many distinct values are looked at. */
const MAX_DISTINCT = 4096;
/** The smallest difference may be of so many quanta. */
const MAX_STEPS = 48;
/** A quantum that is not so many times as large as the rounding of differences saves nothing. */
const MIN_ROUNDINGS = 3;
/** Smaller values, beside the largest one, are no multiples of a quantum. */
const MIN_SHARE = 2 ** -30;
/** Divisors of quanta: the steps of daily means. */
const DIVISORS = [1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 48];
/** Factors of quanta: of conversions of units. */
const FACTORS = [1, 1000, 86_400, 86_400_000, 1e-6, 0.0864, 100, 0.01, 5 / 9];

/**
 * Finds the grid that values were on before they became float32: numbers that GRIB or packed integers gave, and daily
 * means or sums of these. Differences of neighbours are multiples of the quantum, within their rounding, which narrows it
 * down; larger differences narrow it further. Undefined where there is none that is much coarser than float32. What is
 * found has to be tried on all values.
 */
export function findGrid(values: Float32Array): FoundGrid | undefined {
  const sorted = withoutRemainders(distinctFinite(values));
  if (sorted.length < 2) return undefined;
  const nearest = leastGap(sorted);
  const error = halfUlp(sorted[nearest]) + halfUlp(sorted[nearest + 1]);
  // Of values without a grid some are as near as float32 permits: that ends here, before the slower part.
  if (sorted[nearest + 1] - sorted[nearest] - error < MIN_ROUNDINGS * error) return undefined;
  const halves = halfUlps(sorted);
  const range = quantumRange(sorted, halves, nearest);
  return range && fitGrid(sorted, halves, range);
}

/**
 * The origins of values whose quantum is known, beside multiples of the quantum; undefined where they are not on such a
 * grid, and any number where there are no values.
 */
export function originRange(values: Float32Array, quantum: number): Range | undefined {
  let first: number | undefined;
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    first ??= value;
    const start = value - quantum * Math.round((value - first) / quantum);
    const half = halfUlp(value);
    if (start - half > low) low = start - half;
    if (start + half < high) high = start + half;
  }
  return low <= high ? { low, high } : undefined;
}

/** Like `originRange`, of as many values as have origins in common. */
export function originOfMost(values: Float32Array, quantum: number): Range | undefined {
  const all = originRange(values, quantum);
  if (all !== undefined) return all;
  const finite = values.filter(Number.isFinite);
  const starts = Float64Array.from(finite, (value) => value - quantum * Math.round((value - finite[0]) / quantum));
  const halves = halfUlps(finite);
  const lows = starts.map((start, i) => start - halves[i]).sort();
  const highs = starts.map((start, i) => start + halves[i]).sort();
  let [open, closed, most] = [0, 0, 0];
  let range: Range | undefined;
  for (const low of lows) {
    for (open++; highs[closed] < low; closed++) open--;
    if (open > most) [most, range] = [open, { low, high: highs[closed] }];
  }
  return range;
}

/** Whether a value is on a grid, or missing. */
export function isOnGrid(value: number, quantum: number, { low, high }: Range): boolean {
  if (Number.isNaN(value) || high === Number.POSITIVE_INFINITY) return true;
  const origin = (low + high) / 2;
  return Math.abs(value - origin - quantum * Math.round((value - origin) / quantum)) <= halfUlp(value);
}

/** Half of the last place of a float32. */
function halfUlp(value: number): number {
  SINGLE[0] = value;
  return HALVES[(PATTERN[0] >>> 23) & 255];
}

const SINGLE = /* @__PURE__ */ new Float32Array(1);
const PATTERN = /* @__PURE__ */ new Uint32Array(SINGLE.buffer);
const HALVES = /* @__PURE__ */ Float64Array.from({ length: 256 }, (_, e) => 2 ** (Math.max(1, e) - 151));

function halfUlps(values: Float32Array): Float64Array {
  return Float64Array.from(values, halfUlp);
}

/** Without what subtractions of float64 leave in place of 0, such as -1e-18 mm of rain. */
function withoutRemainders(sorted: Float32Array): Float32Array {
  const least = MIN_SHARE * Math.max(Math.abs(sorted[0]), Math.abs(sorted[sorted.length - 1]));
  const isRemainder = (value: number) => value !== 0 && Math.abs(value) < least;
  for (const value of sorted) {
    if (isRemainder(value)) return sorted.filter((each) => !isRemainder(each));
  }
  return sorted;
}

/** In ascending order. */
function distinctFinite(values: Float32Array): Float32Array {
  const step = Math.max(1, Math.floor(values.length / MAX_DISTINCT));
  const some = new Float32Array(Math.ceil(values.length / step));
  let count = 0;
  for (let i = 0; i < values.length; i += step) {
    if (Number.isFinite(values[i])) some[count++] = values[i];
  }
  const sorted = some.subarray(0, count).sort();
  let distinct = 0;
  for (let i = 0; i < count; i++) {
    if (i === 0 || sorted[i] !== sorted[distinct - 1]) sorted[distinct++] = sorted[i];
  }
  return sorted.subarray(0, distinct);
}

/** Where the least difference of neighbours is: the index of the lower one. */
function leastGap(sorted: Float32Array): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < sorted.length; i++) {
    const gap = sorted[i + 1] - sorted[i];
    if (gap < least) [nearest, least] = [i, gap];
  }
  return nearest;
}

/** The quanta that all differences permit, whose least one is at `nearest`. */
function quantumRange(sorted: Float32Array, halves: Float64Array, nearest: number): Range | undefined {
  const gap = (i: number) => sorted[i + 1] - sorted[i];
  const least = gap(nearest);
  const error = halves[nearest] + halves[nearest + 1];
  const order = Uint32Array.from({ length: sorted.length - 1 }, (_, i) => i);
  order.sort((a, b) => gap(a) - gap(b));
  for (let steps = 1; steps <= MAX_STEPS; steps++) {
    let range: Range | undefined = { low: (least - error) / steps, high: (least + error) / steps };
    if (range.low < MIN_ROUNDINGS * error) return undefined;
    for (const i of order) {
      range = narrowed(range, gap(i), halves[i] + halves[i + 1]);
      if (range === undefined) break;
    }
    for (let i = 1; range !== undefined && i < sorted.length; i = Math.max(i + 1, Math.floor(1.5 * i))) {
      range = narrowed(range, sorted[i] - sorted[0], halves[i] + halves[0]);
    }
    if (range !== undefined) {
      const last = sorted.length - 1;
      return narrowed(range, sorted[last] - sorted[0], halves[last] + halves[0]);
    }
  }
  return undefined;
}

/** The range of quanta that also permits a difference; the range itself where that may be several multiples. */
function narrowed(range: Range, difference: number, error: number): Range | undefined {
  const { low, high } = range;
  const multiple = Math.round((2 * difference) / (low + high));
  if (multiple === 0) return difference <= error ? range : undefined;
  if (multiple * (high - low) > low / 2) return range;
  const least = Math.max(low, (difference - error) / multiple);
  const most = Math.min(high, (difference + error) / multiple);
  return least <= most ? { low: least, high: most } : undefined;
}

/** The grid within the range that is furthest from the roundings of all values. */
function fitGrid(sorted: Float32Array, halves: Float64Array, range: Range): FoundGrid {
  const middle = (range.low + range.high) / 2;
  const steps = Float64Array.from(sorted, (value) => Math.round((value - sorted[0]) / middle));
  const origins = (quantum: number): Range => {
    let low = Number.NEGATIVE_INFINITY;
    let high = Number.POSITIVE_INFINITY;
    for (let i = 0; i < sorted.length; i++) {
      const start = sorted[i] - quantum * steps[i];
      low = Math.max(low, start - halves[i]);
      high = Math.min(high, start + halves[i]);
    }
    return { low, high };
  };
  let quantum = middle;
  const round = roundQuantum(range);
  const isRound = round !== undefined && isRange(origins(round));
  if (isRound) {
    quantum = round;
  } else {
    let { low, high } = range;
    const slack = (q: number) => {
      const found = origins(q);
      return found.high - found.low;
    };
    for (let turn = 0; turn < 48 && high > low; turn++) {
      const a = low + (high - low) / 3;
      const b = high - (high - low) / 3;
      if (slack(a) < slack(b)) low = a;
      else high = b;
    }
    quantum = (low + high) / 2;
  }
  const { low, high } = origins(quantum);
  return { quantum, origin: nearestOrigin(quantum, { low: Math.min(low, high), high: Math.max(low, high) }) };
}

function isRange({ low, high }: Range): boolean {
  return low <= high;
}

/** Among origins, and all whose distance is a multiple of the quantum: 0, or one near it. */
export function nearestOrigin(quantum: number, { low, high }: Range): number {
  const middle = (low + high) / 2;
  const shift = quantum * Math.round(middle / quantum);
  // Adding 0 makes 0 of -0.
  return low <= shift && shift <= high ? 0 : middle - shift + 0;
}

/** A quantum in the range as producers choose them: a power of two or of ten, by a divisor and a factor. */
function roundQuantum({ low, high }: Range): number | undefined {
  const middle = (low + high) / 2;
  for (const factor of FACTORS) {
    for (const divisor of DIVISORS) {
      const x = (middle * divisor) / factor;
      const candidates = [2 ** Math.round(Math.log2(x)), Number(`1e${Math.round(Math.log10(x))}`)];
      for (const candidate of candidates) {
        const quantum = (candidate * factor) / divisor;
        if (quantum >= low && quantum <= high) return quantum;
      }
    }
  }
  return undefined;
}
