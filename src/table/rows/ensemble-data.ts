import type { Table } from 'apache-arrow';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { nearestCell } from '../../ensemble/nearest-cell.js';
import type { Point } from '../../ensemble/nearest-place.js';
import type { ReadOptions } from '../columns/read-options.js';
import { readEnsemble } from './read-ensemble.js';

/** By this, functions find that a table is open. A page may have two copies of the package. */
export const OPENED: unique symbol = /* @__PURE__ */ Symbol.for('plumecast.open') as never;

/** What was read from a table once. */
export interface Opened {
  /**
   * The ensemble, or the cell of it that is nearest to a point. Throws OptionError for how to read it, since it is read;
   * and what `nearestCell` throws.
   */
  [OPENED](options: RowOptions): Ensemble;
}

/** How to read the rows of a table, and at which point. */
export interface RowOptions extends ReadOptions {
  readonly point?: Point;
}

/** The ensemble of a table, or of one that is open, at the requested point if there is one. Throws as `readEnsemble` does. */
export function ensembleOf(data: Table | Opened, options: RowOptions): Ensemble {
  return isOpened(data) ? data[OPENED](options) : requestedEnsemble(data, options);
}

/** The ensemble of a table, at the requested point if there is one. Throws as `readEnsemble` does. */
export function requestedEnsemble(table: Table, options: RowOptions): Ensemble {
  const ensemble = readEnsemble(table, options);
  return options.point === undefined ? ensemble : nearestCell(ensemble, options.point, options.source);
}

/** Whether this is a table that is open. */
export function isOpened(data: Table | Opened | undefined): data is Opened {
  return OPENED in Object(data);
}
