import { isPlumecastError } from '../../errors.js';
import { formatDate, parseDate } from '../../period/day.js';
import type { Granularity } from '../../period/period.js';
import { DATE, type Schema } from '../../respond/shared-fields.js';

/**
 * Records what is wrong with a text; `received` is the part that is wrong, `allowed` a more exact description of what
 * is allowed.
 */
export type Reject = (detail: string, more?: { received?: string; allowed?: string }) => undefined;

/** One parameter of the query string: how it is read, checked and documented. */
export interface Parameter<Name extends string = string, Value = unknown> {
  readonly name: Name;
  /** For the documentation, in Markdown. */
  readonly description: string;
  readonly schema: Schema;
  readonly example: unknown;
  readonly required: boolean;
  /** The value where a parameter that is not required is missing. */
  readonly default?: Value;
  /** Whether it may be given several times: then the texts are joined by commas. */
  readonly repeatable: boolean;
  /** Longer texts are rejected unread, in characters. */
  readonly maxLength: number;
  /** What is accepted, in words. */
  readonly allowed: string;
  /** Whether it goes beyond the specification of the service. */
  readonly extension?: boolean;
  /** Required parameters that are not needed, nor allowed, where this one is given. */
  readonly replaces?: readonly string[];
  /** Reads a text that is neither empty nor too long; returns undefined where it has called `reject`. */
  read(text: string, reject: Reject): Value | undefined;
  /** What its value is compared with, where neither it nor the other parameter is rejected. */
  readonly against?: Comparison<Value>;
}

/** A check of a value against the value of another parameter of the request. */
interface Comparison<Value> {
  readonly parameter: string;
  /** Calls `reject` where the values contradict each other; `other` is undefined where it is not given. */
  check(value: Value, other: unknown, reject: Reject): void;
}

/** The values of some parameters, by name. */
export type ParameterValues<Parameters extends readonly Parameter[]> = {
  readonly [P in Parameters[number] as P['name']]: P extends Parameter<string, infer Value> ? Value : never;
};

/** Latitude in degrees. */
export function latitudeParameter(): Parameter<'lat', number> {
  return coordinate('lat', 'Latitude in degrees, north is positive.', 90, 37.3);
}

/** Longitude in degrees. */
export function longitudeParameter(): Parameter<'lon', number> {
  return coordinate('lon', 'Longitude in degrees, east is positive.', 180, -79.84);
}

/**
 * A decimal number as JSON and clients write it: `37.3`, `1e-7`, `2.2E-16`, `+37.3`. A plus that is not percent-encoded
 * arrives as a blank.
 */
const NUMBER = /^[ +-]?(?:\d+\.?\d*|\.\d+)(?:e[ +-]?\d+)?$/i;

/** The longest number is the smallest float64 with all of its decimals. */
const MAX_NUMBER_LENGTH = 1_100;

function coordinate<Name extends string>(
  name: Name,
  description: string,
  limit: number,
  example: number,
): Parameter<Name, number> {
  return {
    name,
    description,
    schema: { type: 'number', minimum: -limit, maximum: limit },
    example,
    required: true,
    repeatable: false,
    maxLength: MAX_NUMBER_LENGTH,
    allowed: `a number from ${-limit} to ${limit}`,
    read: (text, reject) => readDegrees(text, limit, reject),
  };
}

/** Reads a coordinate from `-limit` to `limit`. */
export function readDegrees(text: string, limit: number, reject: Reject): number | undefined {
  if (!NUMBER.test(text)) return reject('is not a number');
  const degrees = Number(text.replaceAll(' ', '+'));
  if (Math.abs(degrees) > limit) return reject(`is outside ${-limit} to ${limit}`);
  // Minus zero becomes zero: it is the same place, and its answer is cached once.
  return degrees + 0;
}

/** Texts of dates and choices are short. */
export const MAX_WORD_LENGTH = 32;

/** The first day of the answer. `omitted` describes where it begins by default. */
export function startDateParameter(omitted: string): Parameter<'start_date', number | undefined> {
  const start = date('start_date', `First day, inclusive, a UTC calendar day. Default: ${omitted}.`, '2026-03-02');
  return { ...start, against: { parameter: 'end_date', check: checkOrder } };
}

function checkOrder(start: number | undefined, end: unknown, reject: Reject): void {
  if (start === undefined || typeof end !== 'number' || start <= end) return;
  const allowed = `a date not after end_date, which is ${formatDate(end)}`;
  reject('is after end_date', { received: formatDate(start), allowed });
}

/** The last day of the answer. `omitted` describes where it ends by default. */
export function endDateParameter(omitted: string): Parameter<'end_date', number | undefined> {
  return date('end_date', `Last day, inclusive, a UTC calendar day. Default: ${omitted}.`, '2026-04-05');
}

function date<Name extends string>(
  name: Name,
  description: string,
  example: string,
): Parameter<Name, number | undefined> {
  return {
    name,
    description,
    schema: DATE,
    example,
    required: false,
    repeatable: false,
    maxLength: MAX_WORD_LENGTH,
    allowed: 'a date as YYYY-MM-DD',
    read(text, reject) {
      try {
        return parseDate(text);
      } catch (error) {
        if (isPlumecastError(error, 'option')) return reject(error.problem, { allowed: error.allowed });
        throw error;
      }
    },
  };
}

/** The windows of an answer: some of the granularities; daily by default. */
export function granularityParameter(choices: readonly Granularity[]): Parameter<'granularity', Granularity> {
  return {
    name: 'granularity',
    description:
      'Windows that daily values are combined in: days, ISO weeks (Monday to Sunday) or calendar months, complete ones only. ' +
      'Precipitation and evapotranspiration are summed, other variables averaged.',
    schema: { type: 'string', enum: choices, default: 'daily' },
    example: choices.at(-1),
    required: false,
    default: 'daily',
    repeatable: false,
    maxLength: MAX_WORD_LENGTH,
    allowed: choices.join(', '),
    read(text, reject) {
      return choices.find((choice) => choice === text) ?? reject('is not a granularity of this endpoint');
    },
  };
}

/** Whether 1 km data are requested. */
export function downscalingParameter(): Parameter<'use_downscaling', boolean> {
  const description =
    'Whether to give 1 km (0.0083 degree) data where there are any: for downscalable variables, with a key that has them provisioned. ' +
    'Otherwise, the coarser data are given. In upper or lower case: `true` or `TRUE`.';
  return flag('use_downscaling', description, true);
}

/** A parameter that is true or false. */
export function flag<Name extends string>(
  name: Name,
  description: string,
  byDefault: boolean,
): Parameter<Name, boolean> {
  return {
    name,
    description,
    schema: { type: 'boolean', default: byDefault },
    example: true,
    required: false,
    default: byDefault,
    repeatable: false,
    maxLength: MAX_WORD_LENGTH,
    allowed: 'true or false',
    read(text, reject) {
      const plain = text.toLowerCase();
      if (plain === 'true') return true;
      return plain === 'false' ? false : reject('is neither true nor false');
    },
  };
}

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
/** So many digits make a whole number that float64 has, as it has the power of ten that they are divided by. */
const MAX_DIGITS = 15;
const POWERS = /* @__PURE__ */ Array.from({ length: MAX_DIGITS }, (_, exponent) => 10 ** exponent);

/**
 * Reads a coordinate as most clients write it, between two places of a text: a sign, up to three digits, a point and
 * digits behind it. Undefined for others, and beyond a limit. Exact, as `Number` is: a quotient of two numbers that are
 * exact is rounded once.
 */
export function plainDegrees(text: string, from: number, end: number, limit: number): number | undefined {
  const isNegative = text.charCodeAt(from) === MINUS;
  const first = isNegative ? from + 1 : from;
  let point = end;
  let digits = 0;
  for (let i = first; i < end; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit >= 0 && digit <= 9) digits = 10 * digits + digit;
    else if (digit === POINT - ZERO && point === end) point = i;
    else return undefined;
  }
  const whole = point - first;
  const decimals = Math.max(0, end - point - 1);
  if (whole < 1 || whole > 3 || whole + decimals > MAX_DIGITS || (point < end && decimals === 0)) return undefined;
  const value = digits / POWERS[decimals];
  // Adding 0 turns -0 into 0.
  return value <= limit ? (isNegative ? -value : value) + 0 : undefined;
}
