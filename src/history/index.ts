export { fillGaps } from './fill-gaps.js';
export type { FillOptions, HistorySource } from './read-sources.js';
