export type { GivenDailyOptions as DailyTableOptions } from './daily-options.js';
export { type DailyTable, dailyTable } from './daily-table.js';
