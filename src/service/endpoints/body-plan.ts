import type { EnsembleField } from '../../core/field.js';
import type { WindowTable } from '../../period/window-table.js';
import type { StatisticsSkeleton } from '../../respond/v2/statistics-skeleton.js';
import type { StatisticsRequest } from '../../statistics/statistics-request.js';
import type { Axis, Dataset } from '../source/dataset.js';

/** A variable of the bodies of one shape. */
export interface PlannedVariable {
  readonly slug: string;
  readonly axis: Axis;
  readonly windows: WindowTable;
  readonly request: StatisticsRequest;
  readonly field: EnsembleField;
  /** Where its values are read to: a view, which is empty once the memory has grown. */
  values: Float32Array<ArrayBuffer>;
}

/** What the bodies of one shape have in common while the data do not change. */
export interface BodyPlan {
  readonly timeline: Dataset;
  readonly skeleton: StatisticsSkeleton;
  readonly variables: readonly PlannedVariable[];
  /** The numbers of one body. */
  readonly numbers: number;
}
