import { variablesOfArrays } from '../../batch/run/list-variables.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { DataError } from '../../errors.js';
import type { ArrayFile } from '../../files/array/array-file.js';
import type { ArrayFormat } from '../../files/array/detect-array-format.js';
import { arrayVariable } from '../../files/cf/array-variable.js';
import { cellPlaces } from '../../files/cf/cells/cell-places.js';
import { isStatisticsFile } from '../../files/cf/content/statistics-netcdf.js';
import type { GridEnsemble } from '../../files/cf/grid-ensemble.js';
import { dataArrays } from '../../files/cf/grid-ensembles.js';
import { gridEnsemble, hasTime } from '../../files/cf/open-grid-ensemble.js';
import { tableOfPlace } from '../../files/cf/table-at-point.js';
import { blobAccess, readBytes } from './blob-access.js';
import type { GivenFile } from './file-origin.js';
import type { FileReader, SourceVariable } from './open-source.js';
import type { EnsembleFile } from './opened-file.js';

/** Readers are loaded when a file of their format is met. */
const OPENERS: Record<ArrayFormat, (files: readonly GivenFile[]) => Promise<ArrayFile>> = {
  netcdf3: async ([given]) =>
    (await import('../../files/netcdf3/open-netcdf3.js')).openNetcdf3Access(blobAccess(given)),
  netcdf4: async ([given]) =>
    (await import('../../files/netcdf4/open-netcdf4.js')).openNetcdf4(await readBytes(given), given.path),
  grib: async (given) => {
    const [{ openGribFiles }, { gribGroup }] = await Promise.all([
      import('../../files/grib/open-grib.js'),
      import('./grib-group.js'),
    ]);
    return openGribFiles(gribGroup(given));
  },
};

const READERS = { netcdf3: 'openNetcdf3', netcdf4: 'openNetcdf4', grib: 'openGrib' } as const;

/** Opens a file of arrays, or GRIB files together. Throws FormatError, DataError, FileError and PackageError. */
export async function openArrayFiles(format: ArrayFormat, files: readonly GivenFile[]): Promise<EnsembleFile> {
  return openArrays(await OPENERS[format](files), READERS[format]);
}

/** Opens what a reader has opened. Throws FormatError and DataError. */
export async function openArrays(file: ArrayFile, reader: FileReader): Promise<EnsembleFile> {
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
  const open = (key: string, as?: string) => {
    const { isKnown } = variables.find((variable) => variable.key === key) ?? variables[0];
    const name = isKnown ? key : `${key} ${as}`;
    const options = isKnown ? { variable: key } : { array: key, ...(as !== undefined && { variable: as }) };
    const ensemble = opened.get(name) ?? gridEnsemble(file, options);
    opened.set(name, ensemble);
    return ensemble;
  };
  const { firstDay, days, metadata, grid, cells } = await open(variables[0].key);
  return {
    ...{ kind: 'ensemble', reader, variables, notes: file.notices ?? [] },
    lastDay: firstDay + days - 1,
    places: cellPlaces(grid, 0, cells) satisfies Places,
    horizon: metadata.get('horizon'),
    read: async ({ core, variable, as, point }) => {
      const ensemble = await open(variable, as);
      return { table: await tableOfPlace(core, file, ensemble, point), notes: ensemble.conversions };
    },
  };
}

/** Known variables by their slugs, other arrays over time by their names. */
function variablesOf(file: ArrayFile): SourceVariable[] {
  const known = variablesOfArrays(file).map((key) => ({ key, isKnown: true }));
  const others = dataArrays(file).filter((array) => hasTime(file, array) && arrayVariable(array) === undefined);
  return [...known, ...others.map(({ name }) => ({ key: name, isKnown: false }))];
}
