export { type MeteogramOptions, meteogram } from './meteogram.js';
export type { PlotPanel } from './read-panel.js';
export type { PlotTheme } from './theme.js';
