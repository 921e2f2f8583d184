import { assertOnePlace } from '../ensemble/cells-in-box.js';
import { growthWarning } from '../files/cf/days/check-growth.js';
import type { GridEnsemble } from '../files/cf/grid-ensemble.js';
import type { GridOptions } from '../files/cf/grid-options.js';
import { readLandMask } from '../files/cf/land-mask.js';
import { gridEnsemble } from '../files/cf/open-grid-ensemble.js';
import { ensembleAtPoint } from '../files/cf/table-at-point.js';
import type { ArrayInput } from './input.js';
import type { DailyRequest } from './input-request.js';
import { reportNotes } from './notice.js';

/**
 * Opens the requested daily values of a file of arrays, as `readDailyEnsemble` does. Cells without a latitude and
 * longitude are left out, with a note, unless `keepsGrid`.
 */
export async function openGrid(
  { arrays: file, source, report }: ArrayInput,
  {
    variable: known,
    variableName,
    variables,
    point,
    values,
    native,
    keepsGrid = false,
  }: Omit<DailyRequest, 'variable'> & Pick<GridOptions, 'variable'>,
): Promise<GridEnsemble> {
  const { stamps, accumulation, calendar, array, init, memberDimension, coordinates, bbox, missing, units } = values;
  assertOnePlace(point, bbox);
  const variable = variableName ?? known;
  const ofDays = { stamps, accumulation, calendar, missing, native, memberDimension, units };
  const onlyPlaced = point === undefined && !keepsGrid;
  const options = { variable, variables, array, init, coordinates, bbox, onlyPlaced, ...ofDays };
  const ensemble = await gridEnsemble(file, options);
  reportNotes(report, source, ensemble.conversions);
  for (const text of ensemble.warnings) report({ kind: 'warning', source, text });
  const warning = native ? undefined : await growthWarning(ensemble);
  if (warning !== undefined) report({ kind: 'warning', source, text: warning });
  if (point === undefined) return ensemble;
  const land = await readLandMask(file, ensemble);
  if (land !== undefined)
    reportNotes(report, source, [
      'of the cells within a grid step, the nearest one of land, by the land mask of the file',
    ]);
  return ensembleAtPoint(ensemble, point, land);
}
