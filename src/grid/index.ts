export type { Block, Grid, GridEnsemble } from './grid-ensemble.js';
export { type GridArray, gridArrays, gridEnsembles } from './grid-ensembles.js';
export type { GridOptions } from './grid-options.js';
export { gridEnsemble } from './open-grid-ensemble.js';
