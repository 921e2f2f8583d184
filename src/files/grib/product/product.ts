import type { FormatError } from '../../../errors.js';
import { messageError } from '../message-error.js';
import type { GribField } from '../messages.js';
import { Octets } from '../octets.js';
import { type Level, readLevel } from './level.js';
import { addTime, utcSeconds } from './time-unit.js';

/** What identifies a parameter: its numbers, and the centre that may have given them their meaning. */
export interface ParameterNumbers {
  /**
   * Where its numbers are listed: code table 4.2 of edition 2, table 2 of edition 1, or ECMWF's tables of edition 1.
   */
  readonly table: 'edition 2' | 'edition 1' | 'ecmwf';
  readonly discipline: number;
  readonly category: number;
  readonly number: number;
  /** Common code table C-11. */
  readonly centre: number;
}

/**
 * How a field was made of the values in its interval; `instant` for a single time, `other` for what has no name here.
 */
export type StepType = 'instant' | 'avg' | 'accum' | 'max' | 'min' | 'other';

/** Which member of an ensemble a field belongs to. */
interface MemberNumber {
  /** Code table 4.6: 0 and 1 are unperturbed, 2 negatively and 3 positively perturbed, 4 of several models. */
  readonly type: number;
  readonly number: number;
}

/** What a field is: its parameter, level, time and member. Times are seconds since 1970-01-01 UTC. */
export interface Product {
  readonly parameter: ParameterNumbers;
  readonly level: Level;
  /** The time at which the forecast begins, or of the analysis: the nominal one of the whole run. */
  readonly reference: number;
  /** Where the member begins at another time than its run. */
  readonly begin?: number;
  /** The interval that the values belong to; both are the same for an instant. */
  readonly start: number;
  readonly end: number;
  readonly stepType: StepType;
  readonly member: MemberNumber | undefined;
  /** What was computed from all members, by code table 4.7; undefined for the values of a member. */
  readonly derived: number | undefined;
  /** The version of the model that made a hindcast, as the date of the forecasts that it belongs to. */
  readonly modelVersion: number | undefined;
  /** What was taken against what its section says; for people. */
  readonly notice?: string;
}

/** Where the parts of a product definition template begin: octets. */
interface Template {
  readonly member?: true;
  readonly derived?: true;
  readonly modelVersion?: number;
  /** The end of the overall time interval; the number of time ranges comes after it. */
  readonly interval?: number;
}

const TEMPLATES: Readonly<Record<number, Template>> = {
  0: {},
  1: { member: true },
  2: { derived: true },
  8: { interval: 35 },
  11: { member: true, interval: 38 },
  12: { derived: true, interval: 37 },
  60: { member: true, modelVersion: 38 },
  61: { member: true, modelVersion: 38, interval: 45 },
};

/** ECMWF's discipline for its tables of edition 1. */
const ECMWF_DISCIPLINE = 192;
/** Common code table C-11. */
const ECMWF = 98;
/** Code table 4.10. */
const PROCESSES: Readonly<Record<number, StepType>> = { 0: 'avg', 1: 'accum', 2: 'max', 3: 'min' };
/** Octets of a time range. */
const RANGE_OCTETS = 12;

/** The number of a field's product definition template. */
export function templateNumber({ section4 }: GribField): number {
  return section4[7] * 256 + section4[8];
}

/**
 * Reads what a field is, from its sections 0, 1 and 4; undefined where its product definition template is not read, as
 * of probabilities. Throws FormatError for sections that are too short, dates that do not exist and time ranges that
 * contradict each other.
 */
export function readProduct(field: GribField): Product | undefined {
  const template = TEMPLATES[templateNumber(field)];
  if (template === undefined) return undefined;
  const identification = new Octets(field, 1, field.section1);
  const section = new Octets(field, 4, field.section4);
  const reference = readDate(identification, 13);
  const centre = identification.unsigned(6, 2);
  const isEcmwfTable = field.discipline === ECMWF_DISCIPLINE && centre === ECMWF;
  const start = addTo(section, reference, section.signedEither(19, 4), section.unsigned(18));
  return {
    parameter: {
      ...{ table: isEcmwfTable ? 'ecmwf' : 'edition 2', discipline: field.discipline, centre },
      ...{ category: section.unsigned(10), number: section.unsigned(11) },
    },
    level: readLevel(section, 23),
    ...{ reference, start },
    ...(template.interval === undefined
      ? { end: start, stepType: 'instant' }
      : readInterval(section, template.interval, { reference, start })),
    member: template.member && { type: section.unsigned(35), number: section.unsigned(36) },
    derived: template.derived && section.unsigned(35),
    modelVersion: template.modelVersion === undefined ? undefined : readDate(section, template.modelVersion),
  };
}

/** Reads seven octets with a date and time. */
function readDate(section: Octets, octet: number): number {
  const [month, day, hour, minute, second] = [2, 3, 4, 5, 6].map((after) => section.unsigned(octet + after));
  const year = section.unsigned(octet, 2);
  const seconds = utcSeconds(year, month, day, hour, minute, second);
  if (seconds !== undefined) return seconds;
  throw messageError(section.place, section.section, {
    problem: 'has a date that does not exist',
    received: `${year}-${month}-${day} ${hour}:${minute}:${second}`,
    allowed: 'a date and time of the calendar',
  });
}

function addTo(section: Octets, seconds: number, count: number, unit: number): number {
  const sum = addTime(seconds, count, unit);
  if (sum !== undefined) return sum;
  throw messageError(section.place, section.section, {
    problem: 'has a time that gives no date',
    received: `${count} units of time ${unit}`,
    allowed: 'units of code table 4.4, and times in the years 1 to 9999',
  });
}

/**
 * Reads the time ranges of a statistical product, and the end of the interval that they cover. Where the end is the
 * start, and the length is not 0, the forecast time is the end: the interval lies before it.
 */
function readInterval(
  section: Octets,
  octet: number,
  { reference, start }: { readonly reference: number; readonly start: number },
): Pick<Product, 'start' | 'end' | 'stepType' | 'notice'> {
  const count = section.unsigned(octet + 7);
  if (count === 0) {
    const problem = 'has no time range, though its template is one of values over an interval';
    throw messageError(section.place, section.section, { problem, allowed: 'at least one' });
  }
  const first = octet + 12;
  const processes = new Set(
    Array.from({ length: count }, (_, range) => section.unsigned(first + range * RANGE_OCTETS)),
  );
  const [process] = processes;
  const stepType = processes.size === 1 && Object.hasOwn(PROCESSES, process) ? PROCESSES[process] : 'other';
  const isStated = [0, 1, 2, 3].some((each) => ![0, 255].includes(section.unsigned(octet + each)));
  const length = section.known(first + 3, 4) === undefined ? undefined : section.signedEither(first + 3, 4);
  const unit = section.unsigned(first + 2);
  const byLength = length === undefined ? undefined : addTo(section, start, Math.abs(length), unit);
  const end = isStated ? readDate(section, octet) : length !== undefined && length < 0 ? start : byLength;
  if (count === 1 && length !== undefined && length !== 0 && end === start) {
    return { start: addTo(section, end, -Math.abs(length), unit), end, stepType, notice: ENDS_AT_START };
  }
  // Ranges within others, as of days within months, do not add up to the interval.
  const isContradiction = count === 1 && byLength !== undefined && byLength !== end;
  if (end === undefined || end < start || isContradiction) throw intervalError(section, start, end, byLength);
  if (end === start && start !== reference && stepType !== 'other') throw emptyInterval(section, start);
  return { start, end, stepType };
}

/** The error for values over an interval of no length: only at the start of a run they are what there is before the first step. */
export function emptyInterval(section: Octets, start: number): FormatError {
  return messageError(section.place, section.section, {
    problem: 'has a value over an interval of no length, so that it is not known what hours it is of',
    received: `start and end ${new Date(start * 1000).toISOString().replace('.000', '')}`,
    allowed: 'an interval of some length, or the start of the run',
  });
}

const ENDS_AT_START =
  'the interval ends where it starts, though it has a length: that much time before its end is taken';

function intervalError(section: Octets, start: number, end: number | undefined, byLength: number | undefined) {
  const text = (seconds: number | undefined) =>
    seconds === undefined ? 'not stated' : new Date(seconds * 1000).toISOString().replace('.000', '');
  return messageError(section.place, section.section, {
    problem: 'has an interval whose end contradicts its start or its length',
    received: `from ${text(start)}, end ${text(end)}, by its length ${text(byLength)}`,
    allowed: 'an interval that ends where its length says',
  });
}
