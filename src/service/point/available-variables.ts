import { variables as builtIn } from '../../variable/built-in.js';
import { DERIVED_INPUTS, type DerivedVariable } from '../../variable/derived-inputs.js';
import type { Variable } from '../../variable/variable.js';
import { ProblemError } from '../problem-error.js';
import type { Dataset } from '../source/dataset.js';

/** Which variables datasets can give, directly or computed from others. */
export class AvailableVariables {
  readonly #known: readonly Variable[];
  /** By dataset, as every request needs them. */
  readonly #direct = new WeakMap<Dataset, readonly Variable[]>();

  constructor(own: readonly Variable[] = []) {
    this.#known = [...builtIn, ...own];
  }

  /** All that are not derived, in the order of the registry. */
  direct(dataset: Dataset): readonly Variable[] {
    let direct = this.#direct.get(dataset);
    if (direct === undefined) {
      direct = this.#known.filter((variable) => !isDerived(variable) && dataset.variables.has(variable.slug));
      this.#direct.set(dataset, direct);
    }
    return direct;
  }

  /**
   * The requested variables, or all that are not derived. Throws ProblemError for those that the dataset cannot give.
   */
  chosen(dataset: Dataset, requested: readonly Variable[] | undefined, metres: () => number): readonly Variable[] {
    if (requested === undefined) return this.direct(dataset);
    const missing = requested.filter((variable) => unavailableReason(dataset, variable, metres) !== undefined);
    if (missing.length > 0) throw this.notAvailable(dataset, missing, metres);
    return requested;
  }

  /** The problem of variables that a dataset cannot give, or that are not part of the product by `isOffered`. */
  notAvailable(
    dataset: Dataset,
    missing: readonly Variable[],
    metres: () => number,
    isOffered: (variable: Variable) => boolean = () => true,
  ): ProblemError {
    const why = (variable: Variable) =>
      isOffered(variable) ? unavailableReason(dataset, variable, metres) : 'this product does not have it';
    const allowed = this.#known.filter((variable) => why(variable) === undefined);
    const faults = missing.map((variable) => ({
      parameter: 'var',
      detail: `${variable.slug} is not available: ${why(variable)}`,
      received: variable.slug,
      allowed: allowed.map(({ slug }) => slug).join(', '),
    }));
    // Where only the elevation is unknown, it may be known elsewhere.
    const isOfPoint = missing.every((variable) => unavailableReason(dataset, variable, () => 0) === undefined);
    const detail = faults.map((fault) => fault.detail).join('; ');
    return new ProblemError(400, 'bad-parameters', detail, { faults, isOfPoint });
  }
}

/**
 * Why a dataset cannot give a variable; undefined where it can. `metres` is the elevation of the place, NaN where
 * unknown.
 */
export function unavailableReason(dataset: Dataset, variable: Variable, metres: () => number): string | undefined {
  const { slug } = variable;
  if (!isDerived(variable)) return dataset.variables.has(slug) ? undefined : 'the data do not have it';
  const missing = DERIVED_INPUTS[slug as DerivedVariable].filter((input) => !dataset.variables.has(input));
  if (missing.length > 0) return `it is computed from other variables, and the data have no ${missing.join(', ')}`;
  const isKnown = slug !== 'evapotranspiration' || !Number.isNaN(metres());
  return isKnown ? undefined : 'it depends on the elevation, which is unknown there';
}

/** Whether a variable is computed here from others. */
export function isDerived({ slug }: Variable): boolean {
  return Object.hasOwn(DERIVED_INPUTS, slug);
}

/** The variables of a legacy answer, and the slugs of requested variables that are dropped. */
export interface SelectedVariables {
  readonly kept: readonly Variable[];
  readonly dropped: readonly string[];
}

/**
 * Drops the variables that the data do not have, or that are not part of the product by `isOffered`. Throws
 * ProblemError where no requested variable is left.
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
