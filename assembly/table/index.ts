/** The address where free memory begins: below it is what the module itself needs. */
export function heapBase(): usize {
  return __heap_base;
}

export { findCells, isAscii } from './cells';
export { spread4, spread8 } from './nulls';
export { readNumbers } from './numbers';
export { readDictionary4, readDictionary8, readLevels } from './runs';
export { decompressSnappy } from './snappy';
export { readTexts } from './texts';
