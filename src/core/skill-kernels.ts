import { KernelModule, type Kernels } from './kernel-module.js';

type ScoreCases = (
  rows: number,
  rowBytes: number,
  members: number,
  observed: number,
  cases: number,
  what: number,
  column: number,
  out: number,
  counts: number,
  outBytes: number,
) => void;

type CountAbove = (
  rows: number,
  rowBytes: number,
  members: number,
  cases: number,
  limit: number,
  counts: number,
  countBytes: number,
) => void;

/** The functions of the module of scores; `assembly/skill/` draws the memory layouts. Addresses are bytes. */
interface SkillExports {
  heapBase(): number;
  columnBytes(members: number): number;
  readonly scoreCasesF32: ScoreCases;
  readonly scoreCasesF64: ScoreCases;
  readonly countAboveF32: CountAbove;
  readonly countAboveF64: CountAbove;
  chiSquareTail(x: number, degrees: number): number;
  log2(x: number): number;
}

/** An instance of the module of scores, with its own memory. */
export type SkillKernels = Kernels<SkillExports>;

const skill = new KernelModule<SkillExports>('scores', () => import('#skill-wasm'));

/** Creates an instance. Throws CoreError where the runtime has no WebAssembly SIMD. */
export function loadSkillKernels(): Promise<SkillKernels> {
  return skill.load();
}
