import { assertSlugs } from '../../blend/blend-variables.js';
import { assertShape, assertShapes } from '../../check/option-checks.js';
import { assertVariables } from '../../variable/find-variable.js';
import type { StoreUpdate } from '../source/folder/store-update.node.js';

/**
 * What data are written to: an update of a store, which readers do not see before it is committed. A writer without
 * `stored` holds nothing before.
 */
export type StoreWriter = Pick<StoreUpdate, 'setForecast' | 'write' | 'setElevation' | 'setClimatology'> &
  Partial<Pick<StoreUpdate, 'stored' | 'storedPart' | 'storedClimatology' | 'storedElevation'>>;

/** What an ingestion may delete from a store. */
export interface ReplaceOptions {
  /** Whether the store may lose what the new files do not have. Default false: an error that names it. */
  readonly replace?: boolean;
  /** Whether runs of a forecast may be older than the store's. Default false: an error. */
  readonly allowOlder?: boolean;
}

const NAMES = {
  initTime: 'any text?',
  nextInitTime: 'any text?',
  version: 'any text?',
  generation: 'any text?',
} as const;

const FLAGS = { replace: 'flag?', allowOlder: 'flag?' } as const;

/** Throws OptionError for what is not an input of files, each with a name and a function to load it. */
export function assertInput(input: unknown): void {
  assertShape('input', input, { files: 'list', onNotice: 'function?', ...NAMES, ...FLAGS });
  const { files, variables, pairBy } = input as { files: unknown; variables?: unknown; pairBy?: unknown };
  if (pairBy !== undefined) assertSlugs(pairBy);
  assertShapes('input.files', files, { source: 'any text', load: 'function' });
  assertVariables(variables);
}

/** Throws OptionError for what is not a writer with the `methods` needed. */
export function assertWriter(writer: unknown, ...methods: readonly string[]): void {
  assertShape('writer', writer, Object.fromEntries(methods.map((method) => [method, 'function' as const])));
}
