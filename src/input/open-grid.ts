import { Work } from '../check/work.js';
import { mentionOption, OptionError } from '../errors.js';
import { growthWarning } from '../files/cf/days/check-growth.js';
import type { GridEnsemble } from '../files/cf/grid-ensemble.js';
import type { GridOptions } from '../files/cf/grid-options.js';
import { readLandMask } from '../files/cf/land-mask.js';
import { newestRunEnsemble } from '../files/cf/newest-run.js';
import { gridEnsemble, gridRuns } from '../files/cf/open-grid-ensemble.js';
import { ALL_RUNS } from '../files/cf/open-runs.js';
import { gridSteps, type StepsEnsemble } from '../files/cf/steps-at-point.js';
import { ensembleAtPoint } from '../files/cf/table-at-point.js';
import type { ArrayInput } from './input.js';
import { assertOnePlace, type DailyRequest } from './input-request.js';
import { reportNotes, reportWarnings } from './notice.js';
import { isRegionBox } from './place-options.js';

/**
 * Opens the requested daily values of a file of arrays, as `readDailyEnsemble` does. Cells without a latitude and
 * longitude are left out, with a note, unless `keepsGrid`.
 */
export async function openGrid(input: ArrayInput, request: GridRequest): Promise<GridEnsemble> {
  const { native, values } = request;
  if (values.timeZones !== undefined) {
    // Loaded when zones of places are requested.
    const { openZones } = await import('./zones-of-places.js');
    return openZones(input, request, (own, changed) => openGrid(own, { ...request, values: changed }));
  }
  const given = gridOptions(request);
  const options = input.isLagged === true ? { ...given, init: given.init ?? ALL_RUNS } : given;
  const isNewest = input.arrays.isArchive === true && options.init === undefined;
  const ensemble = isNewest
    ? await newestRunEnsemble(input.arrays, options, request.point)
    : await gridEnsemble(input.arrays, options);
  request.use?.read(ensemble.variable, input.source);
  await reportGrids(input, [ensemble], native);
  const [found] = await atPlaces(input, [ensemble], request);
  return found;
}

/**
 * Opens the time steps of the requested variable, as `openGrid` opens its days: `edges` has the time of each. Throws as
 * `gridSteps` does.
 */
export async function openGridSteps(input: ArrayInput, request: GridRequest): Promise<StepsEnsemble> {
  assertOneZone(input, request);
  const options = gridOptions(request);
  const isNewest = input.arrays.isArchive === true && options.init === undefined;
  const steps = isNewest
    ? await newestRunEnsemble(input.arrays, options, request.point, { asSteps: true })
    : await gridSteps(input.arrays, options, new Work({}, 'values'));
  request.use?.read(steps.variable, input.source);
  reportNotes(input.report, input.source, steps.conversions);
  reportWarnings(input.report, input.source, steps.warnings);
  const [found] = await atPlaces(input, [steps], request);
  return found as StepsEnsemble;
}

/** Opens the runs of a file each by itself, as `openGrid` does. */
export async function openGridRuns(input: ArrayInput, request: GridRequest): Promise<readonly GridEnsemble[]> {
  assertOneZone(input, request);
  const { native } = request;
  const runs = await gridRuns(input.arrays, { ...gridOptions(request), init: 'all' });
  for (const { variable } of runs) request.use?.read(variable, input.source);
  await reportGrids(input, runs, native);
  return atPlaces(input, runs, request);
}

function assertOneZone({ source }: ArrayInput, { values }: GridRequest): void {
  if (values.timeZones === undefined) return;
  throw new OptionError({
    ...{ subject: `${source}, timeZones`, problem: 'are for days of one run, and not for time steps as they are' },
    allowed: mentionOption('timeZone'),
  });
}

type GridRequest = Omit<DailyRequest, 'variable'> & Pick<GridOptions, 'variable'>;

function gridOptions(request: GridRequest): GridOptions {
  const { variable: known, variableName, variables, point, values, native, keepsGrid = false } = request;
  const { stamps, accumulation, calendar, array, init, memberDimension, coordinates, bbox, ids, missing, units } =
    values;
  const { timeZone, dayStart, hours, splitExtremes } = values;
  assertOnePlace(point, values);
  const variable = variableName ?? known;
  const ofDays = { stamps, accumulation, calendar, missing, native, memberDimension, units };
  const isRegion = values.regions !== undefined || isRegionBox(values);
  const onlyPlaced = point === undefined && values.points === undefined && !isRegion && !keepsGrid;
  const local = { timeZone, dayStart, hours, splitExtremes };
  const within = isRegion ? undefined : bbox;
  return { variable, variables, array, init, coordinates, bbox: within, ids, onlyPlaced, ...ofDays, ...local };
}

/** Reports what was done to values, what is odd, and amounts that grow; of several runs each text once. */
async function reportGrids(
  { source, report }: ArrayInput,
  ensembles: readonly GridEnsemble[],
  native: boolean | undefined,
): Promise<void> {
  reportNotes(report, source, [...new Set(ensembles.flatMap(({ conversions }) => conversions))]);
  reportWarnings(report, source, [...new Set(ensembles.flatMap((ensemble) => ensemble.warnings))]);
  const warning = native ? undefined : await growthWarning(ensembles[0]);
  if (warning !== undefined) report({ kind: 'warning', source, text: warning });
}

/** The ensembles at the requested point or places. */
async function atPlaces(
  input: ArrayInput,
  ensembles: readonly GridEnsemble[],
  { point, values, columns }: GridRequest,
): Promise<readonly GridEnsemble[]> {
  if (values.points !== undefined) {
    // Loaded when places are requested.
    const places = await import('./place-files.js');
    return places.atPlaces(input, ensembles, { ...values, points: values.points, columns });
  }
  if (values.regions !== undefined || isRegionBox(values)) {
    // Loaded when regions are requested.
    const regions = await import('./region-files.js');
    return regions.overRequestedRegions(input, ensembles, values);
  }
  if (point === undefined) return ensembles;
  const { arrays: file, source, report } = input;
  const found: GridEnsemble[] = [];
  for (const ensemble of ensembles) {
    const land = await readLandMask(file, ensemble);
    if (land !== undefined) reportNotes(report, source, [OF_LAND]);
    found.push(ensembleAtPoint(ensemble, point, land));
  }
  return found;
}

const OF_LAND = 'of the cells within a grid step, the nearest one of land, by the land mask of the file';
