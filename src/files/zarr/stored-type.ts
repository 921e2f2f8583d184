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
  /** For texts only. */
  readonly text?: TextForm;
}

const KINDS: Readonly<Record<string, string>> = { i: 'int', u: 'uint', f: 'float' };

const VARIABLE_TEXT: StoredType = { type: 'text', bytes: 0, text: 'variable' };

/**
 * Reads a v2 `dtype`, as numpy writes it; undefined for types that are not read: complex, times, structures, float16.
 */
export function readTypeV2(dtype: unknown, filters: readonly string[]): StoredType | undefined {
  if (typeof dtype !== 'string') return undefined;
  if (dtype === '|O') return filters.includes('vlen-utf8') ? VARIABLE_TEXT : undefined;
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
  const { name, configuration } = (dataType ?? {}) as { name?: unknown; configuration?: { length_bytes?: unknown } };
  const length = configuration?.length_bytes;
  if (!Number.isSafeInteger(length)) return undefined;
  if (name === 'fixed_length_utf32') return text('utf32', length as number);
  return name === 'null_terminated_bytes' ? text('bytes', length as number) : undefined;
}

/** Booleans are bytes of 0 and 1. */
function numeric(name: string): StoredType | undefined {
  const type = name === 'bool' ? 'uint8' : name;
  return isNumberType(type) ? { type, bytes: elementBytes(type) } : undefined;
}

/** Texts of no bytes are all empty; such arrays are left out. */
function text(form: TextForm, bytes: number): StoredType | undefined {
  return bytes > 0 ? { type: 'text', bytes, text: form } : undefined;
}
