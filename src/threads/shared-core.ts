import { instantiate } from '../core/instantiate.js';
import type { Core } from '../core/load.js';
import { shareModule } from './share-module.js';

/** A core on memory that threads can share, and the module for their instances. */
export interface SharedCore {
  readonly core: Core;
  readonly module: WebAssembly.Module;
}

/** Pages of 64 KiB that the memory may grow to: some runtimes reserve all of it, and do not have 4 GiB. */
const MAX_PAGES = [65_536, 32_768, 16_384, 4_096];

/**
 * Loads a core on shared memory; undefined where the runtime cannot share memory, and for a module that cannot be
 * changed to use it: a compiled one, or one that is not plumecast's.
 */
export async function loadSharedCore(source: WebAssembly.Module | BufferSource): Promise<SharedCore | undefined> {
  if (!canShare() || source instanceof WebAssembly.Module) return undefined;
  const bytes = shareModule(
    ArrayBuffer.isView(source)
      ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
      : new Uint8Array(source),
  );
  if (bytes === undefined) return undefined;
  const module = await WebAssembly.compile(bytes);
  return { core: await instantiate(module, createSharedMemory()), module };
}

/** Browsers share memory only within cross-origin isolated pages; other runtimes do not have this property. */
function canShare(): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && globalThis.crossOriginIsolated !== false;
}

function createSharedMemory(): WebAssembly.Memory {
  for (const maximum of MAX_PAGES.slice(0, -1)) {
    try {
      return new WebAssembly.Memory({ initial: 16, maximum, shared: true });
    } catch {
      // A smaller maximum may be possible.
    }
  }
  return new WebAssembly.Memory({ initial: 16, maximum: MAX_PAGES.at(-1), shared: true });
}
