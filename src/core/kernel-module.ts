import { CoreError } from '../errors.js';
import type { WasmBytes, WasmModule } from '../platform.js';
import { ownMemory } from './instantiate.js';
import { CoreMemory } from './memory.js';

/** An instance of a module of kernels, with its own memory. */
export interface Kernels<Exports> {
  readonly memory: CoreMemory;
  readonly kernels: Exports;
}

const MAX_UNUSED = 4;
/** An instance whose memory has grown larger is not kept. */
const MAX_BYTES = 67_108_864;

/** A module of kernels beside the core, which is loaded when it is first needed; its instances have their own memories. */
export class KernelModule<Exports extends { heapBase(): number }> {
  readonly #name: string;
  readonly #source: () => Promise<{ default: WasmBytes | WasmModule }>;
  #compiled: Promise<WasmModule> | undefined;
  /** Instances that nobody uses. Each reserves gigabytes of addresses, so that there must not be one for each file. */
  readonly #unused: Kernels<Exports>[] = [];

  /** `name` says in errors what the module is of. */
  constructor(name: string, source: () => Promise<{ default: WasmBytes | WasmModule }>) {
    this.#name = name;
    this.#source = source;
  }

  /** Creates an instance; the module is compiled once. Throws CoreError where the runtime has no WebAssembly SIMD. */
  async load(): Promise<Kernels<Exports>> {
    this.#compiled ??= this.#source().then(({ default: source }) =>
      source instanceof WebAssembly.Module ? source : WebAssembly.compile(source),
    );
    try {
      const wasm = ownMemory();
      const { exports } = await WebAssembly.instantiate(await this.#compiled, { env: { memory: wasm } });
      const kernels = exports as unknown as Exports;
      const memory = new CoreMemory(wasm);
      memory.begin(kernels.heapBase());
      return { memory, kernels };
    } catch (cause) {
      this.#compiled = undefined;
      throw new CoreError({
        subject: `WebAssembly module of ${this.#name}`,
        problem: `cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
        allowed: 'a runtime with WebAssembly SIMD',
        cause,
      });
    }
  }

  /** An instance to be given back. Throws as `load` does. */
  async take(): Promise<Kernels<Exports>> {
    return this.#unused.pop() ?? (await this.load());
  }

  /** Gives an instance back, of whose memory nothing is used any more. */
  give(tools: Kernels<Exports>): void {
    const { memory, kernels } = tools;
    if (this.#unused.length === MAX_UNUSED || memory.wasm.buffer.byteLength > MAX_BYTES) return;
    memory.begin(kernels.heapBase());
    this.#unused.push(tools);
  }
}
