import type { CoreExports } from './exports.js';
import { CoreMemory } from './memory.js';

/** One instance of the WebAssembly core with its own memory. Not to be shared between threads. */
export interface Core {
  readonly memory: CoreMemory;
  /** The kernels, for callers that hold addresses; see `assembly/` for what lies where. */
  readonly kernels: CoreExports;
}

/** A part of a shared memory: from `start` up to, not including, `end`. */
export interface Arena {
  readonly start: number;
  readonly end: number;
}

/** A new instance of the module on a memory: all of it that the module leaves free, or an arena. */
export async function instantiate(module: WebAssembly.Module, wasm: WebAssembly.Memory, arena?: Arena): Promise<Core> {
  const instance = await WebAssembly.instantiate(module, { env: { memory: wasm } });
  const kernels = instance.exports as unknown as CoreExports;
  const memory = new CoreMemory(wasm);
  memory.begin(arena?.start ?? kernels.heapBase(), arena?.end);
  return { memory, kernels };
}

/** A memory that no other thread sees. */
export function ownMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 16, maximum: 65_536 });
}
