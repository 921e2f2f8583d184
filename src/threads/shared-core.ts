import { instantiate } from '../core/instantiate.js';
import type { Core } from '../core/load.js';

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

const IMPORTS = 2;
const MEMORY = 2;
const HAS_MAXIMUM = 1;
const IS_SHARED = 2;

/**
 * The bytes of a module whose one import is a memory with a maximum, changed to import a shared memory; undefined for
 * other bytes. They differ in one bit: see "Import Section" and "Limits" in the WebAssembly specification.
 */
export function shareModule(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const at = findMemoryLimits(bytes);
  if (at === undefined || bytes[at] !== HAS_MAXIMUM) return undefined;
  const shared = Uint8Array.from(bytes);
  shared[at] |= IS_SHARED;
  return shared;
}

/** Finds the place of the imported memory's limits, which begin with a byte of flags. */
function findMemoryLimits(bytes: Uint8Array): number | undefined {
  // After eight bytes of magic and version.
  let at = 8;
  const readNumber = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (!(byte & 128)) return value;
    }
  };
  const skip = (length: number) => {
    at += length;
  };
  while (at < bytes.length) {
    const section = bytes[at++];
    const length = readNumber();
    if (section !== IMPORTS) {
      skip(length);
      continue;
    }
    if (readNumber() !== 1) return undefined;
    // The names of the module and of the import.
    skip(readNumber());
    skip(readNumber());
    return bytes[at] === MEMORY ? at + 1 : undefined;
  }
  return undefined;
}
