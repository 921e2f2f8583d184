/** The address where free memory begins: below it is what the module itself needs. */
export function heapBase(): usize {
  return __heap_base;
}

export { exceptionCount, packBits, packGrid, writeConstant, writePacked, writePlain } from './block';
export { haveCommonFactor } from './integers';
export { workBytes } from './work';
