import { KernelModule, type Kernels } from './kernel-module.js';

/** The functions of the module that encodes blocks; `assembly/encoder/` draws the memory layouts. Addresses are bytes. */
interface EncoderExports {
  heapBase(): number;
  workBytes(members: number, days: number): number;
  writeConstant(values: number, members: number, days: number, out: number): number;
  writePlain(values: number, members: number, days: number, out: number): number;
  packGrid(
    values: number,
    members: number,
    days: number,
    quantum: number,
    origin: number,
    fields: number,
    isRounded: boolean,
    most: number,
    work: number,
  ): number;
  packBits(values: number, members: number, days: number, most: number, work: number): number;
  exceptionCount(work: number): number;
  /** Not 0 where they have one. */
  haveCommonFactor(members: number, days: number, work: number): number;
  writePacked(values: number, members: number, days: number, work: number, out: number): void;
}

/** An instance of the module that encodes blocks, with its own memory. */
export type EncoderKernels = Kernels<EncoderExports>;

const encoder = new KernelModule<EncoderExports>('the encoder of stores', () => import('#encoder-wasm'));

/** An instance to be given back by `giveEncoderKernels`. Throws CoreError where the runtime has no WebAssembly SIMD. */
export function takeEncoderKernels(): Promise<EncoderKernels> {
  return encoder.take();
}

/** Gives an instance back, of whose memory nothing is used any more. */
export function giveEncoderKernels(tools: EncoderKernels): void {
  encoder.give(tools);
}
