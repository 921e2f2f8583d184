import { isPlumecastError, mentionOption, OptionError } from '../errors.js';
import type { ArrayFile } from '../files/array/array-file.js';
import type { GridEnsemble } from '../files/cf/grid-ensemble.js';
import { readLandMask } from '../files/cf/land-mask.js';
import { orographyField } from '../files/cf/orography.js';
import { landOnGrid, onGrid } from '../files/cf/static-field.js';
import { atPoints } from '../files/cf/weights/at-points.js';
import { openArrayPath } from '../files/open-source.node.js';
import { type PlaceList, placeList } from '../files/places/place-list.js';
import { readTable } from '../files/read-table.js';
import type { ArrayInput } from './input.js';
import { readInput } from './input-file.js';
import type { ValueOptions } from './input-request.js';
import { reportNotes, reportWarnings } from './notice.js';

/*
 * Loaded when points are requested.
 */

/** The ensembles of one input at the requested places. Reports what was done. */
export async function atPlaces(
  { arrays, source, report }: ArrayInput,
  ensembles: readonly GridEnsemble[],
  values: ValueOptions & { readonly points: string },
): Promise<readonly GridEnsemble[]> {
  const points = await readPoints(values.points);
  const found: GridEnsemble[] = [];
  for (const ensemble of ensembles) {
    const { land, isOwn } = await landOf(arrays, ensemble, values);
    const cellElevation = values.lapseRate === undefined ? undefined : await elevationOf(arrays, ensemble, values);
    const { pointMethod: method, lapseRate } = values;
    const given = Object.entries({ method, land, lapseRate, cellElevation }).filter(([, value]) => value !== undefined);
    const own = atPoints(ensemble, points, Object.fromEntries(given));
    reportNotes(report, source, own.conversions.slice(ensemble.conversions.length));
    if (isOwn) reportNotes(report, source, ['land by the land mask of the file']);
    reportWarnings(report, source, own.warnings.slice(ensemble.warnings.length));
    found.push(own);
  }
  return found;
}

const OPEN = 0x7b;

/** Reads a file of points. Throws FileError, FormatError and DataError. */
async function readPoints(path: string): Promise<PlaceList> {
  const bytes = await readInput(path);
  const json = jsonOf(bytes, path);
  return placeList(json ?? (await readTable(bytes, { source: path })), { source: path });
}

/** What bytes hold as JSON that describes places; undefined for another format. */
export function jsonOf(bytes: Uint8Array, source: string): { readonly type: string } | undefined {
  const first = bytes.find((byte) => byte > 0x20 && byte < 0x80);
  if (first !== OPEN) return undefined;
  try {
    const found: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof (found as { type?: unknown }).type === 'string' ? (found as { type: string }) : undefined;
  } catch (cause) {
    throw new OptionError({ subject: source, problem: 'is no complete JSON', allowed: 'GeoJSON or TopoJSON', cause });
  }
}

/** The share of land in cells: by the mask that is given, or for nearest cells by the one of the file itself. */
async function landOf(
  file: ArrayFile,
  ensemble: GridEnsemble,
  { landMask, pointMethod = 'nearest' }: ValueOptions,
): Promise<{ readonly land?: Float64Array | undefined; readonly isOwn: boolean }> {
  if (landMask === undefined) {
    const land = pointMethod === 'nearest' ? await readLandMask(file, ensemble) : undefined;
    return { land, isOwn: land !== undefined };
  }
  const land = await withArrays(landMask, (mask) => landOnGrid(mask, ensemble.grid, ensemble.source));
  return { land, isOwn: false };
}

async function elevationOf(
  file: ArrayFile,
  { grid, source }: GridEnsemble,
  { modelElevation }: ValueOptions,
): Promise<Float64Array> {
  const read = async (from: ArrayFile) => onGrid(await orographyField(from), grid, from.source, source);
  if (modelElevation !== undefined) return withArrays(modelElevation, read);
  try {
    return await read(file);
  } catch (cause) {
    if (!isPlumecastError(cause, 'data')) throw cause;
    throw new OptionError({
      ...{ subject: `${source}, lapseRate`, problem: 'needs the height of the surface in each cell', cause },
      allowed: `an array of it in the file, or a file with one by ${mentionOption('modelElevation')}`,
    });
  }
}

export async function withArrays<Found>(path: string, read: (file: ArrayFile) => Promise<Found>): Promise<Found> {
  const file = await openArrayPath(path, { source: path });
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}
