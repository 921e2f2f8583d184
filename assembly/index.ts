/** Where free memory begins: below lies what the module itself needs. */
export function heapBase(): usize {
  return __heap_base;
}

export { firstInfiniteF32, firstInfiniteF64 } from './missing';
export { beginPlan, planBytes } from './plan';
export { statisticsF32, statisticsF64, statisticsRawF32 } from './statistics';
export {
  countF32, countF64, maximumF32, maximumF64, minimumF32, minimumF64, raw,
  totalFieldF32, totalFieldF64, totalSeriesF32, totalSeriesF64, windowDays,
} from './windows';
