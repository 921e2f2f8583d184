import type { NamedEnsemble } from '../ensemble/align-ensembles.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import { DataError, mentionOption, OptionError, unusable } from '../errors.js';
import { dateText, daysFromDate, daysInModelMonth, type ModelCalendar, parseCalendarDate } from '../period/calendar.js';
import type { ReferenceYears } from './climatology.js';
import { formatReference, yearRanges } from './reference-years.js';

/** Which runs a climatology is made of. */
export interface RunOptions {
  /**
   * Of hindcasts the runs that start on this day of the year, `MM-DD`, give or take `startDays`: a forecast is compared
   * with the climatology of its own start, and so of its own lead. Default: the day on which all of them start.
   */
  start?: string;
  /** How many days before and after `start` a run may start, 0 to 182. Default 0. */
  startDays?: number;
  /** Whether to pool runs of any start, and so the same period at different leads. Default false: they are an error. */
  mixLeads?: boolean;
}

/** A day of the year, and how far from it. */
export interface RunStart {
  /** `MM-DD`. */
  readonly date: string;
  readonly days: number;
}

/** The runs of a climatology, which are used whole. */
export interface ChosenRuns {
  /** Of a climatology by start and lead; undefined where leads are mixed. */
  readonly start: RunStart | undefined;
  /** The places of the runs among the inputs, and the years in which they start, by the nearest `start`. */
  readonly places: readonly number[];
  readonly years: readonly number[];
}

const MAX_START_DAYS = 182;
const DATE_FORM = /^(\d\d)-(\d\d)$/;

/** Throws OptionError unless this is a day of the year. */
export function checkStart(start: string): void {
  const parts = typeof start === 'string' ? DATE_FORM.exec(start) : null;
  const [, month = 0, day = 0] = parts?.map(Number) ?? [];
  if (month >= 1 && month <= 12 && day >= 1 && day <= daysInModelMonth('all_leap', month)) return;
  throw unusable('start', start, 'a day of the year, such as 03-01');
}

export function checkStartDays(days: number): void {
  if (Number.isInteger(days) && days >= 0 && days <= MAX_START_DAYS) return;
  throw unusable('startDays', days, `a whole number from 0 to ${MAX_START_DAYS}`);
}

/** The start of the runs that a climatology is made of, as its metadata state it; undefined where it is not by start. */
export function startOf(metadata: ReadonlyMap<string, string>): RunStart | undefined {
  const date = metadata.get('run_start');
  return date === undefined ? undefined : { date, days: Number(metadata.get('run_start_days') ?? 0) };
}

/** A start for people: `03-01, 3 days around`. */
export function startText({ date, days }: RunStart): string {
  return days > 0 ? `${date}, ${days} days around` : date;
}

/** What a climatology is of, for people: its source, and the start of its runs. */
export function referenceName(metadata: ReadonlyMap<string, string>): string | undefined {
  const source = metadata.get('tercile_reference') ?? metadata.get('source');
  const start = startOf(metadata);
  if (start === undefined) return source;
  const runs = `runs that start on ${startText(start)}, each lead by itself`;
  return source === undefined ? runs : `${source}: ${runs}`;
}

/** The day on which an ensemble's run starts, as its metadata state it. */
export function statedStart(
  metadata: ReadonlyMap<string, string>,
  calendar: ModelCalendar | undefined,
): number | undefined {
  const date = /^\d{4}-\d\d-\d\d/.exec(metadata.get('init_time') ?? '')?.[0];
  return date === undefined ? undefined : parseCalendarDate(calendar, date, 'init_time');
}

/** The nearest day with the date of a start: its year, and how many days a day lies from it. */
export function nearestStart(
  day: number,
  date: string,
  calendar: ModelCalendar | undefined,
): { readonly year: number; readonly days: number } {
  const [month, wanted] = date.split('-').map(Number);
  const year = Number(dateText(calendar, day).slice(0, 4));
  const found = [year - 1, year, year + 1].map((candidate) => {
    const last = daysFromDate(calendar, month === 12 ? candidate + 1 : candidate, (month % 12) + 1, 1) - 1;
    const at = Math.min(daysFromDate(calendar, candidate, month, 1) + wanted - 1, last);
    return { year: candidate, days: Math.abs(day - at) };
  });
  return found.reduce((best, next) => (next.days < best.days ? next : best));
}

/** Whether a climatology by start and lead is of runs that start when a forecast does; others are of any. */
export function isOfStart(metadata: ReadonlyMap<string, string>, initTime: string | undefined): boolean {
  const start = startOf(metadata);
  if (start === undefined || initTime === undefined) return true;
  return (
    nearestStart(parseCalendarDate(undefined, initTime.slice(0, 10), 'init_time'), start.date, undefined).days <=
    start.days
  );
}

/**
 * The runs of hindcasts that a climatology is made of, by start and lead unless leads are mixed on request; undefined
 * where inputs are no runs, as they do not state when they start, all state the same, or have one member each, as the
 * pieces of a history do, unless they are known to be runs. Throws OptionError where runs start on several days of the
 * year and none is named, and for options without effect; DataError where no run starts then.
 */
export function chooseRuns(
  inputs: readonly NamedEnsemble[],
  { start, startDays, mixLeads, reference }: RunOptions & { readonly reference: ReferenceYears },
  calendar: ModelCalendar | undefined,
  areRuns: boolean,
): ChosenRuns | undefined {
  const stated = inputs.map(({ ensemble }) => statedStart(ensemble.metadata, calendar));
  const starts = stated.filter((day) => day !== undefined);
  const isChosen = start !== undefined || startDays !== undefined;
  const isRequested = isChosen || mixLeads === true;
  const isHistory = !areRuns && !isRequested && inputs.every(({ ensemble }) => membersOf(ensemble) === 1);
  if (starts.length < inputs.length || isHistory || (new Set(starts).size < 2 && !isChosen)) {
    if (!isRequested) return undefined;
    const subject = start !== undefined ? 'start' : startDays !== undefined ? 'startDays' : 'mixLeads';
    const problem = 'is for hindcasts: several runs that state when they start';
    throw new OptionError({ subject, problem, received: startsText(starts, calendar) });
  }
  if (mixLeads === true && isChosen)
    throw new OptionError({ subject: 'mixLeads', problem: 'pools runs of any start; start chooses some of them' });
  if (mixLeads === true) {
    const all = starts.map((day, place) => ({ place, year: Number(dateText(calendar, day).slice(0, 4)) }));
    return { start: undefined, ...withinReference(all, reference) };
  }
  const dates = new Set(starts.map((day) => dateOf(day, calendar)));
  if (start === undefined && dates.size > 1) throw severalStarts(starts, calendar);
  const date = start ?? [...dates][0];
  const found = starts.map((day, place) => ({ place, ...nearestStart(day, date, calendar) }));
  const chosen = found.filter(({ days }) => days <= (startDays ?? 0));
  if (chosen.length === 0) {
    throw new DataError({
      source: inputs.length > 1 ? `${inputs[0].source} and others` : inputs[0].source,
      problem: `no run starts on ${startText({ date, days: startDays ?? 0 })}`,
      received: startsText(starts, calendar),
      allowed: mentionOption('start', ...dates),
    });
  }
  return { start: { date, days: startDays ?? 0 }, ...withinReference(chosen, reference) };
}

/** The runs that start within the reference years. Throws DataError where none does. */
function withinReference(
  runs: readonly { readonly place: number; readonly year: number }[],
  reference: ReferenceYears,
): Omit<ChosenRuns, 'start'> {
  const within = runs.filter(({ year }) => year >= reference.firstYear && year <= reference.lastYear);
  if (within.length === 0) {
    throw new DataError({
      problem: `no run starts within the reference ${formatReference(reference)}`,
      received: yearRanges([...new Set(runs.map(({ year }) => year))].sort((a, b) => a - b)),
      allowed: `${mentionOption('reference')} with years of these`,
    });
  }
  return { places: within.map(({ place }) => place), years: within.map(({ year }) => year) };
}

function membersOf({ parts: [{ field }] }: Ensemble): number {
  return field.members.length;
}

/** `02-29` counts as `02-28`: the runs of a day start on it in all years. */
function dateOf(day: number, calendar: ModelCalendar | undefined): string {
  const date = dateText(calendar, day).slice(5);
  return date === '02-29' && calendar === undefined ? '02-28' : date;
}

function severalStarts(starts: readonly number[], calendar: ModelCalendar | undefined): OptionError {
  return new OptionError({
    subject: 'start',
    problem: 'runs start on several days of the year, and have the same periods at different leads',
    received: startsText(starts, calendar),
    allowed: `one of them, by ${mentionOption('start')}, also with ${mentionOption('startDays')} around it; or ${mentionOption('mixLeads', true)}, to pool all leads`,
  });
}

/** The most days of the year that a message lists. */
const MAX_LISTED = 12;

/** The days of the year on which runs start, with the number of runs of each. */
function startsText(starts: readonly number[], calendar: ModelCalendar | undefined): string {
  const counts = new Map<string, number>();
  for (const day of starts) counts.set(dateOf(day, calendar), (counts.get(dateOf(day, calendar)) ?? 0) + 1);
  const texts = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([date, count]) => `${date} (${count})`);
  const more = texts.length - MAX_LISTED;
  return more > 0 ? `${texts.slice(0, MAX_LISTED).join(', ')} and ${more} more` : texts.join(', ') || 'no start';
}
