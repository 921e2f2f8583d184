import { DataType, type Table } from 'apache-arrow';
import { variableFinder } from '../../variable/find-variable.js';
import { codedColumn } from '../arrow/stored-values.js';
import { columnOf } from '../arrow/table-schema.js';
import { parseColumnName } from '../columns/column-name.js';
import type { ColumnRoles } from '../columns/column-role.js';
import { isBeside, isPlaceName, plain, withoutRole } from '../columns/column-roles.js';
import { isNumberType, isTextType } from '../columns/column-values.js';
import { tableCoordinates } from '../columns/coordinates.js';
import type { PlaceReader } from '../columns/place-reader.js';
import { RowPlaces } from './row-places.js';

/** Other columns that may name the place of a row, but for what else has ids. */
const ID_NAME =
  /^(?!(model|project|run|member|ensemble|forecast|init|variable|parameter|record|row|file|source)s?[_ ])(.+[_ ])?id$/;

/** Columns of results, and of coordinates of all cells of a file. */
const NO_LABEL = /^(period|start|end|complete|n_days|heightaboveground|spatial_ref|crs|expver)$/;

const ELEVATION = /^(elev(ation)?|alt(itude)?)$/;

/**
 * Reads what a table says of places: the column of ids, and others with one value at each place. All that read tables take
 * it, but for `statistics` of a table, so that programs which need no ids stay small.
 */
export const readPlaces: PlaceReader = (table, roles, values, { variables, source }) => {
  const id = roles.id ?? idColumn(table, roles);
  const hasId = id !== undefined;
  const own = hasId ? [id] : [];
  const known = { ...roles, id };
  const find = variableFinder(variables);
  const others = hasId || roles.latitude !== undefined ? labelCandidates(table, known, new Set(values), find) : [];
  let names: readonly string[] = own;
  if (others.length > 0) {
    const all = new RowPlaces(table, { names: [...own, ...others], hasId });
    all.number(table, tableCoordinates(table, roles, source));
    names = all.constant(isNamedLabel);
  }
  if (names.length === 0) return undefined;
  return { names, hasId, begin: (first) => new RowPlaces(first, { names, hasId }) };
};

/** The column of ids: of those that may be it, the one with the most values. */
export function idColumn(table: Table, roles: ColumnRoles): string | undefined {
  const find = variableFinder();
  const counts = withoutRole(table, roles).flatMap((name) => {
    if (!isIdName(name)) return [];
    const isName = isPlaceName(name);
    const { values } = codedColumn(columnOf(table, name));
    // Names may be names of variables; an id that no two rows have numbers the rows, unless they are of one day.
    if (isName ? values.some((value) => find(String(value))) : numbersRows(table, roles, values.length)) return [];
    return { name, count: values.length };
  });
  return counts.sort((a, b) => b.count - a.count)[0]?.name;
}

function numbersRows(table: Table, { date }: ColumnRoles, count: number): boolean {
  const { numRows } = table;
  if (numRows < 2 || count < numRows) return false;
  const days = date && columnOf(table, date);
  return !days || String(days.get(0)) !== String(days.get(numRows - 1));
}

/** What results say of points and regions of a grid: the cell of a point, and the share of a region that has data. */
const OF_GRID = /^(cell_(latitude|longitude|elevation)|distance_km|area_share)$/;

/** Whether a column of this name is one of these. */
export function isOfGrid(name: string): boolean {
  return OF_GRID.test(name);
}

/** Whether a column of this name names places, or states how high they are or what they have of a grid. */
export function isNamedLabel(name: string): boolean {
  return isIdName(name) || isElevationName(name) || isOfGrid(name);
}

/** Whether a column of this name may hold ids of places. */
export function isIdName(name: string): boolean {
  const word = plain(name);
  return isPlaceName(name) || ID_NAME.test(word);
}

/** The columns that may describe places. */
export function labelCandidates(
  table: Table,
  roles: ColumnRoles,
  values: { has(name: string): boolean },
  find: (name: string) => unknown,
): string[] {
  return withoutRole(table, roles).filter((name) => {
    if (values.has(name)) return false;
    const { type } = columnOf(table, name);
    if (!isTextType(type) && !isNumberType(type) && !DataType.isBool(type)) return false;
    if (isNamedLabel(name)) return true;
    return (
      !isBeside(name) &&
      !NO_LABEL.test(plain(name)) &&
      parseColumnName(name).member === undefined &&
      find(name) === undefined
    );
  });
}

/** Whether a column of this name states how high places are. */
export function isElevationName(name: string): boolean {
  return ELEVATION.test(plain(name));
}
