import type { EnsembleField } from '../core/field.js';
import type { Variable } from '../variable/variable.js';
import type { Places } from './nearest-place.js';

/** Cells that share one axis of days, and the place of each. */
export interface EnsemblePart extends Places {
  readonly field: EnsembleField;
}

/** An ensemble of one variable, as read from a table. */
export interface Ensemble {
  /** Undefined if neither the caller nor the table names it. */
  readonly variable: Variable | undefined;
  readonly units: string | undefined;
  /** The metadata of the table's schema. */
  readonly metadata: ReadonlyMap<string, string>;
  /** For people: which columns of numbers were left out, which members have no column. */
  readonly notes?: readonly string[];
  /** At least one; more where locations cover different days. */
  readonly parts: readonly EnsemblePart[];
}
