import { InvalidArgumentError } from 'commander';
import type { Shard } from '../batch/shards/shard.js';
import type { Condition } from '../condition/condition.js';
import { ConditionError } from '../condition/condition-error.js';
import { parseCondition } from '../condition/parse-condition.js';
import { type BoundingBox, checkBoundingBox } from '../ensemble/bounding-box.js';
import type { Point } from '../ensemble/nearest-place.js';
import { isPlumecastError } from '../errors.js';
import type { NamedCoordinates } from '../files/cf/coordinates.js';
import { DAY_SECONDS } from '../period/day.js';
import type { RateQuota } from '../service/access/key-store.js';
import type { Threshold } from '../statistics/options.js';
import type { ColumnRoles } from '../table/columns/column-role.js';

/*
 * Readers of option values. They reject texts without the form of a value, as usage errors; the library decides whether
 * a value can be used.
 */

const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/;

/** `precipitation`; several are what other commands take. */
export function oneVariable(text: string): string {
  if (!/^\w+(\s*,\s*\w+)+$/.test(text)) return text;
  throw new InvalidArgumentError('Expected one variable; plumecast plot and plumecast batch take several.');
}

/** `0.05,0.5,0.95` */
export function quantileList(text: string): number[] {
  const items = text.split(',');
  for (const item of items) {
    if (!NUMBER.test(item))
      throw new InvalidArgumentError(`${JSON.stringify(item)} is not a plain decimal. Expected 0.05,0.25,...`);
  }
  return items.map(Number);
}

/** A plain number. */
export function plainNumber(text: string): number {
  if (!NUMBER.test(text) || !Number.isFinite(Number(text))) throw new InvalidArgumentError('Expected a number.');
  return Number(text);
}

/** `-9999,-99.9`; may be given several times. */
export function missingNumbers(text: string, before: readonly number[] = []): number[] {
  const items = text.split(',');
  const isNumber = (item: string) => item.trim() !== '' && !Number.isNaN(Number(item));
  if (!items.every(isNumber)) throw new InvalidArgumentError('Expected numbers, such as -9999,-99.9.');
  return [...before, ...items.map(Number)];
}

/** `>20`, `5..20`, `precipitation>5 and temp_mean<0`; may be given several times. */
export function condition(text: string, before: readonly Condition[] = []): Condition[] {
  return [...before, parsed(text)];
}

/** Throws InvalidArgumentError that points at the character, and says what is allowed: by default all that conditions may hold there. */
function parsed(text: string, allowed?: string): Condition {
  try {
    return parseCondition(text);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    const problem = error.problem[0].toUpperCase() + error.problem.slice(1);
    throw new InvalidArgumentError(`${problem}; allowed: ${allowed ?? error.allowed}.\n${error.lines}`);
  }
}

/** The text of a condition; may be given several times. */
export function conditionTexts(text: string, before: readonly string[] = []): string[] {
  condition(text);
  return [...before, text];
}

/** `>20`; may be given several times. */
export function threshold(text: string, before: readonly Threshold[] = []): Threshold[] {
  const allowed = 'one comparison with a number, without a variable, such as ">20"';
  const found = parsed(text, allowed);
  if (found.kind !== 'comparison' || typeof found.limit !== 'number' || found.variable !== undefined)
    throw new InvalidArgumentError(`Expected ${allowed}.`);
  return [...before, { operator: found.operator, limit: found.limit }];
}

/** `YYYY-MM-DD` */
export function dateText(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) throw new InvalidArgumentError('Expected a date as YYYY-MM-DD.');
  return text;
}

/** `2/8`: the second of eight shards. */
export function shardNumber(text: string): Shard {
  const [, number, of] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError('Expected a shard and the number of all, such as 2/8.');
  return { number: Number(number), of: Number(of) };
}

/** `-5,0,2.5` */
export function limitList(text: string): number[] {
  return text.split(',').map((item) => {
    if (!NUMBER.test(item)) throw new InvalidArgumentError('Expected limits between colours, such as 0,5,10,20.');
    return Number(item);
  });
}

/** `YYYY-YYYY` */
export function yearSpan(text: string): string {
  if (!/^\d{4}-\d{4}$/.test(text)) throw new InvalidArgumentError('Expected two years, such as 1993-2022.');
  return text;
}

/** `3,7` */
export function dayCounts(text: string): number[] {
  return text.split(',').map((item) => {
    if (!/^\s*\d+\s*$/.test(item)) throw new InvalidArgumentError('Expected numbers of days, such as 3,7.');
    return Number(item);
  });
}

/** `14,41,all` */
export function lastLeads(text: string): (number | null)[] {
  return text.split(',').map((item) => (item.trim() === 'all' ? null : dayCounts(item)[0]));
}

/** `a,b,c` */
export function textList(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) throw new InvalidArgumentError('Expected a list without gaps, such as a,b.');
  return items;
}

/** `LAT,LON` */
export function point(text: string): Point {
  const parts = text.split(',');
  if (parts.length !== 2 || !parts.every((part) => NUMBER.test(part))) {
    throw new InvalidArgumentError('Expected LAT,LON in degrees, such as 37.30,-79.84.');
  }
  return { latitude: Number(parts[0]), longitude: Number(parts[1]) };
}

/** `date=day,member=run,value=mm`; may be given several times. */
export function columnRoleList(text: string, before: ColumnRoles = {}): ColumnRoles {
  return namesByRole(text, before, 'ROLE=NAME, such as date=day,member=run,value=mm');
}

/** `latitude=y,longitude=x`; may be given several times. */
export function coordinateList(text: string, before: NamedCoordinates = {}): NamedCoordinates {
  return namesByRole(text, before, 'latitude=NAME,longitude=NAME');
}

function namesByRole<Names extends object>(text: string, before: Names, expected: string): Names {
  const names: Record<string, string> = Object.fromEntries(Object.entries(before));
  for (const item of text.split(',')) {
    const [, role, name] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(item) ?? [];
    if (role === undefined) throw new InvalidArgumentError(`Expected ${expected}.`);
    if (names[role] !== undefined && names[role] !== name) {
      throw new InvalidArgumentError(`${role} is ${names[role]} already.`);
    }
    names[role] = name;
  }
  return names as Names;
}

/** `SOUTH,WEST,NORTH,EAST` */
export function boundingBox(text: string): BoundingBox {
  const expected = 'Expected SOUTH,WEST,NORTH,EAST in degrees, in this order, such as 35,-10,60,30';
  const parts = text.split(',');
  if (parts.length !== 4 || !parts.every((part) => NUMBER.test(part))) throw new InvalidArgumentError(`${expected}.`);
  const [south, west, north, east] = parts.map(Number);
  const box = { south, west, north, east };
  try {
    checkBoundingBox(box);
    return box;
  } catch (error) {
    if (isPlumecastError(error)) throw new InvalidArgumentError(`${expected}: ${error.problem}.`);
    throw error;
  }
}

/** The probability of a band. */
export function bandLevel(text: string): number {
  const level = plainNumber(text);
  if (level < 0.01 || level > 0.9999)
    throw new InvalidArgumentError('Expected a probability from 0.01 to 0.9999, such as 0.9.');
  return level;
}

/** A number of threads. */
export function threadCount(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError('Expected a number from 1 to 999.');
  return Number(text);
}

/** A number of pixels or characters. */
export function pixelCount(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('Expected a number from 1 to 99999.');
  return Number(text);
}

/** Reads a port. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('Expected a port, 0 to 65535.');
  return port;
}

/** `240`: hours of lead time. */
export function leadHours(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Expected hours from 0 to 9999.');
  return Number(text);
}

/** `10`, `0.5`: minutes of a pause. */
export function minutes(text: string): number {
  if (/^\d{1,5}(\.\d{1,3})?$/.test(text) && Number(text) > 0 && Number(text) <= MAX_MINUTES) return Number(text);
  throw new InvalidArgumentError('Expected minutes, such as 10, up to a week (10080).');
}

/** A timer of some 25 days or more would end at once. */
const MAX_MINUTES = 10_080;

/** A whole number from 1 to a million. */
export function countNumber(text: string): number {
  const count = Number(text);
  if (/^\d{1,7}$/.test(text) && count >= 1 && count <= 1e6) return count;
  throw new InvalidArgumentError('Expected a whole number from 1 to 1000000.');
}

/** A whole number from 0 to 1000. */
export function leadNumber(text: string): number {
  const lead = Number(text);
  if (/^\d{1,4}$/.test(text) && lead <= 1000) return lead;
  throw new InvalidArgumentError('Expected a whole number from 0 to 1000.');
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600, day: DAY_SECONDS };
const MAX_REQUESTS = 1e9;

/** A whole number from 1 to a trillion. */
export function quotaNumber(text: string): number {
  const quota = Number(text);
  if (/^\d{1,13}$/.test(text) && quota >= 1 && quota <= 1e12) return quota;
  throw new InvalidArgumentError('Expected a whole number from 1 on.');
}

/** `600/min` */
export function rateQuota(text: string): RateQuota {
  const [, number, unit] = /^(\d+)\/(s|min|h|day)$/.exec(text) ?? [];
  const requests = Number(number);
  if (requests >= 1 && requests <= MAX_REQUESTS) return { requests, windowSeconds: SECONDS[unit] };
  throw new InvalidArgumentError('Expected a number of requests and a time, such as 600/min; s, min, h or day.');
}

const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/;

/** `2027-01-01`, `2027-01-01T06:00Z`: a time in UTC. */
export function timeText(text: string): Date {
  const time = new Date(text);
  // Date takes 31 February for 3 March.
  if (TIME.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 10))) return time;
  throw new InvalidArgumentError('Expected a date or a time in UTC, such as 2027-01-01 or 2027-01-01T06:00Z.');
}

const SPANS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600, d: DAY_SECONDS };

/** `7d`, in seconds; `0` is none. */
export function timeSpan(text: string): number {
  const [, number, unit] = /^(\d{1,6})(s|min|h|d)$/.exec(text === '0' ? '0s' : text) ?? [];
  if (number !== undefined) return Number(number) * SPANS[unit];
  throw new InvalidArgumentError('Expected a time such as 7d, 12h, 30min or 10s, or 0.');
}
