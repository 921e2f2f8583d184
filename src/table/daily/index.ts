export type { DailyTableOptions } from './daily-options.js';
export { type DailyTable, dailyTable } from './daily-table.js';
