import { KernelModule, type Kernels } from './kernel-module.js';

/** The functions of the module of stores; `assembly/store/` draws the memory layouts. Addresses are bytes. */
export interface StoreExports {
  heapBase(): number;
  /** The digest of `bytes` bytes, a multiple of 64, as a signed integer. */
  digestBytes(address: number, bytes: number, seed: number): number;
  tableBytes(): number;
  fillTables(tables: number): void;
  decodeBlock(
    tables: number,
    bytes: number,
    length: number,
    members: number,
    days: number,
    fields: number,
    scratch: number,
    out: number,
  ): number;
}

const store = new KernelModule<StoreExports>('stores', () => import('#store-wasm'));

/** Creates an instance of the module of stores. Throws CoreError where the runtime has no WebAssembly SIMD. */
export function loadStoreKernels(): Promise<Kernels<StoreExports>> {
  return store.load();
}
