import { unusable } from '../errors.js';
import type { Core } from './instantiate.js';

/** Throws OptionError for what is not a core, such as the promise of one. */
export function assertCore(core: unknown): asserts core is Core {
  const { memory, kernels } = (core ?? {}) as Partial<Core>;
  // Not by instanceof: a page may have two copies of the package.
  if (typeof memory?.scratch === 'function' && typeof kernels?.planBytes === 'function') return;
  throw unusable('core', core, 'what `await loadCore()` gives');
}
