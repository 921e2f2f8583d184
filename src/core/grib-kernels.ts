import { KernelModule, type Kernels } from './kernel-module.js';

/** The functions of the module of GRIB; `assembly/grib/` draws the memory layouts. Addresses are bytes. */
interface GribExports {
  heapBase(): number;
  reverseBytes(at: number, length: number): void;
  unpackSimple(
    stream: number,
    count: number,
    width: number,
    reference: number,
    binary: number,
    decimal: number,
    out: number,
  ): void;
  unpackComplex(job: number, reference: number, binary: number, decimal: number, out: number): number;
  indexGroups(job: number, step: number, out: number): number;
  unpackCcsds(job: number, reference: number, binary: number, decimal: number, out: number): number;
  indexIntervals(job: number, step: number, out: number): number;
  unpackFloats(stream: number, count: number, bytes: number, out: number): void;
  countBits(bitmap: number, count: number): number;
  spreadValues(bitmap: number, count: number, values: number, out: number): void;
}

/** An instance of the module that unpacks GRIB, with its own memory. */
export type GribKernels = Kernels<GribExports>;

const grib = new KernelModule<GribExports>('GRIB', () => import('#grib-wasm'));

/** An instance to be given back by `giveGribKernels`. Throws CoreError where the runtime has no WebAssembly SIMD. */
export function takeGribKernels(): Promise<GribKernels> {
  return grib.take();
}

/** Gives an instance back, of whose memory nothing is used any more. */
export function giveGribKernels(tools: GribKernels): void {
  grib.give(tools);
}
