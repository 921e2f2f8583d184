/** The address where free memory begins: below it is what the module itself needs. */
export function heapBase(): usize {
  return __heap_base;
}

export { categoriesF32, categoriesF64, categoriesRawF32 } from './categories';
export { totalFieldF32, totalFieldF64 } from './field-totals';
export { addColumns, departures, exchangePartners, lagCorrelations, memberProducts } from './member-fields';
export { anyInfiniteF32, anyInfiniteF64, firstInfiniteF32, firstInfiniteF64 } from './missing';
export { writeNumbersF32 } from './numbers';
export { beginPlan, planBytes } from './plan';
export { poolsF32, poolsF64 } from './pools';
export { joinMembers, memberMeansF32, memberMeansF64, orderMembers, trajectoryValues } from './pairing';
export { sortBytes } from './sort';
export { statisticsF32, statisticsF64, statisticsRawF32 } from './statistics';
export { copyDays, gatherF32, gatherF64, gatherWindows, selectDaysF32, selectDaysF64 } from './timeline';
export { windowsByF32, windowsByF64 } from './window-rules';
export { raw, totalSeriesF32, totalSeriesF64, windowDays } from './windows';
