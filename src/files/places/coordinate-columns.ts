import type { Table } from 'apache-arrow';
import { DataError, mentionOption } from '../../errors.js';
import { columnOf } from '../../table/arrow/table-schema.js';
import type { ColumnRoles } from '../../table/columns/column-role.js';
import { withoutRole } from '../../table/columns/column-roles.js';
import { isNumberType } from '../../table/columns/column-values.js';

/** Words for both coordinates in the languages of those who make lists of stations, without accents. */
const WORDS = {
  latitude: /^(lat|latitude|latitud|latitudine|breite|breitengrad|breedtegraad|breddegrad)$/,
  longitude:
    /^(lon|long|lng|longitude|longitud|longitudine|la?enge|lange|la?engengrad|langengrad|lengtegraad|la?engdegrad)$/,
};
/** Words that may stand beside them: what the numbers are, and of what. */
const BESIDE =
  /^(dd|deg|degrees?|decimals?|dec|dez|dezimal|grad|wgs(84)?|84|epsg(4326)?|4326|geo|geogr|geographic|geographische[rs]?|gps|coords?|coordinates?|koordinaten?|station|stations|site|farm|point|place|location|north|east|nord|ost|n|e|x|y|in)$/;
/** The letters of axes, whose numbers must be degrees with decimals: others count cells, or metres of a projection. */
const AXES = { latitude: 'y', longitude: 'x' } as const;
const LIMITS = { latitude: [-90, 90], longitude: [-180, 360] } as const;

type Coordinate = keyof typeof WORDS;
const BOTH = Object.keys(WORDS) as Coordinate[];

/**
 * Finds the columns of coordinates that have no role yet by words in their names, such as `Breite` or `lon_dd`, or `x` and
 * `y` where these hold degrees; with a note that says which were taken. Throws DataError where there is none, or more than
 * one that may be meant.
 */
export function findCoordinates(
  table: Table,
  roles: ColumnRoles,
  source: string,
): { readonly roles: ColumnRoles; readonly note?: string } {
  const missing = BOTH.filter((role) => roles[role] === undefined);
  if (missing.length === 0) return { roles };
  const names = withoutRole(table, roles);
  const taken: ColumnRoles = {};
  for (const role of missing) {
    const named = names.filter((name) => wordsOf(name).some((word) => WORDS[role].test(word)));
    const [name = axisOf(table, names, missing, role)] = named;
    const isClear = named.every((each) => wordsOf(each).every((word) => WORDS[role].test(word) || BESIDE.test(word)));
    if (named.length > 1 || !isClear) throw notFound(source, `has no clear column of ${role}s`, named);
    if (name === undefined)
      throw notFound(
        source,
        'has no coordinates of points',
        table.schema.fields.map((field) => field.name),
      );
    taken[role] = name;
  }
  const found = BOTH.flatMap((role) => (taken[role] === undefined ? [] : `${role} by the column ${taken[role]}`));
  return { roles: { ...roles, ...taken }, note: found.join(', ') };
}

/** `geoBreite`, `geogr. Länge` and `lat_dd` as words. */
function wordsOf(name: string): string[] {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '');
  return plain
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** The column `y` or `x`, where no coordinate is known, there are both, and both hold degrees, some with decimals. */
function axisOf(table: Table, names: readonly string[], missing: readonly Coordinate[], role: Coordinate) {
  const columns = BOTH.map((each) => names.find((name) => name.trim().toLowerCase() === AXES[each]));
  const areDegrees = BOTH.every((each, i) => {
    const name = columns[i];
    return name !== undefined && hasDegrees(table, name, LIMITS[each]);
  });
  return missing.length === BOTH.length && areDegrees ? columns[BOTH.indexOf(role)] : undefined;
}

function hasDegrees(table: Table, name: string, [least, most]: readonly [number, number]): boolean {
  const column = columnOf(table, name);
  if (!isNumberType(column.type)) return false;
  const values = Array.from({ length: table.numRows }, (_, row) => Number(column.get(row)));
  const isWithin = values.every((value) => value >= least && value <= most);
  return isWithin && values.some((value) => !Number.isInteger(value));
}

function notFound(source: string, problem: string, received: readonly string[]): DataError {
  const option = mentionOption('columns', { latitude: 'NAME', longitude: 'NAME' });
  const allowed = `columns latitude and longitude, in degrees, and best an id; of other names by ${option}`;
  return new DataError({ source, problem, received, allowed });
}
