import { Work } from '../../check/work.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { DataError } from '../../errors.js';
import type { ArrayFile } from '../../files/array/array-file.js';
import { arrayVariable } from '../../files/cf/array-variable.js';
import { cellPlaces } from '../../files/cf/cells/cell-places.js';
import { isStatisticsFile } from '../../files/cf/content/statistics-netcdf.js';
import { findReadPlan } from '../../files/cf/days/read-plan.js';
import type { GridEnsemble } from '../../files/cf/grid-ensemble.js';
import { dataArrays, gridEnsemble, hasTime } from '../../files/cf/open-grid-ensemble.js';
import { gridSteps, stepsOfPlace } from '../../files/cf/steps-at-point.js';
import { tableOfPlace } from '../../files/cf/table-at-point.js';
import { variablesOfArrays } from '../../input/list-variables.js';
import type { FileForm, SourceVariable } from './open-source.js';
import type { EnsembleFile } from './opened-file.js';

/** Opens what a reader has opened. Throws FormatError and DataError. */
export async function openArrays(file: ArrayFile, form: FileForm): Promise<EnsembleFile> {
  const { source } = file;
  if (isStatisticsFile(file)) {
    const problem = 'holds results of statistics, not the members that they are of';
    throw new DataError({ source, problem, allowed: 'the file of the ensemble' });
  }
  const variables = variablesOf(file);
  if (variables.length === 0) {
    const received = [...file.arrays.keys()].join(', ') || 'no arrays';
    const allowed = 'an array with a dimension of time';
    throw new DataError({ source, problem: 'holds no values over time', received, allowed });
  }
  const opened = new Map<string, Promise<GridEnsemble>>();
  const optionsOf = (key: string, as?: string) => {
    const { isKnown } = variables.find((variable) => variable.key === key) ?? variables[0];
    const name = isKnown ? key : `${key} ${as}`;
    return { name, options: isKnown ? { variable: key } : { array: key, ...(as !== undefined && { variable: as }) } };
  };
  const open = (key: string, as?: string) => {
    const { name, options } = optionsOf(key, as);
    const ensemble = opened.get(name) ?? gridEnsemble(file, options);
    opened.set(name, ensemble);
    return ensemble;
  };
  const first = await open(variables[0].key);
  const { firstDay, days, metadata, grid, cells } = first;
  const ofFile = [...(file.notices ?? []), ...(file.notes ?? [])];
  return {
    ...{ kind: 'ensemble', form, variables },
    lastDay: firstDay + days - 1,
    places: cellPlaces(grid, 0, cells) satisfies Places,
    horizon: metadata.get('horizon'),
    ...(cells > 1 && { grid: open }),
    hasSteps: areOfSteps(first),
    read: async ({ core, variable, as, point, steps }) => {
      const ensemble = await open(variable, as);
      const read = {
        table: await tableOfPlace(core, file, ensemble, point),
        notes: [...ofFile, ...ensemble.conversions],
      };
      if (!steps || !areOfSteps(ensemble)) return read;
      const { options } = optionsOf(variable, as);
      const found = await gridSteps(file, options, new Work({}, 'values'));
      const table = await stepsOfPlace(core, file, found, point);
      return { ...read, steps: { table, notes: [...ofFile, ...found.conversions] } };
    },
  };
}

/** Whether days are made of several time steps. */
function areOfSteps(ensemble: GridEnsemble): boolean {
  return findReadPlan(ensemble)?.steps.steps.some((count) => count > 1) ?? false;
}

/** Known variables by their slugs, other arrays over time by their names. */
function variablesOf(file: ArrayFile): SourceVariable[] {
  const known = variablesOfArrays(file).map((key) => ({ key, isKnown: true }));
  const others = dataArrays(file).filter((array) => hasTime(file, array) && arrayVariable(array) === undefined);
  return [...known, ...others.map(({ name }) => ({ key: name, isKnown: false }))];
}
