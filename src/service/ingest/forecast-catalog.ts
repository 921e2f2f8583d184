import type { NamedPlaces } from '../../ensemble/align-ensembles.js';
import { DataError, OptionError } from '../../errors.js';
import { HORIZONS, type HorizonName, isAvailable } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import type { Axis } from '../source/dataset.js';
import { type ForecastFile, useFile } from './data-file.js';
import { HeaderReader } from './forecast-header.js';
import type { ForecastInput } from './forecast-input.js';

/** A file that is used, with its variable and time. */
export interface CatalogEntry {
  readonly file: ForecastFile;
  readonly variable: Variable;
  readonly initTime: string;
  /** Its days and members, also days that are not used. */
  readonly axis: Axis;
  /** Whether its values are read some places at a time. */
  readonly isOpened: boolean;
}

/** The files of one grid: the places that all have, and each variable's files, from the shortest horizon. */
export interface GridFiles {
  readonly places: NamedPlaces;
  readonly horizons: readonly HorizonName[];
  readonly variables: ReadonlyMap<string, ReadonlyMap<HorizonName, CatalogEntry>>;
}

/** The files of a forecast, and what they state about their runs. */
export interface ForecastCatalog {
  readonly header: HeaderReader;
  readonly coarse?: GridFiles;
  readonly fine?: GridFiles;
}

/**
 * Opens all files of a forecast once, one after the other, and lists them. Throws DataError where they do not belong
 * together, and OptionError where there are none.
 */
export async function catalogForecast(input: ForecastInput): Promise<ForecastCatalog> {
  const header = new HeaderReader(input);
  const coarse = await catalogGrid(input, false, header);
  const fine = await catalogGrid(input, true, header);
  if (coarse === undefined && fine === undefined) {
    throw new OptionError({
      subject: 'files',
      problem: 'has no usable file',
      allowed: 'one for each variable and horizon',
    });
  }
  return { coarse, fine, header };
}

async function catalogGrid(input: ForecastInput, fine: boolean, header: HeaderReader): Promise<GridFiles | undefined> {
  const files = input.files.filter((file) => file.fine === fine);
  const horizons = HORIZONS.filter((horizon) => files.some((file) => file.horizon === horizon));
  const variables = new Map<string, Map<HorizonName, CatalogEntry>>();
  let places: NamedPlaces | undefined;
  for (const file of files) {
    const { source, horizon } = file;
    const head = await useFile(file, { variables: input.variables, like: places }, (content) => {
      for (const note of content.notes ?? []) input.onNotice?.(`${source}: ${note}`);
      const { variable, latitude, longitude, firstDay, days, members, isOpened } = content;
      const initTime = header.readInitTime(file, content, horizon === horizons[0]);
      const axis = { firstDay, days, members };
      return { variable, initTime, axis, isOpened, places: { source, latitude, longitude } };
    });
    const { variable, initTime, axis, isOpened } = head;
    places ??= head.places;
    const reason = exclusionReason(variable, file);
    if (reason !== undefined) {
      input.onNotice?.(`${source}: ${variable.slug} is left out: ${reason}`);
      continue;
    }
    const entries = variables.get(variable.slug) ?? new Map<HorizonName, CatalogEntry>();
    const before = entries.get(horizon);
    if (before !== undefined) throw duplicateFileError(file, variable, before);
    variables.set(variable.slug, entries.set(horizon, { file, variable, initTime, axis, isOpened }));
  }
  return places === undefined || variables.size === 0 ? undefined : { places, horizons, variables };
}

function exclusionReason(variable: Variable, { horizon, fine }: ForecastFile): string | undefined {
  if (variable.derived) return 'it is computed from other variables';
  if (fine && !variable.downscalable) return 'it has no 1 km data';
  return isAvailable(variable, horizon) ? undefined : `it is not part of ${horizon} forecasts`;
}

function duplicateFileError({ source, horizon }: ForecastFile, { slug }: Variable, before: CatalogEntry): DataError {
  return new DataError({
    source,
    problem: `has ${slug} of the ${horizon} horizon, as ${before.file.source} has`,
    allowed: 'one file for each variable and horizon',
  });
}
