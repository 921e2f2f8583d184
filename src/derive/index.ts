export { type DeriveOptions, deriveVariable } from './derive-variable.js';
export type { Elevation } from './elevation.js';
