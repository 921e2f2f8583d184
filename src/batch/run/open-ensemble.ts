import type { Point } from '../../ensemble/nearest-place.js';
import type { ArrayFile } from '../../files/array/array-file.js';
import { growthWarning } from '../../files/cf/check-growth.js';
import { ensembleAtPoint } from '../../files/cf/ensemble-at-point.js';
import type { GridEnsemble } from '../../files/cf/grid-ensemble.js';
import type { GridOptions } from '../../files/cf/grid-options.js';
import { gridEnsemble } from '../../files/cf/open-grid-ensemble.js';
import type { ValueOptions } from './input-statistics.js';
import { type Report, reportConversions } from './notice.js';

/** Which ensemble of a file of arrays is meant. */
export interface EnsembleRequest extends Pick<GridOptions, 'variable' | 'variables'> {
  /** What the variable was called, where that is not its slug. */
  readonly variableName?: string;
  /** Only the place nearest to it. */
  readonly point?: Point;
}

/** Opens the ensemble of a file of arrays that is asked for; what is done to its values, and what may be wrong, is told. Throws OptionError and DataError. */
export async function openEnsemble(
  file: ArrayFile,
  { variable: known, variableName, variables, point }: EnsembleRequest,
  { stamps, accumulation, calendar, array, init, coordinates, missing }: ValueOptions,
  report: Report,
): Promise<GridEnsemble> {
  const variable = variableName ?? known;
  const said = { variable, variables, stamps, accumulation, calendar, array, init, coordinates, missing };
  const whole = await gridEnsemble(file, said);
  reportConversions(report, file.source, whole.conversions);
  const warning = await growthWarning(whole);
  if (warning !== undefined) report({ kind: 'warning', source: file.source, text: warning });
  return point === undefined ? whole : ensembleAtPoint(whole, point);
}
