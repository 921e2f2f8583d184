/** The address where free memory begins: below it is what the module itself needs. */
export function heapBase(): usize {
  return __heap_base;
}

export { countBits, spreadValues } from './bitmap';
export { reverseBytes } from './bits';
export { indexIntervals, unpackCcsds } from './ccsds';
export { indexGroups, unpackComplex } from './complex';
export { unpackFloats } from './floats';
export { unpackSimple } from './simple';
