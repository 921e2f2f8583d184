/** Statistics and timelines for callers that hold typed arrays, or values in the core's memory: without Arrow. */
export { type ArrayTimeline, blendArrays as blend } from './blend/blend-arrays.js';
export { blendFields, blendInGroups, pairFields } from './blend/blend-fields.js';
export { computeBlendedStatistics } from './blend/compute-blended-statistics.js';
export type { Horizon } from './blend/horizon.js';
export type { ArrayBlendOptions } from './blend/join-options.js';
export type { PairFieldsOptions } from './blend/pairing/pair-fields.js';
export type { Pairing, SeamPairing } from './blend/pairing/pairing.js';
export type { PairedRegions, Regions } from './blend/pairing/regions.js';
export type { HorizonDays, PlanOptions, SeamDays, TimelinePlan } from './blend/plan-timeline.js';
export type { TimelineGroup } from './blend/timeline-groups.js';
export type { EnsembleField, GivenField, RowOrder } from './core/field.js';
export { type Core, type CoreModule, type CoreSource, loadCore } from './core/load.js';
export { type ColumnChunk, MemberColumn } from './core/member-column.js';
export type { Arrays, CoreMemory, Held } from './core/memory.js';
export type { FloatArray, FloatType } from './core/number-arrays.js';
export type { EnsembleArray } from './ensemble/ensemble-array.js';
export type { DataPlace } from './errors.js';
export type { ModelCalendar } from './period/calendar.js';
export { type Granularity, type WindowTable, windowTable } from './period/period.js';
export { type NamedWindow, type Windows, type WindowsOptions, windowsOf } from './period/windows.js';
export type { WasmBytes, WasmModule } from './platform.js';
export {
  type ArrayColumns,
  type ArrayMemberWindows,
  type ArrayStatistics,
  type ArrayWindows,
  arrayMemberWindows as memberWindows,
  arrayStatistics as statistics,
  type HasArrayStatistics,
} from './statistics/array-statistics.js';
export type { Categories } from './statistics/categories.js';
export { computeMemberWindows, computeStatistics } from './statistics/compute.js';
export { computeStatisticsInto } from './statistics/compute-statistics-into.js';
export type { ArrayStatisticsOptions, ArrayWindowOptions } from './statistics/options.js';
export type { StatisticsColumns } from './statistics/statistics-columns.js';
export type { GivenRequest, StatisticsRequest } from './statistics/statistics-request.js';
export {
  type DayCondition,
  daysThat,
  excess,
  firstDayThat,
  longestSpell,
  spells,
} from './statistics/window-measure.js';
export type { WindowMeasure, WindowValue } from './statistics/window-value.js';
