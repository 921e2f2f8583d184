import { CoreError } from '../errors.js';
import type { CoreExports } from './exports.js';
import { CoreMemory } from './memory.js';

/** One instance of the WebAssembly core with its own memory. Not to be shared between threads. */
export interface Core {
  readonly memory: CoreMemory;
  /** The kernels, for callers that hold addresses; see `assembly/` for what lies where. */
  readonly kernels: CoreExports;
}

/** What a core can be made from: a compiled module, the bytes of `plumecast.wasm`, or a response that carries them. */
export type CoreSource = WebAssembly.Module | BufferSource | Response | PromiseLike<Response>;

let packaged: Promise<WebAssembly.Module> | undefined;

/**
 * Loads the WebAssembly core and returns a new instance of it.
 *
 * Without a `source` it uses the module in the package, which is compiled once and kept; nothing has to be configured in Node,
 * bundlers and browsers, and edge runtimes that do not compile from bytes get it as an imported module. Throws CoreError where
 * the source is not plumecast's module or the runtime has no WebAssembly SIMD.
 */
export async function loadCore(source?: CoreSource): Promise<Core> {
  try {
    return await instantiate(source === undefined ? await packagedModule() : await compile(await source));
  } catch (cause) {
    if (cause instanceof CoreError) throw cause;
    throw new CoreError({
      subject: 'WebAssembly core',
      problem: `cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      allowed: 'plumecast.wasm as a module, bytes or a response, in a runtime with WebAssembly SIMD',
      cause,
    });
  }
}

function packagedModule(): Promise<WebAssembly.Module> {
  packaged ??= import('#wasm').then((wasm) => compile(wasm.default));
  packaged.catch(() => {
    packaged = undefined;
  });
  return packaged;
}

async function compile(source: WebAssembly.Module | BufferSource | Response): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  // Bytes first: in Node, merely naming Response loads its whole HTTP client.
  const bytes = ArrayBuffer.isView(source) || source instanceof ArrayBuffer;
  if (bytes || typeof Response === 'undefined' || !(source instanceof Response)) {
    return WebAssembly.compile(source as BufferSource);
  }
  if (!source.ok) {
    throw new CoreError({
      subject: 'WebAssembly core',
      problem: 'the response carries no module',
      received: `status ${source.status}`,
      allowed: 'a response of status 200 with the bytes of plumecast.wasm',
    });
  }
  return WebAssembly.compile(await source.arrayBuffer());
}

async function instantiate(module: WebAssembly.Module): Promise<Core> {
  const wasm = new WebAssembly.Memory({ initial: 16, maximum: 65_536 });
  const instance = await WebAssembly.instantiate(module, { env: { memory: wasm } });
  const kernels = instance.exports as unknown as CoreExports;
  const memory = new CoreMemory(wasm);
  memory.begin(kernels.heapBase());
  return { memory, kernels };
}
