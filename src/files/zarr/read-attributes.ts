import { halfFloat } from '../../table/arrow/stored-values.js';
import { type Attributes, type AttributeValue, UnreadAttribute } from '../array/array-file.js';
import { NOT_A_TIME, type StoredType } from './stored-type.js';

/** Null says of these that no number stands for missing values. */
const FILLS = ['_FillValue', 'missing_value'];

/**
 * The attributes of an array or a group, of which `place` says where they are: booleans become texts, null an empty
 * list. Objects and mixed lists, which other formats do not have, are unread.
 */
export function toAttributes(
  values: unknown,
  place: { readonly source: string; readonly column?: string },
): Map<string, AttributeValue | UnreadAttribute> {
  const attributes = new Map<string, AttributeValue | UnreadAttribute>();
  for (const [name, value] of Object.entries(values ?? {})) {
    if (value === null && FILLS.includes(name)) continue;
    const attribute = typeof value === 'boolean' ? String(value) : (value ?? []);
    attributes.set(name, isAttribute(attribute) ? attribute : new UnreadAttribute(JSON.stringify(value), place));
  }
  return attributes;
}

function isAttribute(value: unknown): value is AttributeValue {
  const isOf = (type: string) => (each: unknown) => typeof each === type;
  if (Array.isArray(value)) return value.every(isOf('string')) || value.every(isOf('number'));
  return isOf('string')(value) || isOf('number')(value);
}

/** The attributes of an array, and those that its type states. */
export function withTypeAttributes(attributes: Attributes, { attributes: own }: StoredType): Attributes {
  return own === undefined ? attributes : new Map([...attributes, ...Object.entries(own)]);
}

/** Adds the fill value of a v2 array as `_FillValue`, as xarray does: it marks missing values. */
export function withFillValue(
  attributes: Attributes,
  fill: number | string | undefined,
  { type }: StoredType,
): Attributes {
  if (typeof fill !== 'number' || type === 'text') return attributes;
  return new Map([...attributes, ['_FillValue', fill]]);
}

/**
 * Decodes the `_FillValue` that xarray writes to v3 arrays of floats in base64: the bytes of a float64, the lowest
 * first.
 */
export function withDecodedFillValue(attributes: Attributes, { type }: StoredType): Attributes {
  const value = attributes.get('_FillValue');
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]{11}=$/.test(value) || !type.startsWith('float')) return attributes;
  const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  return new Map([...attributes, ['_FillValue', new DataView(bytes.buffer).getFloat64(0, true)]]);
}

/** Reads a fill value of JSON: a number, the name of a number, or a text; booleans become 0 and 1. */
export function toFillValue(value: unknown, { type, isHalf }: StoredType): number | string | undefined {
  if (type === 'text') return typeof value === 'string' ? value : undefined;
  if (typeof value === 'boolean' || typeof value === 'number') return Number(value);
  return typeof value === 'string' ? namedNumber(value, isHalf ? 'float16' : type) : undefined;
}

/** Reads a number that JSON cannot represent: by its name, or by its bits, such as `0x7fc00000`. */
function namedNumber(name: string, type: StoredType['type'] | 'float16'): number | undefined {
  if (name === 'NaT') return NOT_A_TIME;
  if (/^(NaN|-?Infinity)$/.test(name)) return Number(name);
  if (!/^0x[0-9a-f]+$/i.test(name)) return undefined;
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(name));
  if (type === 'float16') return halfFloat(view.getUint16(6));
  return type === 'float32' ? view.getFloat32(4) : view.getFloat64(0);
}
