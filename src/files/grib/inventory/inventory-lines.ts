import { utcSeconds } from '../product/time-unit.js';

/** A field as an index file lists it. */
interface ListedField {
  /** Its parameter, level and kind of time and ensemble: the same text for all members and times. */
  readonly name: string;
  /** All that is said of the field: usually no two fields of a file have the same. */
  readonly text: string;
  /** The reference time, in seconds since 1970-01-01 UTC; undefined where it is not stated in a known form. */
  readonly reference: number | undefined;
}

/** A message as an index file lists it. */
export interface ListedMessage {
  readonly offset: number;
  /** Where it ends, if the index file states its length. */
  readonly end: number | undefined;
  readonly fields: readonly ListedField[];
}

/**
 * Reads an index file: the inventory that wgrib2 writes for NCEP's files, or the lines of JSON beside ECMWF's. The
 * messages are in the order of their offsets. Returns what is wrong where a line has another form, or messages do not
 * follow each other.
 */
export function parseInventory(text: string | undefined): readonly ListedMessage[] | string {
  if (text === undefined) return 'it cannot be read, or has more than 64 MiB';
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) return 'it is empty';
  return lines[0].startsWith('{') ? readEcmwfLines(lines) : readNcepLines(lines);
}

/** What distinguishes fields of one parameter at one level: members and times. */
const OF_FIELDS = ['number', 'date', 'time', 'step', 'hdate'];

interface EcmwfLine extends ListedMessage {
  readonly end: number;
}

/**
 * Reads lines of JSON as they stand beside ECMWF's files: MARS keys with `_offset` and `_length`, in any order. Returns
 * what is wrong where a line has another form, or the messages leave bytes out.
 */
function readEcmwfLines(lines: readonly string[]): readonly ListedMessage[] | string {
  const messages: EcmwfLine[] = [];
  for (const [i, line] of lines.entries()) {
    const message = readEcmwfLine(line);
    if (message === undefined) return `line ${i + 1} is not JSON with _offset, _length and param`;
    messages.push(message);
  }
  messages.sort((a, b) => a.offset - b.offset);
  const gap = messages.findIndex(({ offset }, i) => offset !== (messages[i - 1]?.end ?? 0));
  return gap < 0 ? messages : `it lists no message from byte ${messages[gap - 1]?.end ?? 0} on`;
}

function readEcmwfLine(line: string): EcmwfLine | undefined {
  let keys: Record<string, unknown>;
  try {
    keys = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof keys !== 'object' || keys === null || Array.isArray(keys)) return undefined;
  const { _offset: offset, _length: length, param } = keys;
  if (!isCount(offset) || !isCount(length) || length === 0 || param === undefined) return undefined;
  return { offset, end: offset + length, fields: [toField(keys)] };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function toField(keys: Record<string, unknown>): ListedField {
  const said = Object.entries(keys)
    .filter(([key]) => !key.startsWith('_'))
    .map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const join = (pairs: string[][]) => pairs.map((pair) => pair.join('=')).join(', ');
  const name = said.map(([key, value]) => (OF_FIELDS.includes(key) ? [key, value.replace(/\d+/g, '#')] : [key, value]));
  return { name: join(name), text: join(said), reference: ecmwfReference(keys) };
}

/** Of `20240301` and `0000`; undefined for hindcasts, whose date is not the run's. */
function ecmwfReference({ date, time, hdate }: Record<string, unknown>): number | undefined {
  const [day, hour] = [/^(\d{4})(\d\d)(\d\d)$/.exec(String(date)), /^(\d\d)(\d\d)$/.exec(String(time))];
  if (hdate !== undefined || day === null || hour === null) return undefined;
  return utcSeconds(Number(day[1]), Number(day[2]), Number(day[3]), Number(hour[1]), Number(hour[2]), 0);
}

/** The number of a message, of a field in it where it has several, its offset, its reference time and what it is. */
const NCEP_LINE = /^(\d{1,9})(?:\.(\d{1,6}))?:(\d{1,15}):d=(\d{6,14}):([^:]+:[^:]+:[^:].*)$/;

/**
 * Reads the lines of a wgrib2 inventory: `1:0:d=2024010100:TMP:2 m above ground:6 hour fcst:ENS=+1`, `2.1:4711:...` for
 * the first field of a message that has several. Returns what is wrong where they have another form or do not follow
 * each other.
 */
function readNcepLines(lines: readonly string[]): readonly ListedMessage[] | string {
  const messages: { offset: number; end: undefined; fields: ListedField[] }[] = [];
  for (const [i, line] of lines.entries()) {
    const found = NCEP_LINE.exec(line);
    if (found === null) return `line ${i + 1} is not one of an inventory`;
    const [number, part, offset] = [Number(found[1]), Number(found[2] ?? 1), Number(found[3])];
    const field = { name: nameOf(found[5]), text: found[5], reference: ncepReference(found[4]) };
    const last = messages.at(-1);
    if (last !== undefined && number === messages.length) {
      if (offset !== last.offset || part !== last.fields.length + 1) return notNext(i);
      last.fields.push(field);
    } else {
      const isNext = number === messages.length + 1 && part === 1 && offset > (last?.offset ?? -1);
      if (!isNext) return notNext(i);
      messages.push({ offset, end: undefined, fields: [field] });
    }
  }
  return messages;
}

function notNext(line: number): string {
  return `line ${line + 1} does not follow the one before by its number and offset`;
}

/** Parameter and level as they are, and the rest without numbers: `APCP:surface:#-# hour acc fcst:ENS=+#`. */
function nameOf(text: string): string {
  const [parameter, level, ...rest] = text.split(':');
  return [parameter, level, ...rest.map((part) => part.replace(/\d+/g, '#'))].join(':');
}

/** Year, month, day and hour, as edition 2 has them; undefined for dates of other lengths. */
function ncepReference(digits: string): number | undefined {
  if (digits.length !== 10) return undefined;
  const [month, day, hour] = [4, 6, 8].map((at) => Number(digits.slice(at, at + 2)));
  return utcSeconds(Number(digits.slice(0, 4)), month, day, hour, 0, 0);
}
