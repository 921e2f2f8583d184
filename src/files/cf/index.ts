export type { Grid, GridProjection } from '../../ensemble/grid.js';
export type {
  ArrayFile,
  ArrayType,
  ArrayValues,
  Attributes,
  AttributeValue,
  Box,
  StoredArray,
  UnreadAttribute,
} from '../array/array-file.js';
export type { GeoObject } from '../places/geo-json.js';
export type { GivenPlace } from '../places/place-list.js';
export * from '../zarr/index.js';
export type { Block, GridEnsemble, TakenFacts } from './grid-ensemble.js';
export type { GridOptions } from './grid-options.js';
export { type JoinOptions, joinArrays } from './join/join-arrays.js';
export { type GridArray, gridArrays, gridEnsemble, gridEnsembles } from './open-grid-ensemble.js';
export { stepsAtPoint } from './steps-at-point.js';
export { type PlaceTable, type TableAtPointOptions, tableAtPoint } from './table-at-point.js';
export type { WeightsCache } from './weights/kept-weights.js';
export type { ValueCondition } from './weights/over-regions.js';
export {
  type PlacesTable,
  type TableAtPointsOptions,
  type TableOverRegionsOptions,
  tableAtPoints,
  tableOverRegions,
} from './weights/table-of-places.js';
