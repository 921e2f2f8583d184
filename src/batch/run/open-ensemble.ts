import type { Point } from '../../ensemble/nearest-place.js';
import type { ArrayFile } from '../../files/array/array-file.js';
import { growthWarning } from '../../files/cf/days/check-growth.js';
import { ensembleAtPoint } from '../../files/cf/ensemble-at-point.js';
import type { GridEnsemble } from '../../files/cf/grid-ensemble.js';
import type { GridOptions } from '../../files/cf/grid-options.js';
import { gridEnsemble } from '../../files/cf/open-grid-ensemble.js';
import type { ValueOptions } from './input-statistics.js';
import { type Report, reportConversions } from './notice.js';

/** Selects an ensemble of a file of arrays. */
export interface EnsembleRequest extends Pick<GridOptions, 'variable' | 'variables'> {
  /** The given name of the variable, if that is not its slug. */
  readonly variableName?: string;
  /** Selects the place nearest to it. */
  readonly point?: Point;
}

/**
 * Opens the requested ensemble of a file of arrays. Reports conversions and warnings. Throws OptionError and DataError.
 */
export async function openEnsemble(
  file: ArrayFile,
  { variable: known, variableName, variables, point }: EnsembleRequest,
  { stamps, accumulation, calendar, array, init, coordinates, missing }: ValueOptions,
  report: Report,
): Promise<GridEnsemble> {
  const variable = variableName ?? known;
  const options = { variable, variables, stamps, accumulation, calendar, array, init, coordinates, missing };
  const ensemble = await gridEnsemble(file, options);
  reportConversions(report, file.source, ensemble.conversions);
  const warning = await growthWarning(ensemble);
  if (warning !== undefined) report({ kind: 'warning', source: file.source, text: warning });
  return point === undefined ? ensemble : ensembleAtPoint(ensemble, point);
}
