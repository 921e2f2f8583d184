import type { Table } from 'apache-arrow';
import { assertKind, assertShape } from '../../check/option-checks.js';
import { beginWork, type WorkOptions } from '../../check/work.js';
import { MemberColumn } from '../../core/member-column.js';
import { DataError } from '../../errors.js';
import { ownTable } from '../../table/arrow/own-table.js';
import { floatType, numberChunks } from '../../table/columns/column-values.js';
import { assertElevationKept } from './assert-kept.js';
import { assertWriter, type ReplaceOptions, type StoreWriter } from './store-writer.js';

/** Names of the column of elevations in files. */
const ELEVATION_NAMES = ['elevation', 'altitude', 'height', 'orography', 'surface_altitude', 'metres', 'z'];

/**
 * Writes the elevation of places to a store: a table with a row for each place, columns `latitude`, `longitude` and
 * `elevation` in metres above sea level, NaN or null where unknown. Throws DataError where a column is missing or a
 * value cannot be used, OptionError where the store would lose places and `options` do not allow it, and the reason of
 * `signal`; `onProgress` receives the count of places.
 */
export async function ingestElevation(
  writer: StoreWriter,
  given: Table,
  source?: string,
  options: Pick<ReplaceOptions, 'replace'> & WorkOptions = {},
): Promise<void> {
  assertWriter(writer, 'setElevation');
  assertKind('source', source, 'any text?');
  assertShape('options', options, { replace: 'flag?' });
  const { work } = beginWork(options, 'values');
  const table = ownTable(given, source);
  const latitude = Float64Array.from(numbersOf(table, ['latitude', 'lat'], source));
  const longitude = Float64Array.from(numbersOf(table, ['longitude', 'lon'], source));
  const metres = Float32Array.from(numbersOf(table, ELEVATION_NAMES, source));
  assertWithin('latitude', latitude, [-90, 90], source);
  assertWithin('longitude', longitude, [-180, 360], source);
  const wrong = metres.findIndex((value) => value < -1000 || value > 10_000);
  if (wrong >= 0) throw outOfRange('elevation', wrong, metres[wrong], 'metres from -1000 to 10000', source);
  const elevations = { latitude, longitude, metres };
  assertElevationKept(await writer.storedElevation?.(), elevations, options);
  work.check();
  await writer.setElevation(elevations);
  work.advance(metres.length);
}

function numbersOf(table: Table, names: readonly string[], source?: string): Float64Array {
  const field = table.schema.fields.find(({ name }) => names.includes(name.toLowerCase()));
  const vector = field && table.getChild(field.name);
  if (!field || !vector) {
    throw new DataError({
      source,
      problem: `has no column ${names[0]}`,
      received: table.schema.fields.map(({ name }) => name).join(', '),
      allowed: 'columns latitude, longitude and elevation',
    });
  }
  const type = floatType([vector]);
  const values = new Float64Array(table.numRows);
  new MemberColumn(field.name, numberChunks(vector, field.name, type, source)).copyTo(values, 0, 0, table.numRows);
  return values;
}

function assertWithin(column: string, values: Float64Array, [min, max]: [number, number], source?: string): void {
  const wrong = values.findIndex((value) => !(value >= min && value <= max));
  if (wrong >= 0) throw outOfRange(column, wrong, values[wrong], `degrees from ${min} to ${max}`, source);
}

function outOfRange(column: string, index: number, received: number, allowed: string, source?: string): DataError {
  return new DataError({ source, row: index + 1, column, problem: 'out of range', received, allowed });
}
