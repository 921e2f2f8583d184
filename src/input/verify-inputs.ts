import { joinHistory } from '../climate/join-history.js';
import type { Core } from '../core/load.js';
import { alignEnsembles } from '../ensemble/align-ensembles.js';
import { assertConsistent } from '../ensemble/assert-consistent.js';
import type { DailySource } from '../ensemble/daily-source.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import type { Places } from '../ensemble/nearest-place.js';
import { PlaceIndex } from '../ensemble/place-index.js';
import { DataError, mentionOption, OptionError } from '../errors.js';
import type { GridEnsemble } from '../files/cf/grid-ensemble.js';
import { selectArrays } from '../files/cf/select-arrays.js';
import { atPoints } from '../files/cf/weights/at-points.js';
import type { PlaceList } from '../files/places/place-list.js';
import type { Skill } from '../skill/load-skill.js';
import { isGrid } from '../skill/pairing/match-places.js';
import { type CheckedVerify, checkVerify, type VerifyOptions } from '../skill/pairing/options.js';
import type { ScoredWindows } from '../skill/pairing/scored-windows.js';
import { type VerifiedForecasts, verifySources } from '../skill/pairing/verify.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import { statedCalendar } from '../table/columns/day-column.js';
import { runsOfTable } from '../table/daily/runs-of-table.js';
import { dailyEnsembleOfTable } from './daily-ensembles.js';
import { gridInput, tableInput } from './daily-input.js';
import { type Input, openInput } from './input.js';
import type { InputFile } from './input-file.js';
import { columnsOfTable, type DailyRequest, type ValueOptions } from './input-request.js';
import { type Report, reportNotes, reportWarnings } from './notice.js';
import { openGrid, openGridRuns } from './open-grid.js';
import { OptionUse } from './option-use.js';
import { isRegionBox } from './place-options.js';
import { readWindowTexts } from './window-texts.js';

/** A file, or an input that is open, and stays so. */
export type InputOfVerification = string | InputFile | Input;
type Files = readonly InputOfVerification[];

/** The files that are verified. */
export interface VerifyFiles {
  /** A run each, or several. */
  readonly forecasts: Files;
  /** One history; several tables are its pieces. */
  readonly observed: Files;
  /** Another forecast, with which forecasts are compared. */
  readonly against?: Files;
}

/** How files are verified. */
export interface VerifyRequest {
  readonly options: VerifyOptions;
  /** About the values of forecasts; what is about days and numbers is about observations, too. */
  readonly values: ValueOptions;
  /** About the values of observations alone. */
  readonly observed?: Pick<ValueOptions, 'units' | 'array'> & { readonly columns?: ColumnRoles };
  /** How values of a grid are taken at other places. Default: `nearest`. */
  readonly match?: 'nearest' | 'bilinear';
  /** The windows that are scored already. */
  readonly scored?: ScoredWindows;
  readonly progress?: (share: number) => void;
}

/** Verifies files, as `verify` does for tables; of files of arrays some cells at a time. Reports what was done. */
export async function verifyInputs(
  core: Core,
  skill: Skill,
  { forecasts, observed, against }: VerifyFiles,
  request: VerifyRequest,
  report: Report,
): Promise<VerifiedForecasts> {
  const options = checkVerify(readWindowTexts(request.options));
  const { match } = request;
  const { values, regionOf } = await groupedRegions(request.values, options.by);
  const opened: Input[] = [];
  const sources: string[] = [];
  const use = new OptionUse(values);
  const open = async (file: InputOfVerification, how: DailyRequest, areRuns: boolean) => {
    const { variable, variableName, values: own } = how;
    const selection = async () =>
      selectArrays([{ ...own, ...((variableName ?? variable) && { variable: variableName ?? variable }) }]);
    const seen = use.among(own);
    const isOpen = typeof file === 'object' && 'kind' in file;
    const input = isOpen ? file : await openInput(file, own, report, { selection, use: seen });
    if (!isOpen) opened.push(input);
    sources.push(input.source);
    const places = areRuns || input.kind === 'table' ? {} : regionValues(values);
    return sourcesOf(core, input, { ...how, values: { ...own, ...places }, use: seen }, areRuns);
  };
  try {
    const many = async (files: Files) => {
      const runs: OpenSource[] = [];
      for (const file of files) runs.push(...(await open(file, { ...options, values }, true)));
      return runs;
    };
    const runs = await many(forecasts);
    const others = against && (await many(against));
    const pieces: OpenSource[] = [];
    for (const file of observed)
      pieces.push(...(await open(file, observedRequest({ ...request, values }, options, runs[0]?.source), false)));
    use.assertUsed();
    const history = oneHistory(pieces);
    const inputs = match === 'bilinear' ? bilinearly(core, runs, history, others) : { runs, history, others };
    const list = (sources: readonly OpenSource[]) => sources.map(({ source }) => source);
    const { scored, progress } = request;
    const found = await verifySources(
      core,
      skill,
      {
        forecasts: list(inputs.runs),
        observed: inputs.history.source,
        against: inputs.others && list(inputs.others),
        regionOf,
      },
      options,
      { ...(scored && { scored }), ...(progress && { progress }) },
    );
    reportNotes(report, sources[0], found.notes);
    reportWarnings(report, sources[0], found.warnings);
    return found;
  } finally {
    for (const input of opened) await input.close();
  }
}

/** A source, and the ensemble of a file of arrays, or of a table. */
interface OpenSource {
  readonly source: DailySource;
  readonly grid?: GridEnsemble;
  readonly ensemble?: Ensemble;
}

/** The pieces of observations as one. Throws DataError for files of arrays, which are joined by what is in them. */
function oneHistory(pieces: readonly OpenSource[]): OpenSource {
  const [first] = pieces;
  if (pieces.length === 1) return first;
  const named = pieces.flatMap(({ source, ensemble }) => (ensemble ? [{ source: source.source, ensemble }] : []));
  if (named.length < pieces.length) {
    throw new DataError({
      source: first.source.source,
      problem: 'is one of several series, and observations are one',
      received: `${pieces.length} series`,
      allowed: 'tables of other days each, or files of arrays that complement each other',
    });
  }
  const several = named.find(({ ensemble }) => ensemble.parts[0].field.members.length > 1);
  if (several !== undefined) return { source: tableInput(several.source, several.ensemble) };
  assertConsistent(named, true);
  const parts = alignEnsembles(named);
  const { variable, units, metadata } = named[0].ensemble;
  const calendar = statedCalendar(metadata, named[0].source);
  const field = joinHistory(
    parts.map((part, i) => ({ field: part.field, source: named[i].source })),
    calendar,
  );
  const ensemble = { variable, units, metadata, parts: [{ ...parts[0], field }] };
  return { source: tableInput(named[0].source, ensemble), ensemble };
}

/** The runs of an input; of a table of observations, all. */
async function sourcesOf(
  core: Core,
  input: Input,
  request: DailyRequest,
  areRuns: boolean,
): Promise<readonly OpenSource[]> {
  if (input.kind === 'table') {
    const columns = columnsOfTable(request.columns, request.values);
    const all = await input.read();
    return (areRuns ? runsOfTable(all) : [all]).map((table) => {
      const { ensemble } = dailyEnsembleOfTable(table, input, { ...request, columns });
      return { source: tableInput(input.source, ensemble), ensemble };
    });
  }
  const { init } = request.values;
  // Each run is verified by itself.
  const grids = init === undefined ? await openGridRuns(input, request) : [await openGrid(input, request)];
  return grids.map((grid) => gridSource(core, grid));
}

/** The source of a file of arrays, which keeps no values: each read has a buffer of its own. */
function gridSource(core: Core, ensemble: GridEnsemble): OpenSource {
  const { sample, valuesOnDay, readPlaces, ...source } = gridInput(core, ensemble);
  return {
    source: { ...source, read: (...args) => gridInput(core, ensemble).read(...args) },
    grid: ensemble,
  };
}

/** Where results are by region, regions of a file are groups of places, and no places themselves. */
async function groupedRegions(values: ValueOptions, by: CheckedVerify['by']) {
  if (values.regions === undefined || !by.includes('region')) return { values, regionOf: undefined };
  const { regions, regionName, ...others } = values;
  const lone = (['regionStatistic', 'areaCondition', 'minAreaShare', 'regionWeights'] as const).find(
    (name) => others[name] !== undefined,
  );
  if (lone !== undefined) {
    throw new OptionError({
      ...{ subject: lone, problem: 'has no effect on results by region, whose places are scored one by one' },
      ...{ received: others[lone], allowed: `${mentionOption('by', 'place')}, which scores means over regions` },
    });
  }
  const { requestedRegionFinder } = await import('./region-files.js');
  return { values: others, regionOf: await requestedRegionFinder({ regions, ...(regionName && { regionName }) }) };
}

/** What makes values of regions of a grid: observations on a grid are compared in the same regions. */
function regionValues(values: ValueOptions): ValueOptions {
  if (values.regions === undefined && !isRegionBox(values)) return {};
  const { regions, regionName, regionStatistic, areaCondition, minAreaShare, mean, bbox } = values;
  const given = Object.entries({ regions, regionName, regionStatistic, areaCondition, minAreaShare, mean, bbox });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as ValueOptions;
}

/** What is read of observations: the variable of the forecasts, where none is named. */
function observedRequest(
  { values, observed = {} }: VerifyRequest,
  { variable, variableName, variables }: CheckedVerify,
  first: DailySource | undefined,
): DailyRequest {
  const { missing, decimal, sheet, sort, dateFormat, calendar, timeZone, dayStart, hours, splitExtremes } = values;
  const { columns, ...own } = observed;
  const known = variable ?? first?.variable;
  const given = Object.entries({
    ...{ missing, decimal, sheet, sort, dateFormat, calendar, timeZone, dayStart, hours, splitExtremes, ...own },
  }).filter(([, value]) => value !== undefined);
  return {
    ...(known === undefined ? { variableName } : { variable: known }),
    ...(variables !== undefined && { variables }),
    ...(columns !== undefined && { columns }),
    values: Object.fromEntries(given) as ValueOptions,
  };
}

/** Inputs of which those on a grid have bilinear values at the places of the others. */
function bilinearly(
  core: Core,
  runs: readonly OpenSource[],
  history: OpenSource,
  others: readonly OpenSource[] | undefined,
) {
  const at = (open: OpenSource, places: DailySource): OpenSource => {
    if (open.grid === undefined || !isGrid(open.source)) return open;
    const list = coveredPlaces(open.source, places);
    return gridSource(core, atPoints(open.grid, list, { method: 'bilinear' }));
  };
  if (isGrid(runs[0].source) && !isGrid(history.source)) {
    const both = (list: readonly OpenSource[]) => list.map((open) => at(open, history.source));
    return { runs: both(runs), history, others: others && both(others) };
  }
  return { runs, history: at(history, runs[0].source), others };
}

/** The places that a grid covers. Throws DataError where it covers none. */
function coveredPlaces(grid: DailySource, { latitude, longitude, labels, source }: DailySource): PlaceList {
  const index = new PlaceIndex(grid as Places, grid.grid?.kind === 'places' ? grid.grid.shape : undefined);
  const chosen = Int32Array.from(latitude.keys()).filter((place) => {
    const point = { latitude: latitude[place], longitude: longitude[place] };
    return !Number.isNaN(point.latitude + point.longitude) && index.covering(point) !== undefined;
  });
  if (chosen.length === 0)
    throw new DataError({
      source: grid.source,
      problem: 'does not cover any place',
      received: `${latitude.length} places of ${source}`,
    });
  return {
    source,
    latitude: Float64Array.from(chosen, (place) => latitude[place]),
    longitude: Float64Array.from(chosen, (place) => longitude[place]),
    labels: labels && { ...labels, of: chosen.map((place) => labels.of[place]) },
    elevation: new Float64Array(chosen.length).fill(Number.NaN),
    notes: [],
  };
}
