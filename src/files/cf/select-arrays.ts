import { combinationFor, variableByName } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import type { AttributeValue } from '../array/array-file.js';
import type { ArraySelection } from '../array/array-selection.js';
import { arrayVariable, variableFamily } from './array-variable.js';
import { isInput, type NamedArray } from './combined-array.js';
import { checkGridOptions, type GridOptions } from './grid-options.js';
import { canChooseArray } from './open-grid-ensemble.js';
import { isLandMask } from './static-field.js';

/** What names an array that is read. */
type Requested = Pick<GridOptions, 'variable' | 'variables' | 'array' | 'coordinates'>;

/** Statistical processes by which arrays of one short name may differ. */
const STEP_TYPES = ['instant', 'avg', 'accum', 'max', 'min'];

/**
 * Selects the arrays from which `gridEnsemble` may make the requested ensembles, and masks of land. `others` are
 * variables that are read where a file has them. Undefined where all arrays may be needed: a request names neither a
 * variable nor an array, or a name that means no variable, or coordinates.
 */
export function selectArrays(
  requests: readonly Requested[],
  others: readonly string[] = [],
): ArraySelection | undefined {
  const variables: (readonly [Variable, ...Variable[]])[] = [];
  const arrays: string[] = [];
  for (const { variable, variables: extra = [], array, coordinates } of [
    ...requests,
    ...others.map((slug): Requested => ({ variable: slug })),
  ]) {
    // The names of coordinates depend on all arrays.
    if (coordinates !== undefined) return undefined;
    if (array !== undefined) {
      arrays.push(array);
      continue;
    }
    const found = typeof variable === 'string' ? variableByName(variable, extra) : variable;
    if (found === undefined) return undefined;
    variables.push([found, ...extra]);
  }
  const isNeeded = (shortName: string, standardName: string | undefined) =>
    arrays.some((name) => name === shortName || name.startsWith(`${shortName}_`)) ||
    STEP_TYPES.some((stepType) => {
      const array = arrayOf(shortName, standardName, stepType);
      return isLandMask(array) || variables.some((known) => isOf(array, known));
    });
  // Files have the same names again and again.
  const found = new Map<string, boolean>();
  return {
    ...(variables.length === 0 && arrays.length > 0 && { arrays }),
    mayNeed: (shortName, standardName) => {
      const key = `${shortName} ${standardName}`;
      const answer = found.get(key) ?? isNeeded(shortName, standardName);
      found.set(key, answer);
      return answer;
    },
    isIn: (file) => requests.every((request) => canChooseArray(file, request)),
  };
}

/** The selection for options of `gridEnsemble`. Throws OptionError for options that cannot be used. */
export function selectRequested(options: GridOptions, others: readonly string[] = []): ArraySelection | undefined {
  checkGridOptions(options, others);
  return selectArrays([options]);
}

/** An array as a GRIB reader describes it. */
function arrayOf(name: string, standardName: string | undefined, stepType: string): NamedArray {
  const attributes = new Map<string, AttributeValue>([
    ['GRIB_shortName', name],
    ['GRIB_stepType', stepType],
  ]);
  if (standardName !== undefined) attributes.set('standard_name', standardName);
  return { name, attributes };
}

/**
 * Whether the first of the variables may be read from an array: its own, one of its means, or one of two that it is
 * computed from.
 */
function isOf(array: NamedArray, known: readonly [Variable, ...Variable[]]): boolean {
  const [{ slug }] = known;
  const held = arrayVariable(array, known)?.slug;
  if (held !== undefined && [slug, variableFamily(slug)?.mean].includes(held)) return true;
  return combinationFor(slug)?.inputs.some((input) => isInput(array, input)) ?? false;
}
