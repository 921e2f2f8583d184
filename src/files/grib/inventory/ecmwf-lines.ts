import { utcSeconds } from '../product/time-unit.js';
import type { ListedField, ListedMessage } from './listed-message.js';

/** What distinguishes fields of one parameter at one level: members and times. */
const OF_FIELDS = ['number', 'date', 'time', 'step', 'hdate'];

interface Line extends ListedMessage {
  readonly end: number;
}

/**
 * Reads lines of JSON as they stand beside ECMWF's files: MARS keys with `_offset` and `_length`, in any order. Returns
 * what is wrong where a line has another form, or the messages leave bytes out.
 */
export function readEcmwfLines(lines: readonly string[]): readonly ListedMessage[] | string {
  const messages: Line[] = [];
  for (const [i, line] of lines.entries()) {
    const message = readLine(line);
    if (message === undefined) return `line ${i + 1} is not JSON with _offset, _length and param`;
    messages.push(message);
  }
  messages.sort((a, b) => a.offset - b.offset);
  const gap = messages.findIndex(({ offset }, i) => offset !== (messages[i - 1]?.end ?? 0));
  return gap < 0 ? messages : `it lists no message from byte ${messages[gap - 1]?.end ?? 0} on`;
}

function readLine(line: string): Line | undefined {
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
  return { name: join(name), text: join(said), reference: referenceTime(keys) };
}

/** Of `20240301` and `0000`; undefined for hindcasts, whose date is not that of the run. */
function referenceTime({ date, time, hdate }: Record<string, unknown>): number | undefined {
  const [day, hour] = [/^(\d{4})(\d\d)(\d\d)$/.exec(String(date)), /^(\d\d)(\d\d)$/.exec(String(time))];
  if (hdate !== undefined || day === null || hour === null) return undefined;
  return utcSeconds(Number(day[1]), Number(day[2]), Number(day[3]), Number(hour[1]), Number(hour[2]), 0);
}
