import type { Variable } from '../../variable/variable.js';
import type { Dataset } from '../source/dataset.js';
import { type AvailableVariables, unavailableReason } from './available-variables.js';

/** The variables of a legacy answer, and the slugs of those that were asked for and are dropped. */
export interface SelectedVariables {
  readonly kept: readonly Variable[];
  readonly dropped: readonly string[];
}

/**
 * Drops the variables that the data lack, or that `isOffered` says are not of the product. Throws ProblemError where none is left of
 * those that were asked for.
 */
export function selectVariables(
  available: AvailableVariables,
  dataset: Dataset,
  requested: readonly Variable[] | undefined,
  metres: () => number,
  isOffered: (variable: Variable) => boolean = () => true,
): SelectedVariables {
  if (requested === undefined) return { kept: available.direct(dataset).filter(isOffered), dropped: [] };
  const isKept = (variable: Variable) =>
    isOffered(variable) && unavailableReason(dataset, variable, metres) === undefined;
  const kept = requested.filter(isKept);
  const dropped = requested.filter((variable) => !isKept(variable));
  if (kept.length === 0) throw available.notAvailable(dataset, dropped, metres, isOffered);
  return { kept, dropped: dropped.map(({ slug }) => slug) };
}
