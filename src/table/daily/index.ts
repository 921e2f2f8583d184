export type { GivenDailyOptions as DailyTableOptions } from './daily-options.js';
export { type DailyTable, dailyTable } from './daily-table.js';
export type { TakenTimes } from './days-of-steps.js';
