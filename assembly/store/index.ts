/** The address where free memory begins: below it is what the module itself needs. */
export function heapBase(): usize {
  return __heap_base;
}

export { decodeBlock } from './block';
export { digestBytes } from './digest';
export { fillTables, tableBytes } from './unpack';
