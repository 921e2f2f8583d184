import type { Attributes, AttributeValue } from '../array/array-file.js';
import type { StoredType } from './stored-type.js';

/** Without these, values would be others. */
const CODING = ['scale_factor', 'add_offset'];

/**
 * The attributes of the types that other formats have too; objects, nulls and mixed lists are left out, booleans become
 * texts. So do objects and lists that say how values are stored: who reads these reports them.
 */
export function toAttributes(values: unknown): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>();
  for (const [name, value] of Object.entries(values ?? {})) {
    const attribute = typeof value === 'boolean' ? String(value) : value;
    if (isAttribute(attribute)) attributes.set(name, attribute);
    else if (CODING.includes(name) && value !== null) attributes.set(name, JSON.stringify(value));
  }
  return attributes;
}

function isAttribute(value: unknown): value is AttributeValue {
  const isOf = (type: string) => (each: unknown) => typeof each === type;
  if (Array.isArray(value)) return value.every(isOf('string')) || value.every(isOf('number'));
  return isOf('string')(value) || isOf('number')(value);
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
export function toFillValue(value: unknown, { type }: StoredType): number | string | undefined {
  if (type === 'text') return typeof value === 'string' ? value : undefined;
  if (typeof value === 'boolean' || typeof value === 'number') return Number(value);
  return typeof value === 'string' ? namedNumber(value, type) : undefined;
}

/** Reads a number that JSON cannot represent: by its name, or by its bits, such as `0x7fc00000`. */
function namedNumber(name: string, type: StoredType['type']): number | undefined {
  if (/^(NaN|-?Infinity)$/.test(name)) return Number(name);
  if (!/^0x[0-9a-f]+$/i.test(name)) return undefined;
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(name));
  return type === 'float32' ? view.getFloat32(4) : view.getFloat64(0);
}
