import { isPlumecastError } from '../../src/errors.js';
import { isFullCheck } from '../full-check.js';

/**
 * Values that a careless caller may give for anything. Those that are right at a place are taken there; none may end in
 * a raw error.
 */
const ODD_VALUES: readonly (readonly [name: string, value: unknown])[] = [
  ['null', null],
  ['undefined', undefined],
  ['an empty object', {}],
  ['an object without a prototype', Object.create(null)],
  ['an empty list', []],
  ['a list of null', [null]],
  ['a list of numbers', [1, 2]],
  ['an empty text', ''],
  ['a text', 'odd'],
  ['NaN', Number.NaN],
  ['-1', -1],
  ['1.5', 1.5],
  ['1e9', 1e9],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['a bigint', 10n],
  ['true', true],
  ['a symbol', Symbol('odd')],
  ['a function', () => undefined],
  ['a date that is none', new Date(Number.NaN)],
  ['bytes', new Uint8Array([1, 2, 3])],
  ['an array of integers', new Int32Array(2)],
  ['a map', new Map()],
  ['a promise', Promise.resolve(undefined)],
];

/** A public function, and arguments that it takes. */
export interface Call {
  readonly name: string;
  readonly run: (...args: never[]) => unknown;
  readonly args: () => readonly unknown[];
  /** How deep into objects values are replaced: 1 for options, 2 for what lies in them. Default 2. */
  readonly depth?: number;
  /** Calls that take milliseconds are given a third of the values at each place, and all of them in a full check. */
  readonly isSlow?: boolean;
  /** Whether odd values are given at a place. */
  readonly isTried?: (path: string, value: unknown) => boolean;
}

/** The fault of a call with one odd value somewhere: undefined where it succeeds, or throws an error of plumecast. */
export async function rawErrors({ name, run, args, depth = 2, isSlow, isTried = () => true }: Call): Promise<string[]> {
  const found: string[] = [];
  const step = isSlow && !isFullCheck ? 3 : 1;
  for (const [index, path] of pathsOf(args(), depth).entries()) {
    const label = `${name}(${path.join('.')})`;
    for (const [odd, value] of ODD_VALUES.filter((_, i) => (i + index) % step === 0)) {
      if (!isTried(path.join('.'), value)) continue;
      const error = await errorOf(run as (...all: unknown[]) => unknown, replaced(args(), path, value) as unknown[]);
      if (error === undefined || isPlumecastError(error)) continue;
      found.push(`${label} = ${odd}: ${text(error)}`);
    }
  }
  return found;
}

/** The error that a call throws or rejects with, or that comes of the first of what it yields. */
async function errorOf(run: (...args: unknown[]) => unknown, args: readonly unknown[]): Promise<unknown> {
  try {
    const result = (await run(...args)) as Partial<AsyncGenerator & Disposable> | undefined;
    if (typeof result?.next === 'function') {
      await result.next();
      await result.return?.(undefined);
    }
    const closable = result as { close?: () => unknown } | undefined;
    if (typeof closable?.close === 'function') await closable.close();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The places of arguments, and of what lies in those that are plain objects or lists. */
function pathsOf(value: unknown, depth: number): (string | number)[][] {
  const keys = Array.isArray(value) ? value.map((_, k) => k) : isPlain(value) ? Object.keys(value as object) : [];
  return keys.flatMap((key) => {
    const inner = (value as Record<string | number, unknown>)[key];
    return [[key], ...(depth > 0 ? pathsOf(inner, depth - 1).map((path) => [key, ...path]) : [])];
  });
}

function replaced(value: unknown, [key, ...rest]: readonly (string | number)[], by: unknown): unknown {
  const inner = (value as Record<string | number, unknown>)[key];
  const next = rest.length === 0 ? by : replaced(inner, rest, by);
  if (Array.isArray(value)) return value.map((item, k) => (k === key ? next : item));
  return { ...(value as object), [key]: next };
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function text(error: unknown): string {
  const { stack = '' } = error as Error;
  const place = /\((?:.*\/)?(src\/[^)]*)\)|at (?:.*\/)?(src\/\S+)/.exec(stack);
  return `${(error as Error)?.name}: ${(error as Error)?.message} ${place?.[1] ?? place?.[2] ?? ''}`;
}
