import { unusable } from '../errors.js';
import type { Core } from './instantiate.js';
import { CoreMemory } from './memory.js';

/** Throws OptionError for what is not a core, such as the promise of one. */
export function assertCore(core: unknown): asserts core is Core {
  const { memory, kernels } = (core ?? {}) as Partial<Core>;
  if (!(memory instanceof CoreMemory) || typeof kernels?.planBytes !== 'function')
    throw unusable('core', core, 'what `await loadCore()` gives');
}
