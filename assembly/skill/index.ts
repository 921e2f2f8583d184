/** The address where free memory begins: below it is what the module itself needs. */
export function heapBase(): usize {
  return __heap_base;
}

export { countAboveF32, countAboveF64 } from './counts';
export { chiSquareTail, log2 } from './distributions';
export { columnBytes, scoreCasesF32, scoreCasesF64 } from './cases';
