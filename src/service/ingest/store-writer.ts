import { assertSlugs } from '../../blend/blend-variables.js';
import { assertShape, assertShapes } from '../../check/option-checks.js';
import { unusable } from '../../errors.js';
import { assertVariables, findVariable } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import type { StoreUpdate } from '../source/folder/store-update.node.js';

/** What data are written to: an update of a store, which readers do not see before it is committed. */
export type StoreWriter = Pick<
  StoreUpdate,
  | 'setForecast'
  | 'keep'
  | 'write'
  | 'share'
  | 'append'
  | 'keepIssued'
  | 'setElevation'
  | 'setClimatology'
  | 'before'
  | 'stored'
  | 'storedPart'
  | 'storedBefore'
  | 'storedClimatology'
  | 'storedElevation'
>;

/** What an ingestion may delete from a store. */
export interface ReplaceOptions {
  /**
   * Whether what is given replaces the same of the store completely: a horizon, a history, a climatology. Default false:
   * what would be lost is an error that names it.
   */
  readonly replace?: boolean;
  /** Whether runs of a forecast may be older than the store's. Default false: an error. */
  readonly allowOlder?: boolean;
}

/** How much memory an ingestion takes. */
export interface MemoryOptions {
  /**
   * About how many bytes of memory to use for values of files of arrays, whose places are read some at a time: 512 MiB by
   * default. Tables are read as a whole.
   */
  readonly memory?: number;
}

/** How exactly values are kept. */
export interface PrecisionOptions {
  /**
   * What values are rounded to a multiple of, by variable, in its unit, such as `{ temp_mean: 0.05 }`; `decimals` for the
   * decimals that each variable has in JSON. Stores become smaller. By default every bit is kept.
   */
  readonly precision?: 'decimals' | Readonly<Record<string, number>>;
}

/** What the values of a variable are rounded to; undefined where every bit is kept. */
export function precisionOf({ precision }: PrecisionOptions, { slug, decimals }: Variable): number | undefined {
  return precision === 'decimals' ? 10 ** -decimals : precision?.[slug];
}

/** About so much memory is used for values where it is not said. */
export const DEFAULT_MEMORY = 536_870_912;
/** Values that are read take so much of the memory: the rest is for what they are read from, and what is written. */
const BLOCK_SHARE = 0.25;

/** The bytes of values that are read at a time. */
export function blockBytes({ memory = DEFAULT_MEMORY }: MemoryOptions): number {
  return memory * BLOCK_SHARE;
}

const NAMES = {
  initTime: 'any text?',
  nextInitTime: 'any text?',
  version: 'any text?',
  generation: 'any text?',
} as const;

const LEAST = { minMembers: 'count?', minDays: 'count?', memory: 'count?' } as const;

const FLAGS = { replace: 'flag?', allowOlder: 'flag?' } as const;

/** Throws OptionError for what is not an input of files, each with a name and a function to load it. */
export function assertInput(input: unknown): void {
  assertShape('input', input, { files: 'list', onNotice: 'function?', ...NAMES, ...FLAGS, ...LEAST });
  assertIssued((input as { keepIssued?: unknown }).keepIssued);
  const { files, variables, pairBy } = input as { files: unknown; variables?: unknown; pairBy?: unknown };
  if (pairBy !== undefined) assertSlugs(pairBy);
  assertShapes('input.files', files, { source: 'any text', load: 'function', state: 'any text?' });
  assertVariables(variables);
  assertPrecision((input as { precision?: unknown }).precision, variables);
}

/** Throws OptionError for what is neither `decimals` nor a positive number for each of some variables. */
function assertPrecision(precision: unknown, variables: readonly Variable[] | undefined): void {
  if (precision === undefined || precision === 'decimals') return;
  const prototype = typeof precision === 'object' && precision !== null && Object.getPrototypeOf(precision);
  if (prototype !== Object.prototype) {
    throw unusable('input.precision', precision, 'decimals, or an object with positive numbers by variable');
  }
  for (const [slug, quantum] of Object.entries(precision as object)) {
    findVariable(slug, variables);
    if (!(Number.isFinite(quantum) && quantum > 0))
      throw unusable(`input.precision.${slug}`, quantum, 'a positive number');
  }
}

/** Throws OptionError for what is neither true, false, nor places. */
function assertIssued(keepIssued: unknown): void {
  if (keepIssued === undefined || typeof keepIssued === 'boolean') return;
  const { latitude, longitude } = Object(keepIssued);
  if (latitude instanceof Float64Array && longitude instanceof Float64Array) return;
  throw unusable('input.keepIssued', keepIssued, 'true, false, or places: Float64Arrays latitude and longitude');
}

/** Throws OptionError for what is not a writer with the `methods` needed. */
export function assertWriter(writer: unknown, ...methods: readonly string[]): void {
  assertShape('writer', writer, Object.fromEntries(methods.map((method) => [method, 'function' as const])));
}
