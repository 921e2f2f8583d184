import type { EnsembleField } from '../core/field.js';
import type { Variable } from '../variable/variable.js';

/** Cells that share one axis of days. */
export interface EnsemblePart {
  readonly field: EnsembleField;
  /** One for each cell; NaN where the input does not state it. */
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
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
