import { tableFromArrays } from 'apache-arrow';
import { isPlumecastError, type PlumecastError } from '../../src/errors.js';
import { isFullCheck } from '../full-check.js';
import {
  accepts,
  declaredFunctions,
  isMade,
  membersTaking,
  namesIn,
  type Types,
  typesAt,
} from './declared-functions.js';

/** Values that a careless caller may give for anything: of all kinds, so that most are wrong at any place. */
const ODD_VALUES: readonly (readonly [name: string, value: () => unknown])[] = [
  ['null', () => null],
  ['undefined', () => undefined],
  ['an empty object', () => ({})],
  ['an object without a prototype', () => Object.create(null)],
  ['an empty list', () => []],
  ['a list of null', () => [null]],
  ['a list of numbers', () => [1, 2]],
  ['an empty text', () => ''],
  ['a text', () => 'odd'],
  ['NaN', () => Number.NaN],
  ['-1', () => -1],
  ['1.5', () => 1.5],
  ['1e9', () => 1e9],
  ['Infinity', () => Number.POSITIVE_INFINITY],
  ['a bigint', () => 10n],
  ['true', () => true],
  ['a symbol', () => Symbol('odd')],
  ['a function', () => () => undefined],
  ['a date that is none', () => new Date(Number.NaN)],
  ['bytes', () => new Uint8Array([1, 2, 3])],
  ['an array of integers', () => new Int32Array(2)],
  ['a map', () => new Map()],
  ['a promise', () => Promise.resolve(undefined)],
  ['a table', () => smallTable],
  ['a proxy', () => new Proxy({}, {})],
];

const smallTable = tableFromArrays({ odd: new Float64Array(3) });

/** What messages call parameters whose names are too general for them. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  clientOptions: ['options'],
  data: ['table'],
  definition: ['variable'],
  extra: ['variables'],
  given: ['table'],
  how: ['options', 'method'],
  initial: ['snapshot'],
  key: ['period'],
  of: ['climatology'],
  rule: ['window'],
  slug: ['variable'],
  tables: ['horizon'],
  text: ['date'],
  wasm: ['memory'],
};

/** A public function, and arguments that it takes. */
export interface Call {
  /** The name of the function or method, and maybe more: `memoryKeys of hashes`, `Pool.statistics`. */
  readonly name: string;
  readonly run: (...args: never[]) => unknown;
  readonly args: () => readonly unknown[];
  /** How deep into objects values are replaced: 1 for options, 2 for what lies in them. Default 2. */
  readonly depth?: number;
  /** Calls that take milliseconds are given a twelfth of the values at each place, others a sixth, and all of them in a full check. */
  readonly isSlow?: boolean;
  /** Whether odd values are given at a place. */
  readonly isTried?: (path: string, value: unknown) => boolean;
}

/** The declared name of the function of a call. */
export const declaredName = ({ name }: Call): string => name.split(' ')[0];

/**
 * The faults of a call with one odd value somewhere. Where the declared type forbids the value, an error of plumecast has
 * to name the place and what it takes; else, and where `isUnnamed`, the call succeeds, or throws an error of plumecast.
 */
export async function faultsOf(call: Call, isUnnamed: (label: string) => boolean = () => false): Promise<string[]> {
  const { name, run, args, depth = 2, isSlow, isTried = () => true } = call;
  const declared = declaredFunctions.get(declaredName(call));
  if (declared === undefined) return [`${name} is not declared`];
  const found: string[] = [];
  const step = isFullCheck ? 1 : isSlow ? 12 : 6;
  const given = args();
  const places = declared.parameters.flatMap(({ types }, i) => placesIn([i], types, given[i], depth));
  for (const [index, { path, types }] of places.entries()) {
    const [first, ...rest] = path;
    const words = [declared.parameters[first as number].name, ...rest];
    const label = `${name}(${words.join('.')})`;
    const word = words.filter((key) => typeof key === 'string').at(-1) as string;
    const names = [word, word.replace(/s$/, ''), ...(OTHER_NAMES[word] ?? [])];
    for (const [odd, make] of ODD_VALUES.filter((_, i) => (i + index) % step === 0)) {
      const value = make();
      if (!isTried(path.join('.'), value)) continue;
      const error = await errorOf(run as (...all: unknown[]) => unknown, replaced(args(), path, value) as unknown[]);
      const isAllowed = accepts(types, value) || isUnnamed(label);
      const fault = rawError(error) ?? (isAllowed ? undefined : unclear(error, names));
      if (fault !== undefined) found.push(`${label} = ${odd}: ${fault}`);
    }
  }
  return found;
}

function rawError(error: unknown): string | undefined {
  return error === undefined || isPlumecastError(error) ? undefined : text(error);
}

/** What an error about a value of a wrong kind lacks. */
function unclear(error: unknown, names: readonly string[]): string | undefined {
  if (error === undefined) return 'is taken, although its type forbids it';
  const { message, allowed } = error as PlumecastError;
  if (!names.some((name) => message.toLowerCase().includes(name.toLowerCase())))
    return `the error does not name ${names[0]}: ${message}`;
  return allowed === undefined ? `the error does not say what is allowed: ${message}` : undefined;
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

interface Place {
  readonly path: readonly (string | number)[];
  readonly types: Types;
}

/** The place of a value, and the places in it: of the properties that its type declares, and of the first item of lists. */
function placesIn(path: Place['path'], types: Types, value: unknown, depth: number): Place[] {
  const here = { path, types };
  // What the library makes is right or wrong as a whole.
  if (depth === 0 || types.some(isMade)) return [here];
  const keys = Array.isArray(value)
    ? value.slice(0, 1).map((_, i) => i)
    : isPlain(value)
      ? new Set([...namesIn(types.flatMap((type) => membersTaking(type, value))), ...Object.keys(value as object)])
      : [];
  const inner = [...keys].flatMap((key) =>
    placesIn([...path, key], typesAt(types, key), (value as Record<string | number, unknown>)[key], depth - 1),
  );
  return [here, ...inner.filter((place) => place.types.length > 0)];
}

function replaced(value: unknown, [key, ...rest]: readonly (string | number)[], by: unknown): unknown {
  const inner = (value as Record<string | number, unknown>)[key];
  const next = rest.length === 0 ? by : replaced(inner, rest, by);
  if (Array.isArray(value)) return Object.assign([...value], { [key]: next });
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
