import { CoreError } from '../errors.js';
import type { PlatformResponse, WasmBytes, WasmModule } from '../platform.js';
import { type Core, instantiate, ownMemory } from './instantiate.js';

export type { Core } from './instantiate.js';

/**
 * What a core can be made from: a compiled module, the bytes of `plumecast.wasm`, a response with them, or a promise of
 * one.
 */
export type CoreSource = CoreModule | PromiseLike<CoreModule>;

/** What holds `plumecast.wasm`: a compiled module, its bytes, or a response with them. */
export type CoreModule = WasmModule | WasmBytes | PlatformResponse;

let packaged: Promise<WasmModule> | undefined;

/**
 * Loads the WebAssembly core and returns a new instance of it.
 *
 * Without a `source` it uses the module in the package, which is compiled once and kept; nothing has to be configured
 * in Node, bundlers and browsers, and edge runtimes that do not compile from bytes get it as an imported module. Throws
 * CoreError where the source is not plumecast's module, the runtime has no WebAssembly SIMD, or the process too little
 * virtual memory.
 *
 * @example
 * ```js
 * import { loadCore, statistics } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 *
 * const core = await loadCore(); // once in a program
 * const { numRows } = statistics(core, demoTable('precipitation'), { granularity: 'monthly' });
 * console.log(numRows, 'months');
 * ```
 *
 * ```text
 * 4 months
 * ```
 */
export async function loadCore(source?: CoreSource): Promise<Core> {
  try {
    const module = await (source === undefined ? packagedModule() : compile(await moduleSource(source)));
    return await instantiate(module, ownMemory());
  } catch (cause) {
    if (cause instanceof CoreError) throw cause;
    // What a page needs only where this fails is not part of what it loads first.
    throw new CoreError((await import('./load-fault.js')).loadFault(cause));
  }
}

function packagedModule(): Promise<WasmModule> {
  packaged ??= moduleSource().then(compile);
  packaged.catch(() => {
    packaged = undefined;
  });
  return packaged;
}

async function compile(source: WasmModule | WasmBytes): Promise<WasmModule> {
  return source instanceof WebAssembly.Module ? source : WebAssembly.compile(source);
}

/**
 * The module of a source, by default that of the package, or its bytes. Throws CoreError for a response that is an
 * error.
 */
export async function moduleSource(source?: CoreSource): Promise<WasmModule | WasmBytes> {
  if (source === undefined) return (await import('#wasm')).default;
  const received = await source;
  // Bytes first: in Node, merely naming Response loads its whole HTTP client.
  const bytes = ArrayBuffer.isView(received) || received instanceof ArrayBuffer;
  if (bytes || typeof Response === 'undefined' || !(received instanceof Response)) {
    return received as WasmModule | WasmBytes;
  }
  if (!received.ok) throw new CoreError((await import('./load-fault.js')).responseFault(received.status));
  return received.arrayBuffer();
}
