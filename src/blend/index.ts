export { blend, pairMembers, type Timeline } from './blend.js';
export { type BlendVariablesOptions, blendVariables } from './blend-variables.js';
export type { DeriveOptions } from './derive-series.js';
export { deriveVariable } from './derive-variable.js';
export type { Elevation } from './elevation.js';
export type { BlendOptions } from './options.js';
export type { BlendMethod, Pairing, SeamPairing } from './pairing/pairing.js';
export type { PairedRegions, Regions } from './pairing/regions.js';
export { type SeamReport, seamReport } from './seam-report.js';
