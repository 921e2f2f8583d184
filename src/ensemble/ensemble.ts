import type { EnsembleField } from '../core/field.js';
import type { Variable } from '../variable/variable.js';

/** Cells that share one axis of days. */
export interface EnsemblePart {
  readonly field: EnsembleField;
  /** One for each cell; NaN where the input does not tell. */
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
}

/** An ensemble of one variable, as read from a table. */
export interface Ensemble {
  /** Undefined where neither the caller nor the table names it. */
  readonly variable: Variable | undefined;
  readonly units: string | undefined;
  /** What the table's schema says beside. */
  readonly metadata: ReadonlyMap<string, string>;
  /** For people: which columns of numbers were left out, and which members have no column. */
  readonly notes?: readonly string[];
  /** At least one; more where locations cover different days. */
  readonly parts: readonly EnsemblePart[];
}
