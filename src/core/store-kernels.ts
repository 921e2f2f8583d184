import type { Core } from './instantiate.js';
import { PackagedModule } from './kernel-module.js';

/** The functions of the module of stores; `assembly/store/` draws the memory layouts. Addresses are bytes. */
export interface StoreKernels {
  tableBytes(): number;
  fillTables(tables: number): void;
  blockChecksum(bytes: number, length: number): number;
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

const store = new PackagedModule<StoreKernels>('stores', () => import('#store-wasm'));

/**
 * Creates an instance of the module of stores on the memory of a core, so that values are decoded to where the core
 * takes them. It has no data of its own in that memory. Throws CoreError where the runtime has no WebAssembly SIMD.
 */
export async function loadStoreKernels({ memory }: Core): Promise<StoreKernels> {
  return (await store.instantiate(() => memory.wasm)).kernels;
}
