import type { WasmMemory, WasmModule } from '../platform.js';
import type { CoreExports } from './exports.js';
import { CoreMemory } from './memory.js';

/** One instance of the WebAssembly core with its own memory. Not to be shared between threads. */
export interface Core {
  readonly memory: CoreMemory;
  /**
   * The kernels, for callers that have addresses; `assembly/` draws the memory layouts.
   *
   * @internal
   */
  readonly kernels: CoreExports;
  /** What it is an instance of. */
  readonly module?: WasmModule;
}

/** A part of a shared memory: from address `start` to `end` (exclusive). */
export interface Arena {
  readonly start: number;
  readonly end: number;
}

/**
 * Creates an instance of the module on a memory. It may use an arena, or by default all that the module itself does not
 * need.
 */
export async function instantiate(module: WasmModule, wasm: WasmMemory, arena?: Arena): Promise<Core> {
  const instance = await WebAssembly.instantiate(module, { env: { memory: wasm } });
  const kernels = instance.exports as unknown as CoreExports;
  const memory = new CoreMemory(wasm);
  memory.begin(arena?.start ?? kernels.heapBase(), arena?.end);
  return { memory, kernels, module };
}

/** Creates a memory that is not shared with other threads. */
export function ownMemory(): WasmMemory {
  return new WebAssembly.Memory({ initial: 16, maximum: 65_536 });
}
