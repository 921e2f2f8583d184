export type { DeriveOptions } from './derive-series.js';
export { deriveVariable } from './derive-variable.js';
export type { Elevation } from './elevation.js';
