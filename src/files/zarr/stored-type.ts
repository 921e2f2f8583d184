import { isNumberType } from '../../core/number-arrays.js';
import { type ArrayType, elementBytes } from '../array/array-file.js';

/**
 * How texts are stored: with a fixed length in characters of four bytes, with a fixed length in bytes, or each preceded
 * by its length.
 */
type TextForm = 'utf32' | 'bytes' | 'variable';

/** The elements of an array as they are stored. */
export interface StoredType {
  readonly type: ArrayType;
  /** The bytes of each element; 0 for texts of any length. */
  readonly bytes: number;
  /** Of floats of 16 bits, which are read as float32. */
  readonly isHalf?: true;
  /** For texts only. */
  readonly text?: TextForm;
  /** Of dates and times of numpy: what their integers count, as attributes state it. */
  readonly attributes?: Readonly<Record<string, string | number>>;
}

const KINDS: Readonly<Record<string, string>> = { i: 'int', u: 'uint', f: 'float' };

const VARIABLE_TEXT: StoredType = { type: 'text', bytes: 0, text: 'variable' };

/**
 * Reads a v2 `dtype`, as numpy writes it; undefined for types that are not read: complex, structures.
 */
export function readTypeV2(dtype: unknown, filters: readonly string[]): StoredType | undefined {
  if (typeof dtype !== 'string') return undefined;
  if (dtype === '|O') return filters.includes('vlen-utf8') ? VARIABLE_TEXT : undefined;
  const time = /^[<>]([Mm])8\[(\d*)(\w+)\]$/.exec(dtype);
  if (time !== null) return timeType(time[1] === 'M', time[3], Number(time[2] || 1));
  const parts = /^[<>|]([biufUS])(\d+)$/.exec(dtype);
  if (parts === null) return undefined;
  const size = Number(parts[2]);
  if (parts[1] === 'b') return numeric('bool');
  if (parts[1] === 'U') return text('utf32', 4 * size);
  if (parts[1] === 'S') return text('bytes', size);
  return numeric(`${KINDS[parts[1]]}${8 * size}`);
}

/** Reads a v3 `data_type`, a name or an object with a name; undefined for types that are not read. */
export function readTypeV3(dataType: unknown): StoredType | undefined {
  if (typeof dataType === 'string') {
    return dataType === 'string' ? VARIABLE_TEXT : numeric(dataType);
  }
  const { name, configuration } = (dataType ?? {}) as { name?: unknown; configuration?: Record<string, unknown> };
  if (name === 'numpy.datetime64' || name === 'numpy.timedelta64') {
    const { unit, scale_factor: count = 1 } = configuration ?? {};
    return timeType(name === 'numpy.datetime64', unit, count);
  }
  const length = configuration?.length_bytes;
  if (!Number.isSafeInteger(length)) return undefined;
  if (name === 'fixed_length_utf32') return text('utf32', length as number);
  return name === 'null_terminated_bytes' ? text('bytes', length as number) : undefined;
}

/** Units of numpy's times, by their codes; months and years have no fixed length, `generic` no meaning. */
const TIME_UNITS: Readonly<Record<string, readonly [name: string, count: number]>> = {
  ...{ W: ['days', 7], D: ['days', 1], h: ['hours', 1], m: ['minutes', 1], s: ['seconds', 1] },
  ...{ ms: ['milliseconds', 1], us: ['microseconds', 1], μs: ['microseconds', 1], ns: ['nanoseconds', 1] },
};

/** The integer that numpy takes for no time. */
export const NOT_A_TIME = -(2 ** 63);

/** Dates (datetime64) or lengths of time (timedelta64) in `count` times a unit, as integers whose attributes say it. */
function timeType(isDate: boolean, unit: unknown, count: unknown): StoredType | undefined {
  const known = typeof unit === 'string' && Object.hasOwn(TIME_UNITS, unit) ? TIME_UNITS[unit] : undefined;
  if (known === undefined || !Number.isSafeInteger(count) || (count as number) < 1) return undefined;
  const [name, own] = known;
  const scale = own * (count as number);
  const units = isDate ? `${name} since 1970-01-01` : name;
  const calendar = isDate && { calendar: 'proleptic_gregorian' };
  const attributes = { units, _FillValue: NOT_A_TIME, ...calendar, ...(scale !== 1 && { scale_factor: scale }) };
  return { type: 'int64', bytes: 8, attributes: attributes as StoredType['attributes'] };
}

/** Booleans are bytes of 0 and 1. */
function numeric(name: string): StoredType | undefined {
  if (name === 'float16') return { type: 'float32', bytes: 2, isHalf: true };
  const type = name === 'bool' ? 'uint8' : name;
  return isNumberType(type) ? { type, bytes: elementBytes(type) } : undefined;
}

/** Texts of no bytes are all empty; such arrays are left out. */
function text(form: TextForm, bytes: number): StoredType | undefined {
  return bytes > 0 ? { type: 'text', bytes, text: form } : undefined;
}
