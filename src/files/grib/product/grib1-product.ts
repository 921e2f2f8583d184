import { messageError } from '../message-error.js';
import type { Grib1Field } from '../messages.js';
import { Octets } from '../octets.js';
import { readGrib1Level } from './level.js';
import { intrinsicInterval, intrinsicProcess } from './parameter.js';
import { emptyInterval, type ParameterNumbers, type Product, type StepType } from './product.js';
import { addTime, utcSeconds } from './time-unit.js';

/** The times of a field, and how it was made of the values in its interval. */
type Times = Pick<Product, 'start' | 'end' | 'stepType'>;

/** Common code table C-1. */
const ECMWF = 98;
/** Versions of table 2 from here on have the meaning that a centre gives them. */
const LOCAL_TABLE = 128;
/** A verifying month, `yyyymm`. */
const MONTH = /^(\d{4})(0[1-9]|1[0-2])$/;

/** Types of fields in ECMWF's local use: mean, maximum and minimum of a forecast over a month. */
const OF_MONTHS: Readonly<Record<number, StepType>> = { 80: 'avg', 81: 'max', 82: 'min', 83: 'other' };

/** Units of table 4 of edition 1 that differ from those of edition 2: their number of other units. */
const UNITS: Readonly<Record<number, readonly [count: number, unit: number]>> = {
  13: [15, 0],
  14: [30, 0],
  254: [1, 13],
};

/** What the first and second time period say, by the time range indicator (table 5). */
type Range = 'first' | 'both' | 'before' | 'around' | 'long' | 'repeated';
const RANGES: Readonly<Record<number, readonly [range: Range, stepType: StepType | undefined]>> = {
  0: ['first', 'instant'],
  1: ['first', 'instant'],
  2: ['both', undefined],
  3: ['both', 'avg'],
  4: ['both', 'accum'],
  5: ['both', 'other'],
  6: ['before', 'avg'],
  7: ['around', 'avg'],
  10: ['long', 'instant'],
  113: ['repeated', 'avg'],
  115: ['repeated', 'avg'],
  123: ['repeated', 'avg'],
  124: ['repeated', 'accum'],
};

/**
 * Reads what a field of edition 1 is, from its section 1, or says in a few words why it is not read. Throws FormatError
 * for sections that are too short, dates that do not exist and intervals that end before they begin.
 */
export function readGrib1Product(field: Grib1Field): Product | string {
  const section = new Octets(field, 1, field.section1);
  const indicator = section.unsigned(21);
  if (RANGES[indicator] === undefined) return `time range indicator ${indicator}`;
  const ensemble = ensembleOf(section, hasEcmwfSection(section));
  if (typeof ensemble === 'string') return ensemble;
  const { month, type, ...members } = ensemble;
  const parameter = parameterOf(section);
  const begin = readReference(section);
  const times = monthTimes(month, type) ?? readTimes(section, parameter, begin, indicator);
  if (typeof times === 'string') return times;
  if (times.end < times.start) throw intervalError(section, times);
  const reference = nominalStart(section) ?? begin;
  const ofRun = { reference, ...(reference !== begin && { begin }) };
  return { parameter, level: readGrib1Level(section), ...ofRun, ...times, ...members, modelVersion: undefined };
}

/** ECMWF's local definition of seasonal forecasts whose members begin on different days. */
const LAGGED_SEASONAL = 12;

/** The nominal start of a run, by which its members belong together although they begin on different days. */
function nominalStart(section: Octets): number | undefined {
  const isLagged = section.length >= 70 && hasEcmwfSection(section) && section.unsigned(41) === LAGGED_SEASONAL;
  if (!isLagged) return undefined;
  const [date, time] = [section.unsigned(65, 4), section.unsigned(69, 2)];
  const [year, month, day] = [Math.floor(date / 10_000), Math.floor(date / 100) % 100, date % 100];
  return utcSeconds(year, month, day, Math.floor(time / 100), time % 100, 0);
}

/** Whether octets 41 and following are those of ECMWF. */
function hasEcmwfSection(section: Octets): boolean {
  return section.unsigned(5) === ECMWF || section.unsigned(26) === ECMWF;
}

/** The parameter's numbers: the version of its table as category, in the discipline that ECMWF has for edition 1. */
function parameterOf(section: Octets): ParameterNumbers {
  const [version, centre] = [section.unsigned(4), section.unsigned(5)];
  const isEcmwf = version >= LOCAL_TABLE && hasEcmwfSection(section);
  const table = isEcmwf ? 'ecmwf' : 'edition 1';
  return { table, discipline: 192, category: version, number: section.unsigned(9), centre };
}

function readReference(section: Octets): number {
  // The year 100 of a century is the last one of it.
  const year = (section.unsigned(25) - 1) * 100 + section.unsigned(13);
  const [month, day, hour, minute] = [14, 15, 16, 17].map((octet) => section.unsigned(octet));
  const seconds = utcSeconds(year, month, day, hour, minute, 0);
  if (seconds !== undefined) return seconds;
  throw messageError(section.place, 1, {
    problem: 'has a date that does not exist',
    received: `${year}-${month}-${day} ${hour}:${minute}`,
    allowed: 'a date and time of the calendar',
  });
}

/** The month that a monthly value belongs to, whatever its time periods say. */
function monthTimes(month: number | undefined, type: number): Times | undefined {
  const match = MONTH.exec(String(month ?? ''));
  if (match === null || !Object.hasOwn(OF_MONTHS, type)) return undefined;
  const start = Date.UTC(Number(match[1]), Number(match[2]) - 1) / 1000;
  return { start, end: addTime(start, 1, 3) ?? start, stepType: OF_MONTHS[type] };
}

/** Reads the interval of a field, by octets 18 to 23. */
function readTimes(section: Octets, parameter: ParameterNumbers, reference: number, indicator: number): Times | string {
  const [first, second] = [section.unsigned(19), section.unsigned(20)];
  const count = section.unsigned(22, 2);
  const [range, known] = RANGES[indicator];
  const at = (periods: number) => addPeriods(section, reference, periods);
  if (range === 'long' || range === 'first') {
    return timesOfInstant(parameter, reference, at(range === 'long' ? 256 * first + second : first));
  }
  const stepType = known ?? intrinsicProcess(parameter) ?? 'other';
  const ends = {
    both: [first, second],
    before: [-first, -second],
    around: [-first, second],
    repeated: [first, first + count * second],
  }[range];
  const [start, end] = ends.map(at);
  if (range === 'both' && start === end && start !== reference && known !== undefined)
    throw emptyInterval(section, start);
  return { start, end, stepType };
}

/**
 * The times of a field that states a single time. Some parameters of ECMWF are amounts since the start, or extremes of
 * the hours before, by their definition.
 */
function timesOfInstant(parameter: ParameterNumbers, reference: number, end: number): Times | string {
  const interval = intrinsicInterval(parameter);
  if (interval === undefined) return { start: end, end, stepType: 'instant' };
  if (interval.hours === 'step') {
    return 'extremes since the step before, whose time the message does not state';
  }
  const start = interval.hours === 'start' ? reference : end - 3600 * interval.hours;
  return { start, end, stepType: interval.process };
}

function addPeriods(section: Octets, seconds: number, count: number): number {
  const unit = section.unsigned(18);
  const [factor, base] = UNITS[unit] ?? [1, unit];
  const sum = addTime(seconds, count * factor, base);
  if (sum !== undefined) return sum;
  throw messageError(section.place, 1, {
    problem: 'has a time that gives no date',
    received: `${count} units of time ${unit}`,
    allowed: 'units of table 4, and times in the years 1 to 9999',
  });
}

function intervalError(section: Octets, { start, end }: Times) {
  const text = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '');
  return messageError(section.place, 1, {
    problem: 'has an interval that ends before it begins',
    received: `from ${text(start)} to ${text(end)}`,
    allowed: 'a first time period that is not longer than the second one',
  });
}

/** Which member a field belongs to, or what was computed from all; and of monthly values their month and type. */
interface Ensemble extends Pick<Product, 'member' | 'derived'> {
  /** `yyyymm`. */
  readonly month: number | undefined;
  /** The type of field in the words of ECMWF; 0 where there is none. */
  readonly type: number;
}

const NCEP = 7;
const NONE: Ensemble = { member: undefined, derived: undefined, month: undefined, type: 0 };

/** Types of fields in ECMWF's local use: control and perturbed forecast, mean and standard deviation of an ensemble. */
const [CONTROL, PERTURBED, MEAN, SPREAD] = [10, 11, 17, 18];
/** Kinds of members, code table 4.6 of edition 2. */
const [CONTROL_MEMBER, PERTURBED_MEMBER] = [1, 3];
/** Of all members, code table 4.7 of edition 2. */
const DERIVED: Readonly<Record<number, number>> = { [MEAN]: 0, [SPREAD]: 4 };

/**
 * Local definitions of ECMWF whose numbers of members have two octets, of seasonal forecasts: all fields are members.
 */
const SEASONAL = [12, 15, 16, 23];
/** Those that have a month, in octets 56 to 59. */
const MONTHLY = [12, 16, 23];
/** Those with a number in octet 50, and the number of members in octet 51. */
const NUMBERED = [1, 13, 14, 17, 18, 19, 26, 27, 28, 30, 31, 36, 37, 40];
const CLUSTERS = 2;
const PROBABILITIES = 5;

/** Kinds of ensemble products of NCEP (octet 42), and what was computed from all members (octet 44). */
const NCEP_MEMBERS = [1, 2, 3];
const NCEP_DERIVED: Readonly<Record<number, number>> = { 1: 0, 2: 1, 11: 2, 12: 3 };

/**
 * Reads the local use of section 1: the local definitions of ECMWF, and the ensemble extension of NCEP. Says in a few
 * words why a field is not read.
 */
function ensembleOf(section: Octets, isEcmwf: boolean): Ensemble | string {
  if (section.length <= 40) return NONE;
  if (isEcmwf) return ecmwfEnsemble(section);
  const isNcep = section.unsigned(5) === NCEP && section.length >= 44 && section.unsigned(41) === 1;
  return isNcep ? ncepEnsemble(section) : NONE;
}

function ecmwfEnsemble(section: Octets): Ensemble | string {
  const definition = section.unsigned(41);
  if (definition === CLUSTERS) return 'means of clusters of members';
  if (definition === PROBABILITIES) return 'probabilities';
  const isSeasonal = SEASONAL.includes(definition);
  if (!isSeasonal && !NUMBERED.includes(definition)) return NONE;
  const type = section.unsigned(43);
  const [number, size] = isSeasonal ? [section.unsigned(50, 2), 0] : [section.unsigned(50), section.unsigned(51)];
  const isMember = isSeasonal || number > 0 || size > 0 || type === CONTROL || type === PERTURBED;
  const derived: number | undefined = DERIVED[type];
  const kind = type === CONTROL ? CONTROL_MEMBER : PERTURBED_MEMBER;
  return {
    ...{ type, derived },
    member: isMember && derived === undefined ? { type: kind, number } : undefined,
    month: MONTHLY.includes(definition) ? section.unsigned(56, 4) : undefined,
  };
}

function ncepEnsemble(section: Octets): Ensemble | string {
  const [type, number, product] = [section.unsigned(42), section.unsigned(43), section.unsigned(44)];
  if (section.length >= 47 && section.unsigned(46) !== 0 && section.unsigned(47) !== 0) return 'probabilities';
  // Control forecasts are numbered by their resolution: 1 is the high one.
  if (NCEP_MEMBERS.includes(type)) {
    const member = type === 1 ? { type: number > 1 ? 1 : 0, number: 0 } : { type, number };
    return { ...NONE, member };
  }
  const derived = type === 5 ? NCEP_DERIVED[product] : undefined;
  return derived === undefined ? 'means of clusters of members' : { ...NONE, derived };
}
