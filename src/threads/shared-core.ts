import { instantiate } from '../core/instantiate.js';
import type { Core } from '../core/load.js';
import { shareModule } from './share-module.js';

/** The core on memory that threads can share, and the module for their own instances. */
export interface SharedCore {
  readonly core: Core;
  readonly module: WebAssembly.Module;
}

/** Pages of 64 KiB that the memory may grow to: some runtimes set aside all of it, and have no room for 4 GiB. */
const MAX_PAGES = [65_536, 32_768, 16_384, 4_096];

/**
 * A core on shared memory; undefined where the runtime lets nothing be shared, and where the module cannot be changed to share:
 * one that is compiled already, or is not plumecast's.
 */
export async function sharedCore(source: WebAssembly.Module | BufferSource): Promise<SharedCore | undefined> {
  if (!canShare() || source instanceof WebAssembly.Module) return undefined;
  const bytes = shareModule(
    ArrayBuffer.isView(source)
      ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
      : new Uint8Array(source),
  );
  if (bytes === undefined) return undefined;
  const module = await WebAssembly.compile(bytes);
  return { core: await instantiate(module, sharedMemory()), module };
}

/** Browsers share memory only within pages that are cross-origin isolated; other runtimes know no such thing. */
function canShare(): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && globalThis.crossOriginIsolated !== false;
}

function sharedMemory(): WebAssembly.Memory {
  for (const maximum of MAX_PAGES.slice(0, -1)) {
    try {
      return new WebAssembly.Memory({ initial: 16, maximum, shared: true });
    } catch {
      // There may be room for less.
    }
  }
  return new WebAssembly.Memory({ initial: 16, maximum: MAX_PAGES.at(-1), shared: true });
}
