/** The address where free memory begins: below it is what the module itself needs. */
export function heapBase(): usize {
  return __heap_base;
}

export { findCells, isAscii } from './cells';
export { codeValues4, codeValues8, writeRuns } from './encode';
export { readLists } from './lists';
export { decompressLz4 } from './lz4';
export { spread4, spread8 } from './nulls';
export { readNumbers } from './numbers';
export { areWithin, findPlaces, haveSameRows, repeatCodes4, repeatCodes8, scatter4, scatter8 } from './rows';
export { readDictionary4, readDictionary8, readLevels } from './runs';
export { decompressSnappy } from './snappy';
export { compressSnappy } from './snappy-encode';
export { readTexts } from './texts';
export { decompressZstd } from './zstd';
export { zstdScratch } from './zstd-tables';
