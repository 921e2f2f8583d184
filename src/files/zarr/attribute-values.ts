import type { Attributes, AttributeValue } from '../array/array-file.js';
import type { StoredType } from './stored-type.js';

/**
 * The attributes that have a form which other files have too; objects, nulls and mixed lists are left out, truth values
 * are texts.
 */
export function toAttributes(values: unknown): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>();
  for (const [name, value] of Object.entries(values ?? {})) {
    const attribute = typeof value === 'boolean' ? String(value) : value;
    if (isAttribute(attribute)) attributes.set(name, attribute);
  }
  return attributes;
}

function isAttribute(value: unknown): value is AttributeValue {
  const isOf = (type: string) => (each: unknown) => typeof each === type;
  if (Array.isArray(value)) return value.every(isOf('string')) || value.every(isOf('number'));
  return isOf('string')(value) || isOf('number')(value);
}

/** With the fill value of a v2 array as `_FillValue`, as xarray has it: it stands for what is missing. */
export function withFillValue(
  attributes: Attributes,
  fill: number | string | undefined,
  { type }: StoredType,
): Attributes {
  if (typeof fill !== 'number' || type === 'text') return attributes;
  return new Map([...attributes, ['_FillValue', fill]]);
}

/**
 * With a `_FillValue` as number which xarray writes to v3 arrays of floats in base64: the bytes of a float64, the
 * lowest first.
 */
export function withDecodedFillValue(attributes: Attributes, { type }: StoredType): Attributes {
  const value = attributes.get('_FillValue');
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]{11}=$/.test(value) || !type.startsWith('float')) return attributes;
  const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  return new Map([...attributes, ['_FillValue', new DataView(bytes.buffer).getFloat64(0, true)]]);
}

/** A fill value as JSON has it: a number, the name of one, or a text; truth values are 0 and 1. */
export function toFillValue(value: unknown, { type }: StoredType): number | string | undefined {
  if (type === 'text') return typeof value === 'string' ? value : undefined;
  if (typeof value === 'boolean' || typeof value === 'number') return Number(value);
  return typeof value === 'string' ? namedNumber(value, type) : undefined;
}

/** Numbers that JSON has no form for have their names, or their bits: `0x7fc00000`. */
function namedNumber(name: string, type: StoredType['type']): number | undefined {
  if (/^(NaN|-?Infinity)$/.test(name)) return Number(name);
  if (!/^0x[0-9a-f]+$/i.test(name)) return undefined;
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(name));
  return type === 'float32' ? view.getFloat32(4) : view.getFloat64(0);
}
