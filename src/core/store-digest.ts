import { KernelModule, type Kernels } from './kernel-module.js';

/** The functions of the module of stores that make digests; `assembly/store/` draws the memory layout. */
interface DigestExports {
  heapBase(): number;
  /** The digest of `bytes` bytes, a multiple of 64, as a signed integer. */
  digestBytes(address: number, bytes: number, seed: number): number;
}

const digests = new KernelModule<DigestExports>('stores', () => import('#store-wasm'));

/** Creates an instance of the module of stores. Throws CoreError where the runtime has no WebAssembly SIMD. */
export function loadDigestKernels(): Promise<Kernels<DigestExports>> {
  return digests.load();
}
