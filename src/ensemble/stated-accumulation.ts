import { type Amounts, type StepEdges, sameTime } from './accumulation.js';

/**
 * What a file states about the values of an array or a column: attributes of CF and of cfgrib, texts and numbers
 * unchanged.
 */
export type StatedTexts = ReadonlyMap<string, unknown>;

/** Attributes whose texts may state what amounts count. */
const TEXTS = ['cell_methods', 'long_name', 'GRIB_name', 'description', 'comment'];
const RANGES = ['GRIB_stepRange', 'GRIB_startStep'];
const SINCE_START =
  /\b(since|from) (the )?((model|forecast|run|simulation) )?(start|beginning|initiali[sz]ation|initial time)\b|\b(since|from) (the )?(forecast|run) (reference|init)/i;
const OF_HOURS =
  /\b(\d+)[-_ ]?h(?:ou)?r?s?[-_ ]accumul|\baccumul\w* (?:in|over|during|of) (?:the )?(?:last|past|previous|preceding) (?:(\d+)[-_ ]?)?h/i;

/** Whether metadata have an attribute that may state what amounts count. */
export function mayStateAmounts(texts: StatedTexts): boolean {
  return [...TEXTS, ...RANGES].some((name) => texts.has(name));
}

/**
 * What amounts count, as metadata state it; undefined if they leave it open: `GRIB_stepType: accum` alone and `time:
 * sum` are used for all kinds. `bounds` are the start and the end of each step in turn, if the file has them: if all
 * begin with the run, amounts are since its start. GRIB's ranges of steps are read in the same way, and words such as
 * "accumulated since the start of the forecast".
 */
export function statedAmounts(texts: StatedTexts, edges: StepEdges, bounds?: Float64Array): Amounts | undefined {
  const { length } = edges.starts;
  if (length < 2) return undefined;
  if (bounds !== undefined) {
    const [lower, upper] = [0, 1].map((side) => Float64Array.from({ length }, (_, step) => bounds[2 * step + side]));
    const stated = amountsOfRanges(lower, upper, sameTime, 'by the bounds of time');
    if (stated !== undefined) return { ...stated, fresh: stated.fresh && withFirst(stated.fresh, lower, edges) };
  }
  return amountsOfSteps(texts, edges) ?? amountsOfWords(texts, edges);
}

/** The first amount is that of its step if its range begins with the step. */
function withFirst(fresh: Uint8Array, lower: Float64Array, { starts }: StepEdges): Uint8Array {
  return fresh.with(0, sameTime(lower[0], starts[0]) ? 1 : 0);
}

function amountsOfRanges(
  lower: Float64Array,
  upper: Float64Array,
  isSame: (one: number, other: number) => boolean,
  by: string,
): Amounts | undefined {
  const fresh = new Uint8Array(lower.length).fill(1);
  // The first may be an instant: the start of the run.
  const first = upper[0] > lower[0] ? 0 : 1;
  if (first + 1 >= lower.length) return undefined;
  for (let step = first + 1; step < lower.length; step++) {
    if (!(upper[step] > lower[step])) return undefined;
    if (isSame(lower[step], lower[step - 1]) && upper[step] > upper[step - 1]) fresh[step] = 0;
    else if (lower[step] < upper[step - 1] && !isSame(lower[step], upper[step - 1])) return undefined;
  }
  const growing = fresh.filter((is) => is === 0).length;
  if (growing === 0) return { kind: 'per-step', by };
  return { kind: growing === lower.length - 1 - first ? 'since-start' : 'buckets', by, fresh };
}

/** By `GRIB_stepRange`, `0-6`, one for each step, or by `GRIB_startStep`, one for all or for each. */
function amountsOfSteps(texts: StatedTexts, edges: StepEdges): Amounts | undefined {
  const { length } = edges.starts;
  const ranges = listOf(texts.get('GRIB_stepRange')).map((range) => /^(\d+)-(\d+)$/.exec(range));
  const starts = listOf(texts.get('GRIB_startStep')).map(Number);
  const ends = listOf(texts.get('GRIB_endStep')).map(Number);
  const by = 'by the step ranges of GRIB';
  const isEqual = (one: number, other: number) => one === other;
  if (ranges.length === length && ranges.every((range) => range !== null)) {
    const side = (which: number) => Float64Array.from(ranges, (range) => Number(range?.[which]));
    return knownByRange(amountsOfRanges(side(1), side(2), isEqual, by), side(1), side(2), edges);
  }
  if (starts.length === length && ends.length === length) {
    const [lower, upper] = [Float64Array.from(starts), Float64Array.from(ends)];
    return knownByRange(amountsOfRanges(lower, upper, isEqual, by), lower, upper, edges);
  }
  // All messages have the same start, and different ends.
  const isOneRange = ranges.length > 0 || ends.length === 1;
  return starts.length === 1 && starts[0] === 0 && !isOneRange ? { kind: 'since-start', by } : undefined;
}

/**
 * Ranges count from the start of the run: the first amount is that of its step if its range has the length of the step.
 */
function knownByRange(
  amounts: Amounts | undefined,
  lower: Float64Array,
  upper: Float64Array,
  { starts, ends }: StepEdges,
): Amounts | undefined {
  if (amounts?.fresh === undefined) return amounts;
  const perUnit = (ends[1] - ends[0]) / (upper[1] - upper[0]);
  const isOfStep = sameTime((upper[0] - lower[0]) * perUnit, ends[0] - starts[0]);
  return { ...amounts, fresh: amounts.fresh.with(0, isOfStep ? 1 : 0) };
}

function amountsOfWords(texts: StatedTexts, { starts, ends }: StepEdges): Amounts | undefined {
  for (const name of TEXTS) {
    const text = texts.get(name);
    if (typeof text !== 'string') continue;
    if (SINCE_START.test(text)) return { kind: 'since-start', by: `by ${name}` };
    const hours = OF_HOURS.exec(text);
    if (hours === null) continue;
    const seconds = 3600 * Number(hours[1] ?? hours[2] ?? 1);
    if (starts.every((start, step) => sameTime(ends[step] - start, seconds)))
      return { kind: 'per-step', by: `by ${name}` };
  }
  return undefined;
}

/** The items of a list, or of a text that lists them. */
function listOf(value: unknown): string[] {
  if (typeof value === 'number' || typeof value === 'string')
    return String(value)
      .split(/[,;\s]+/)
      .filter(Boolean);
  return Array.isArray(value) || ArrayBuffer.isView(value)
    ? Array.from(value as unknown as ArrayLike<unknown>, String)
    : [];
}
