import { unusable } from '../errors.js';
import type { Core } from './instantiate.js';

/** Throws OptionError unless `core` is one: a promise of a core, for example, is not. */
export function assertCore(core: unknown): asserts core is Core {
  const { memory, kernels } = (core ?? {}) as Partial<Core>;
  // Not by instanceof: a page may have two copies of the package.
  if (typeof memory?.scratch === 'function' && typeof kernels?.planBytes === 'function') return;
  throw unusable('core', core, 'what `await loadCore()` gives');
}
