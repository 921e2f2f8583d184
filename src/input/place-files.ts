import { OptionError } from '../errors.js';
import type { ArrayFile } from '../files/array/array-file.js';
import type { GridEnsemble } from '../files/cf/grid-ensemble.js';
import { ensembleAtPoints } from '../files/cf/weights/ensemble-at-points.js';
import { openArrayPath } from '../files/open-source.node.js';
import { type PlaceList, placeList } from '../files/places/place-list.js';
import { readTable } from '../files/read-table.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import type { ArrayInput } from './input.js';
import { readInput, sourceName } from './input-file.js';
import type { ValueOptions } from './input-request.js';
import { reportNotes, reportWarnings } from './notice.js';

/*
 * Loaded when points are requested.
 */

/** The ensembles of one input at the requested places. Reports what was done. */
export async function atPlaces(
  input: ArrayInput,
  ensembles: readonly GridEnsemble[],
  values: ValueOptions & { readonly points: string; readonly columns?: ColumnRoles | undefined },
): Promise<readonly GridEnsemble[]> {
  const { arrays, source, report } = input;
  const points = await pointsOf(input, values.points, values.columns);
  const { pointMethod: method, lapseRate, landMask: land, modelElevation: heights } = values;
  const found: GridEnsemble[] = [];
  for (const ensemble of ensembles) {
    const at = await withArrays(land, (landMask) =>
      withArrays(lapseRate === undefined ? undefined : heights, (modelElevation) =>
        ensembleAtPoints(arrays, ensemble, points, { method, lapseRate, landMask, modelElevation }),
      ),
    );
    reportNotes(report, source, at.notes);
    reportWarnings(report, source, at.warnings);
    found.push(at.ensemble);
  }
  return found;
}

/** The points that an input was asked for: a file that is read once for all zones. */
const read = new WeakMap<ArrayInput, { readonly path: string; readonly points: Promise<PlaceList> }>();

/** The points of a file, read once for an input, as `readPoints` reads them. */
export function pointsOf(input: ArrayInput, path: string, columns: ColumnRoles | undefined): Promise<PlaceList> {
  const known = read.get(input);
  if (known?.path === path) return known.points;
  const points = readPoints(path, columns);
  read.set(input, { path, points });
  return points;
}

const OPEN = 0x7b;

/**
 * Reads a file of points; of `columns` by role it uses coordinates and ids. Throws FileError,
 * FormatError, DataError, and OptionError for a column that is not there.
 */
async function readPoints(path: string, { latitude, longitude, id }: ColumnRoles = {}): Promise<PlaceList> {
  const bytes = await readInput(path);
  const json = jsonOf(bytes, path);
  const columns = { latitude, longitude, id };
  return placeList(json ?? (await readTable(bytes, { source: path })), { source: sourceName(path), columns });
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

/** Opens a file of arrays where a path is given, and closes it after `read`. */
export async function withArrays<Found, Path extends string | undefined>(
  path: Path,
  read: (file: Path extends string ? ArrayFile : ArrayFile | undefined) => Promise<Found>,
): Promise<Found> {
  const file = path === undefined ? undefined : await openArrayPath(path, { source: path });
  try {
    return await read(file as ArrayFile);
  } finally {
    await file?.close();
  }
}
