import { unusable } from '../errors.js';

/*
 * Checks of arguments that are objects: which keys they have, and of which kind each value is. For public functions
 * that have no more exact checks of their own.
 */

const KINDS = {
  text: { is: (value: unknown) => typeof value === 'string' && value !== '', allowed: 'a text that is not empty' },
  'any text': { is: (value: unknown) => typeof value === 'string', allowed: 'a text' },
  number: { is: (value: unknown) => Number.isFinite(value), allowed: 'a finite number' },
  count: {
    is: (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1,
    allowed: 'a whole number from 1',
  },
  integer: { is: Number.isSafeInteger, allowed: 'a whole number' },
  flag: { is: (value: unknown) => typeof value === 'boolean', allowed: 'true or false' },
  function: { is: (value: unknown) => typeof value === 'function', allowed: 'a function' },
  object: { is: isObject, allowed: 'an object' },
  list: { is: Array.isArray, allowed: 'a list' },
  texts: {
    is: (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== ''),
    allowed: 'a list of texts that are not empty',
  },
  map: { is: (value: unknown) => value instanceof Map, allowed: 'a Map' },
  doubles: { is: (value: unknown) => value instanceof Float64Array, allowed: 'a Float64Array' },
  singles: { is: (value: unknown) => value instanceof Float32Array, allowed: 'a Float32Array' },
  integers: { is: (value: unknown) => value instanceof Int32Array, allowed: 'an Int32Array' },
  iterable: { is: isIterable, allowed: 'a list, or another iterable' },
  bytes: { is: (value: unknown) => value instanceof Uint8Array, allowed: 'a Uint8Array' },
} as const;

export type Kind = keyof typeof KINDS;

/** The kind of each value of an object; it ends with `?` where the value may be undefined. */
export type Shape = Readonly<Record<string, Kind | `${Kind}?`>>;

/** Throws OptionError unless a value is of a kind. */
export function assertKind(subject: string, value: unknown, kind: Kind | `${Kind}?`): void {
  if (value === undefined && kind.endsWith('?')) return;
  const { is, allowed } = KINDS[kind.replace('?', '') as Kind];
  if (!is(value)) throw unusable(subject, value, allowed);
}

/** Throws OptionError unless a value is an object with values of these kinds. Other keys are not checked. */
export function assertShape(subject: string, value: unknown, shape: Shape): void {
  if (!isObject(value)) throw unusable(subject, value, `an object with ${Object.keys(shape).join(', ')}`);
  for (const [key, kind] of Object.entries(shape)) {
    assertKind(`${subject}.${key}`, (value as Record<string, unknown>)[key], kind);
  }
}

/** Like `assertShape`, for each item of a list. */
export function assertShapes(subject: string, values: unknown, shape: Shape): void {
  assertKind(subject, values, 'list');
  for (const [index, value] of (values as unknown[]).entries()) assertShape(`${subject}[${index}]`, value, shape);
}

function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}
