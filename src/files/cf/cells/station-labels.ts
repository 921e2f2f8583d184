import { Int64 } from 'apache-arrow';
import type { LabelColumn, PlaceLabels } from '../../../ensemble/place-labels.js';
import { isPlaceName } from '../../../table/columns/column-roles.js';
import { placeLabels } from '../../../table/rows/label-columns.js';
import { isElevationName } from '../../../table/rows/read-places.js';
import type { AttributeValue, StoredArray } from '../../array/array-file.js';
import type { NetcdfArray } from '../../netcdf4/netcdf-content.js';
import type { ArrayReader } from '../array-reader.js';
import { textAttribute } from '../attribute-values.js';
import type { ArrayDimension } from '../coordinates.js';

/*
 * Labels of places in files of arrays, by section 9 of the CF conventions: arrays along the dimension of places, of which
 * the one with the attribute `cf_role` is the id.
 */

const ROLE = 'timeseries_id';
/** The attribute that has the name of a label as tables have it. */
const LABEL = 'label';

/** Reads the arrays that say more of places along a dimension than coordinates do; undefined where there are none. */
export async function stationLabels(
  reader: ArrayReader,
  { name: along, length }: ArrayDimension,
): Promise<PlaceLabels | undefined> {
  const found = [...reader.file.arrays.values()].filter(
    (array) => array.dimensions.length === 1 && array.dimensions[0] === along && isLabel(array, along),
  );
  if (found.length === 0) return undefined;
  const id =
    found.find(({ attributes }) => textAttribute(attributes, 'cf_role') === ROLE) ??
    found.find(({ name }) => isPlaceName(name) && name !== 'name') ??
    found.find(({ type, name }) => type === 'text' && (name === along || /name/i.test(name)));
  const inOrder = id === undefined ? found : [id, ...found.filter((array) => array !== id)];
  const columns = await Promise.all(inOrder.map((array) => labelColumn(reader, array)));
  return placeLabels(
    columns,
    id !== undefined,
    Int32Array.from({ length }, (_, place) => place),
  );
}

function isLabel({ name, type, attributes }: StoredArray, along: string): boolean {
  if (textAttribute(attributes, 'cf_role') === ROLE || type === 'text' || attributes.has(LABEL)) return true;
  const isElevation = isElevationName(name) || textAttribute(attributes, 'standard_name') === 'surface_altitude';
  return isElevation || (isPlaceName(name) && name !== along);
}

async function labelColumn(reader: ArrayReader, array: StoredArray): Promise<LabelColumn> {
  const name = textAttribute(array.attributes, LABEL) ?? array.name.slice(array.name.lastIndexOf('/') + 1);
  const isText = array.type === 'text';
  const read: readonly unknown[] = isText
    ? (await reader.texts(array)).map((text) => text.trim())
    : await labelNumbers(reader, array);
  const values = [...new Set(read)].filter((value) => value !== '' && !Number.isNaN(value));
  const codeOf = new Map(values.map((value, code) => [value, code]));
  const codes = read.map((value) => codeOf.get(value) ?? -1);
  return { name, isNumber: !isText, ...(typeof read[0] === 'bigint' && { type: new Int64() }), values, codes };
}

/** The numbers of labels; integers that float64 does not hold as bigints, as two of them would be one. */
async function labelNumbers(reader: ArrayReader, array: StoredArray): Promise<readonly unknown[]> {
  const numbers = Array.from(await reader.numbers(array));
  if (array.type !== 'int64' || numbers.every((value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return numbers;
  const exact = new BigInt64Array(numbers.length);
  await array.read({ start: [0], count: [numbers.length] }, exact);
  return Array.from(exact);
}

/** The arrays of labels along dimensions, and what the coordinates of values are besides latitude and longitude. */
export function labelArrays(labels: PlaceLabels | undefined, dimensions: readonly string[]): readonly NetcdfArray[] {
  if (labels === undefined) return [];
  const taken = new Set(['latitude', 'longitude', 'time', 'realization', ...dimensions]);
  return labels.columns.map(({ name, isNumber, values, codes }, c) => {
    const valueAt = (place: number) => values[codes[place]];
    const own = /^[A-Za-z_]/.test(name) ? name : `label_${name}`;
    let stored = own.replace(/[^A-Za-z0-9_]/g, '_');
    while (taken.has(stored)) stored = `${stored}_label`;
    taken.add(stored);
    const attributes = new Map<string, AttributeValue>([['long_name', name]]);
    // Numbers along places may be anything, where nothing says that they are labels.
    if (stored !== name || (isNumber && !isElevationName(name))) attributes.set(LABEL, name);
    if (c === 0 && labels.hasId && dimensions.length === 1) attributes.set('cf_role', ROLE);
    const shared = { name: stored, dimensions, attributes };
    const all = Array.from(labels.of, valueAt);
    const isWhole = isNumber && all.every((value) => typeof value === 'bigint' || Number.isSafeInteger(value));
    if (isWhole) {
      const whole = BigInt64Array.from(all, (value) => BigInt(value as number | bigint));
      return { ...shared, type: 'int64' as const, values: whole };
    }
    // Beside missing ones, integers that float64 does not hold stay what they are as texts.
    if (!isNumber || all.some((value) => typeof value === 'bigint' && !Number.isSafeInteger(Number(value)))) {
      return { ...shared, type: 'text' as const, values: all.map((value) => String(value ?? '')) };
    }
    const numbers = Float64Array.from(all, (value) => Number(value ?? Number.NaN));
    return { ...shared, type: 'float64' as const, fillValue: Number.NaN, values: numbers };
  });
}
