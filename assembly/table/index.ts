/** The address where free memory begins: below it is what the module itself needs. */
export function heapBase(): usize {
  return __heap_base;
}

export { findCells, isAscii } from './cells';
export { readNumbers } from './numbers';
export { readTexts } from './texts';
