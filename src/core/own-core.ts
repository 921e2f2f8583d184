import type { WasmModule } from '../platform.js';
import { type Core, instantiate, ownMemory } from './instantiate.js';
import { loadCore } from './load.js';

/** So many cores are kept for the next use. */
const MAX_UNUSED = 2;
/** Larger memories are not kept. */
const MAX_BYTES = 134_217_728;

const unused = /* @__PURE__ */ new WeakMap<WasmModule, Core[]>();

/**
 * Yields what `use` yields with a core of its own, of the module of a given one: what is read step by step shares its
 * memory with nothing that happens between the steps. Where a process has no memory for another core, it is the given
 * one.
 */
export async function* onOwnCore<T>(core: Core, use: (own: Core) => AsyncIterable<T>): AsyncGenerator<T> {
  const own = await takeCore(core).catch(() => core);
  try {
    yield* use(own);
  } finally {
    if (own !== core) giveBack(own);
  }
}

/** The same for a promise: what it resolves to lies outside of that core's memory. */
export async function withOwnCore<T>(core: Core, use: (own: Core) => Promise<T>): Promise<T> {
  const own = await takeCore(core).catch(() => core);
  try {
    return await use(own);
  } finally {
    if (own !== core) giveBack(own);
  }
}

async function takeCore({ module, memory }: Core): Promise<Core> {
  // The module of a pool's core can be used with shared memory only.
  if (module === undefined || !(memory.wasm.buffer instanceof ArrayBuffer)) return loadCore();
  return unused.get(module)?.pop() ?? (await instantiate(module, ownMemory()));
}

function giveBack({ module, memory, kernels }: Core): void {
  if (module === undefined || memory.wasm.buffer.byteLength > MAX_BYTES) return;
  const others = unused.get(module) ?? [];
  if (others.length === MAX_UNUSED) return;
  memory.begin(kernels.heapBase());
  memory.held = undefined;
  unused.set(module, [...others, { module, memory, kernels }]);
}
