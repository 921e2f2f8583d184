export { type MeteogramOptions, meteogram } from './meteogram.js';
export { type MeteogramTextOptions, meteogramText } from './meteogram-text.js';
export type { PlotPanel } from './read-panel.js';
export type { PlotTheme } from './theme.js';
