import { mentionOption, OptionError, subjectIn } from '../errors.js';
import { DAY_SECONDS } from '../period/day.js';
import { dailySteps, type Stamps } from './daily-steps.js';
import {
  type Finding,
  findLostWords,
  findProducer,
  findWords,
  type StatedTexts,
  type StepEnd,
  stepRanges,
} from './time-evidence.js';

/** The evidence for what times stand for, strongest first. */
export type TimeEvidenceKind =
  | 'option'
  | 'growth'
  | 'instant'
  | 'bounds'
  | 'step-ranges'
  | 'words'
  | 'step-type'
  | 'date'
  | 'data'
  | 'producer'
  | 'default';

/** What the times of an array or a column stand for, and by which evidence. */
export interface TimeMeaning {
  /** The start, the middle or the end of the step of a value, or the instant that it is of. */
  readonly stamps: Stamps;
  readonly evidence: TimeEvidenceKind;
  /** The evidence for people: `by long_name`. */
  readonly by: string;
  /** What may be wrong: a default that changes numbers, or evidence that contradicts the stronger one. */
  readonly warnings: readonly string[];
}

/** What is known of the times of an array or a column. */
export interface TimesOfValues {
  /** The name of the array or the column. */
  readonly name: string;
  readonly source?: string;
  /** Ascending, in seconds. */
  readonly times: Float64Array;
  /** What the caller says. */
  readonly requested?: Stamps;
  /** How values represent the time of their step, where it is stated. */
  readonly method?: string;
  /** GRIB's type of the step. */
  readonly stepType?: string;
  /** Whether the variable is one over a time: an amount, a rate, an extreme. Other values are of instants. */
  readonly isOverTime: boolean;
  /** Attributes of the array or column, and of the coordinate of time. */
  readonly texts: StatedTexts;
  readonly axisTexts?: StatedTexts;
  readonly history?: string;
  readonly bounds?: Float64Array;
  /** The name of the coordinate, and of bounds that it names and the file does not have. */
  readonly coordinate?: string;
  readonly absentBounds?: string;
  /** When the run began. */
  readonly init?: number;
  /** Whether the axis counts leads. */
  readonly hasLeads?: boolean;
  /** Whether values begin at the start of the run: undefined where this was not looked at. */
  readonly atStart?: 'missing' | 'values';
  /** What its producer documents. */
  readonly documented?: Finding;
}

/** Times that are written as fractions of days are not exact. */
const TOLERANCE = 60;

/**
 * Decides which end of its step each time stands for. Instants have no step, whatever bounds the axis has. Of other
 * values the strongest evidence counts: bounds, GRIB's step ranges, words of `cell_methods` and of other attributes,
 * types of steps, the data, and names and `history` of known producers. Without evidence, daily values are of the date
 * that is written; times amid their steps are middles; times of a run are ends; others are starts.
 *
 * Warnings name what was taken where only data, a producer or a default decide, and another end would give other days,
 * and where stated evidence contradicts the stronger one.
 *
 * Throws OptionError for daily values whose metadata are of shorter steps that no longer exist, without leads.
 */
export function decideTimes(known: TimesOfValues): TimeMeaning {
  const { requested, method, times, bounds } = known;
  if (requested !== undefined) {
    return { stamps: requested, evidence: 'option', by: `by ${mentionOption('stamps')}`, warnings: [] };
  }
  if (method === 'point') return { stamps: 'instant', evidence: 'instant', by: instantBy(known), warnings: [] };
  const step = times.length < 2 ? DAY_SECONDS : firstStep(times);
  const isDaily = areDaysApart(times);
  const stated: (Finding & { evidence: TimeEvidenceKind })[] = [];
  const add = (evidence: TimeEvidenceKind, finding: Finding | undefined) => {
    if (finding !== undefined) stated.push({ ...finding, evidence });
  };
  add('bounds', bounds && endOfBounds(times, bounds));
  add('step-ranges', endOfRanges(known));
  add('words', findWords(known.texts, step, isDaily) ?? findAxisWords(known, step, isDaily));
  add('words', known.documented);
  const ofType = endOfStepType(known);
  // A mean may be of the day itself, as in C3S; sums, minima and maxima of a day are made of shorter steps.
  const ofSteps = ofType === undefined || ofType.by.endsWith('avg') ? undefined : ofType;
  const isLost =
    isDaily && hasDays(times) && stated.length === 0 && isMidnight(times) && (ofSteps ?? findLostWords(known.texts));
  if (isLost) return meaningOfLostSteps(known, typeof isLost === 'string' ? isLost : isLost.by.slice(3));
  add('step-type', ofType);
  const [taken, ...others] = stated;
  if (taken !== undefined) {
    const absent = absentBounds(known, taken.stamps, isDaily);
    return { ...pick(taken), warnings: [...absent, ...contradictions(known, taken, others)] };
  }
  const isInstant = method === undefined && /\binstantaneous\b/i.test(String(known.texts.get('long_name') ?? ''));
  const isOfInterval = !isInstant && (method !== undefined || known.isOverTime);
  if (!isOfInterval) {
    const ofInstants = isInstant ? 'by long_name' : 'values without a cell method are of instants, as CF says';
    const by = isDaily ? 'the date that is written' : ofInstants;
    const instant = { stamps: isDaily ? 'start' : 'instant', evidence: isDaily ? 'date' : 'default', by } as const;
    const absent = absentBounds(known, 'start', isDaily);
    return { ...instant, warnings: isDaily && isInstant ? [...absent, oneADay(known)] : absent };
  }
  return assumed(known, isDaily);
}

function pick({ stamps, evidence, by }: Finding & { evidence: TimeEvidenceKind }) {
  return { stamps, evidence, by };
}

/** What is taken where nothing states it: by the data, by the producer, or by default. */
function assumed(known: TimesOfValues, isDaily: boolean): TimeMeaning {
  const { times, init, atStart, hasLeads } = known;
  const isOfRun = hasLeads || init !== undefined;
  const first = init === undefined ? Number.NaN : times[0] - init;
  const beginsLater = Math.abs(first - (isDaily ? DAY_SECONDS : firstStep(times))) <= TOLERANCE;
  const candidates: (Finding & { evidence: TimeEvidenceKind })[] = [];
  const add = (evidence: TimeEvidenceKind, stamps: StepEnd, by: string) => candidates.push({ evidence, stamps, by });
  if (!isDaily && areAmidSteps(times)) add('default', 'middle', 'as they lie amid their steps');
  if (atStart === 'missing')
    add('data', 'end', 'as there is no value at the start of the run, where another array has one');
  if (beginsLater)
    add('data', 'end', `as they begin ${hoursText(first)} after the start of the run, with the first step`);
  if (atStart === 'values') add('data', 'start', 'as there are values at the start of the run');
  if (!isDaily) {
    const producer = findProducer(namesOf(known), known.history ?? '', known.axisTexts ?? new Map());
    if (producer) candidates.push({ ...producer, evidence: 'producer' });
    if (isOfRun) add('default', 'end', 'as forecasts stamp values, since nothing states it');
    add('default', 'start', 'since nothing states it');
  } else add('date', 'start', 'the date that is written');
  const [taken] = candidates;
  const meaning = pick(taken);
  const absent = absentBounds(known, taken.stamps, isDaily);
  const isPlain = taken.evidence === 'date' || taken.stamps === 'middle' || !changesDays(times);
  return { ...meaning, warnings: isPlain || absent.length > 0 ? absent : [takenText(known, taken, isDaily)] };
}

/** Daily values with metadata of shorter steps: of a run they are ends where they begin with its first day. */
function meaningOfLostSteps(known: TimesOfValues, words: string): TimeMeaning {
  const { times, init, name, source } = known;
  const lead = init === undefined ? Number.NaN : times[0] - init;
  if (lead >= DAY_SECONDS - TOLERANCE) return { stamps: 'end', evidence: 'step-type', by: `by ${words}`, warnings: [] };
  if (Math.abs(lead) <= TOLERANCE) {
    const start = { stamps: 'start', evidence: 'data', by: 'as they begin at the start of the run' } as const;
    return { ...start, warnings: [takenText(known, start, true)] };
  }
  throw new OptionError({
    subject: subjectIn(source, 'stamps'),
    problem: `${name} has values a day apart at 00 UTC, but metadata of shorter steps (${words}): nothing shows which end of its day a time stands for`,
    allowed: mentionOption('stamps', 'start', 'end'),
  });
}

function takenText({ name }: TimesOfValues, { stamps, by }: Pick<Finding, 'stamps' | 'by'>, isDaily: boolean): string {
  return `times of ${name} are taken for the ${stamps}s of ${isDaily ? 'days' : 'steps'}, ${by}; ${mentionOption('stamps')} decides otherwise`;
}

/** Words of an instant may be left from the steps that a daily value was made of. */
function oneADay({ name }: TimesOfValues): string {
  return `${name} has one value a day, and its long_name says "instantaneous": each is taken for its whole day; ${mentionOption('stamps')} says so without a warning`;
}

function absentBounds({ coordinate, absentBounds: named, name }: TimesOfValues, stamps: StepEnd, isDaily: boolean) {
  if (named === undefined) return [];
  const taken = `times of ${name} are taken for the ${stamps}s of ${isDaily ? 'days' : 'steps'}`;
  return [
    `bounds of ${coordinate} are named ${named}, and there is no such array: ${taken}; ${mentionOption('stamps')} decides otherwise`,
  ];
}

/** Stated evidence that says another end than what was taken, where that would give other days. */
function contradictions(
  known: TimesOfValues,
  taken: Finding & { evidence: TimeEvidenceKind },
  others: readonly (Finding & { evidence: TimeEvidenceKind })[],
): string[] {
  const isOpposite = ({ stamps }: Finding) =>
    stamps !== taken.stamps && stamps !== 'middle' && taken.stamps !== 'middle';
  // GRIB's type alone says that there is a step, and by custom which end is stamped.
  const other = others.find((each) => isOpposite(each) && each.evidence !== 'step-type');
  if (other === undefined || !changesDays(known.times)) return [];
  const words = other.words === undefined ? '' : ` "${other.words}"`;
  return [
    `times of ${known.name} are the ${taken.stamps}s of their steps ${taken.by}, but their ${other.stamps}s ${other.by}${words}: the former was taken; ${mentionOption('stamps')} decides otherwise`,
  ];
}

function instantBy({ texts, stepType }: TimesOfValues): string {
  const isStated = String(texts.get('cell_methods') ?? '').includes('point');
  return isStated || stepType === undefined ? 'by cell_methods' : 'by the type of its steps, instant';
}

/** The end of their bounds that times stand at; the middle for all others. */
function endOfBounds(times: Float64Array, bounds: Float64Array): Finding {
  const by = 'by the bounds of time';
  const areAt = (side: 0 | 1) => times.every((time, step) => Math.abs(time - bounds[2 * step + side]) <= TOLERANCE);
  return { stamps: areAt(0) ? 'start' : areAt(1) ? 'end' : 'middle', by };
}

function endOfRanges({ texts, times, init }: TimesOfValues): Finding | undefined {
  const ranges = stepRanges(texts, times.length);
  if (ranges === undefined || !ranges.some((step, i) => i % 2 === 1 && step > ranges[i - 1])) return undefined;
  const areStarts =
    init !== undefined && times.every((time, i) => Math.abs(time - init - 3600 * ranges[2 * i]) <= TOLERANCE);
  return { stamps: areStarts ? 'start' : 'end', by: 'by the step ranges of GRIB' };
}

function findAxisWords({ axisTexts, coordinate }: TimesOfValues, step: number, isDaily: boolean): Finding | undefined {
  return axisTexts && findWords(axisTexts, step, isDaily, ` of ${coordinate ?? 'time'}`);
}

/** GRIB, and what is made from it, stamps values of an interval at its end. */
function endOfStepType({ stepType, texts }: TimesOfValues): Finding | undefined {
  if (stepType === undefined || stepType === 'instant') return undefined;
  const name = texts.has('GRIB_stepType') ? 'GRIB_stepType' : 'step_type';
  return { stamps: 'end', by: `by ${name} ${stepType}` };
}

function namesOf({ name, texts }: TimesOfValues): string[] {
  const own = name.slice(name.lastIndexOf('/') + 1);
  const others = ['GRIB_shortName', 'short_name', 'GRIB_cfVarName'].map((key) => texts.get(key));
  return [own, ...others].filter((each) => typeof each === 'string');
}

function firstStep(times: Float64Array): number {
  return times.length < 2 ? Number.NaN : times[1] - times[0];
}

/** Whether values are daily: all times are days apart. */
export function areDaysApart(times: Float64Array): boolean {
  for (let i = 1; i < times.length; i++) {
    const days = (times[i] - times[i - 1]) / DAY_SECONDS;
    if (days < 0.5 || Math.abs(days - Math.round(days)) * DAY_SECONDS > TOLERANCE) return false;
  }
  return times.length > 1;
}

/** Whether two times are a day apart: the others may be missing, but values are not of weeks or months. */
function hasDays(times: Float64Array): boolean {
  return times.some((time, i) => i > 0 && time - times[i - 1] <= DAY_SECONDS + TOLERANCE);
}

function isMidnight([time]: Float64Array): boolean {
  return Math.abs(time - DAY_SECONDS * Math.round(time / DAY_SECONDS)) <= TOLERANCE;
}

/** Whether all times are half a step after a multiple of the step. */
function areAmidSteps(times: Float64Array): boolean {
  if (times.length < 2) return false;
  for (let i = 0; i < times.length; i++) {
    const isAmid = [times[i + 1] - times[i], times[i] - times[i - 1]].some((step) => {
      const rest = ((times[i] % step) + step) % step;
      return step <= DAY_SECONDS && Math.abs(rest - step / 2) <= TOLERANCE;
    });
    if (!isAmid) return false;
  }
  return true;
}

/** Whether starts and ends give other days. */
function changesDays(times: Float64Array): boolean {
  try {
    const [starts, ends] = (['start', 'end'] as const).map((stamps) => dailySteps(times, { stamps }));
    return (
      starts.firstDay !== ends.firstDay ||
      starts.days !== ends.days ||
      starts.firstStep.some((step, day) => step !== ends.firstStep[day] || starts.steps[day] !== ends.steps[day])
    );
  } catch {
    return true;
  }
}

function hoursText(seconds: number): string {
  return seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds / 60} min`;
}
