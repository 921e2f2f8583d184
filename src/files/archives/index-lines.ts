import type { ArchiveField } from './archive.js';

/** A message that an index file lists. */
export interface IndexedMessage {
  readonly offset: number;
  /** Undefined for the last one in an index of wgrib2, which has no lengths. */
  readonly length: number | undefined;
  readonly param: string;
  readonly level: string | undefined;
  readonly levtype: string | undefined;
  /** Undefined where it is not stated. */
  readonly member: number | undefined;
  readonly step: number | undefined;
  /** When the run begins: `2026030106`. */
  readonly run: string | undefined;
}

/**
 * The messages that an index file lists; returns what is wrong where it has another form.
 *
 * ECMWF's have a line of JSON for each message, with the keys of MARS, `_offset` and `_length`
 * (https://confluence.ecmwf.int/display/DAC/ECMWF+open+data%3A+real-time+forecasts+from+IFS+and+AIFS, "Index files");
 * wgrib2's a line such as `5:211053:d=2026030106:TMP:2 m above ground:3 hour fcst:ENS=+1`
 * (https://www.cpc.ncep.noaa.gov/products/wesley/wgrib2/default_inv.html).
 */
export function parseIndex(text: string, form: 'ecmwf' | 'wgrib2'): IndexedMessage[] | string {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  if (lines.length === 0) return 'it is empty';
  const messages = lines.map(form === 'ecmwf' ? ecmwfLine : wgribLine);
  const wrong = messages.indexOf(undefined);
  if (wrong >= 0) return `line ${wrong + 1} is not one of ${form === 'ecmwf' ? "ECMWF's index files" : 'wgrib2'}`;
  const all = messages as IndexedMessage[];
  return form === 'ecmwf' ? all : withLengths(all);
}

function ecmwfLine(line: string): IndexedMessage | undefined {
  let keys: Record<string, unknown>;
  try {
    keys = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { _offset: offset, _length: length, param, levtype, number, type, step, date, time } = Object(keys);
  if (!isCount(offset) || !isCount(length) || length === 0 || typeof param !== 'string') return undefined;
  const isControl = type === 'cf' || type === 'fc';
  const member = isControl && number === undefined ? 0 : numberOf(number);
  // An amount may be of `0-6`.
  const last = numberOf(
    String(step ?? '')
      .split('-')
      .at(-1),
  );
  const run =
    /^\d{8}$/.test(String(date)) && /^\d{3,4}$/.test(String(time))
      ? `${date}${String(time).padStart(4, '0').slice(0, 2)}`
      : undefined;
  return { offset, length, param, level: undefined, levtype: levtype as string | undefined, member, step: last, run };
}

const WGRIB_LINE = /^\d+(?:\.\d+)?:(\d{1,15}):d=(\d{10}):([^:]+):([^:]+):([^:]*)(?::(.*))?$/;

function wgribLine(line: string): IndexedMessage | undefined {
  const [, offset, run, param, level, time = '', rest = ''] = WGRIB_LINE.exec(line) ?? [];
  if (offset === undefined) return undefined;
  const [, number] = /ENS=[+-]?(\d+)/.exec(rest) ?? [];
  const member = /ENS=(low|hi)-res ctl/.test(rest) ? 0 : number === undefined ? undefined : Number(number);
  const common = { levtype: undefined, length: undefined };
  return { offset: Number(offset), run, param, level, member, step: stepOf(time), ...common };
}

const HOURS: Readonly<Record<string, number>> = { hour: 1, day: 24 };

/** The step at which a time of wgrib2 ends, in hours: of `anl`, `6 hour fcst`, `0-1 day acc fcst`; undefined for others. */
function stepOf(time: string): number | undefined {
  if (time === 'anl') return 0;
  const [, last, unit] = /^(?:\d+-)?(\d+) (hour|day) (?:\w+ )?fcst$/.exec(time) ?? [];
  return last === undefined ? undefined : Number(last) * HOURS[unit];
}

/** Messages end where the next one begins; fields of one message have the same offset. */
function withLengths(messages: readonly IndexedMessage[]): IndexedMessage[] | string {
  const starts = [...new Set(messages.map(({ offset }) => offset))].sort((a, b) => a - b);
  const next = new Map(starts.map((start, i) => [start, starts[i + 1]]));
  return messages.map((message) => {
    const end = next.get(message.offset);
    return { ...message, length: end === undefined ? undefined : end - message.offset };
  });
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function numberOf(value: unknown): number | undefined {
  return /^\d{1,6}$/.test(String(value)) ? Number(value) : undefined;
}

/** Whether a message is of a field. */
export function isOfField({ param, level, levtype }: IndexedMessage, field: ArchiveField): boolean {
  if (param !== field.param) return false;
  return (
    (field.level === undefined || field.level === level) && (field.levtype === undefined || field.levtype === levtype)
  );
}
