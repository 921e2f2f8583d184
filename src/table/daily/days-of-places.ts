import type { LocalDays } from '../../ensemble/local-days.js';
import type { PlaceDays } from '../../ensemble/place-days.js';
import { idsOf, type PlaceLabels } from '../../ensemble/place-labels.js';
import { DataError, isPlumecastError, mentionOption, OptionError, subjectIn } from '../../errors.js';
import { type CodedColumn, codedColumn } from '../arrow/stored-values.js';
import { columnOf, findColumn } from '../arrow/table-schema.js';
import { placeLabels } from '../rows/label-columns.js';
import { describePlace, type RowIndex, rowNumber } from '../rows/row-index.js';
import type { EnsembleRows } from '../rows/row-reader.js';
import type { SeriesOfTable } from './step-series.js';

/** The days of each place of a table. */
export interface DaysOfPlaces {
  /** By the number of the place among those of its series. */
  readonly days: readonly LocalDays[];
  /** What metadata state of them. */
  readonly texts: ReadonlyMap<string, string>;
  /** The labels of places with their zones, where these are not in a column. */
  labelled(labels: PlaceLabels | undefined): PlaceLabels | undefined;
}

/** The column that names the zones of places in results. */
const ZONE = 'time_zone';

/**
 * The days of each place of a table of time steps, by its column of zones or by ids. Throws DataError, which names place
 * and row, for a place without a zone, with several, or with one that does not exist; OptionError for a column that is
 * not there, and for zones by ids where places have none.
 */
export function daysOfPlaces(rows: EnsembleRows, found: SeriesOfTable, zones: PlaceDays): DaysOfPlaces {
  const { given } = zones;
  const { index } = rows;
  const { latitude, longitude, places: labelled } = index;
  const firstRows = found.places;
  const numbers = (values?: Float64Array) => Float64Array.from(firstRows, (row) => values?.[row] ?? Number.NaN);
  const unnamed = { latitude: numbers(latitude), longitude: numbers(longitude) };
  const places = labelled?.placed(unnamed) ?? unnamed;
  const ids = idsOf('labels' in places ? (places.labels as PlaceLabels) : undefined);
  const keyOf = (place: number) => ids?.[place] ?? `${places.latitude[place]}, ${places.longitude[place]}`;
  if (typeof given === 'string') {
    const days = daysByColumn(index, found, zones, given);
    const texts = zones.texts(new Map(days.map((own, place) => [keyOf(place), own])));
    return { days, texts, labelled: (labels) => labels };
  }
  if (ids === undefined) throw withoutIds(index);
  const days = firstRows.map((row, place) => {
    const zone = Object.hasOwn(given, ids[place]) ? given[ids[place]] : undefined;
    if (zone !== undefined) return zones.of(zone, `timeZones.${ids[place]}`);
    throw new DataError({
      ...{ source: index.source, row: rowNumber(index, row), problem: 'no zone for this place' },
      ...{ received: describePlace(index, row), allowed: 'a zone for each place' },
    });
  });
  const zoneOf = new Map(firstRows.map((row, place) => [latitude?.[row] as number, days[place].zone.name]));
  return { days, texts: zones.textsOfIds(given), labelled: (labels) => labels && withZones(labels, zoneOf) };
}

/** The labels of places, and their zones by the numbers that the labels count places with. */
function withZones({ columns, hasId, of }: PlaceLabels, zoneOf: ReadonlyMap<number, string>): PlaceLabels {
  const values = [...new Set(zoneOf.values())];
  const codes = Array.from({ length: 1 + Math.max(...of) }, (_, place) => values.indexOf(zoneOf.get(place) as string));
  const kept = columns.filter(({ name }) => name !== ZONE);
  return placeLabels([...kept, { name: ZONE, isNumber: false, values, codes }], hasId, of);
}

function withoutIds({ source, table }: RowIndex): OptionError {
  return new OptionError({
    subject: subjectIn(source, 'timeZones'),
    problem: 'are by ids, and the table has no column of ids',
    received: table.schema.fields.map(({ name }) => name).join(', '),
    allowed: `a column such as id or station; its name by ${mentionOption('columns')}`,
  });
}

function daysByColumn(index: RowIndex, { series, places }: SeriesOfTable, zones: PlaceDays, name: string): LocalDays[] {
  const { table, source } = index;
  if (findColumn(table, name) === undefined) {
    throw new OptionError({
      ...{ subject: subjectIn(source, 'timeZones'), problem: 'the table has no such column', received: name },
      allowed: table.schema.fields.map((field) => field.name).join(', '),
    });
  }
  const column = codedColumn(columnOf(table, name));
  const first = new Map<number, number>();
  for (const { place, rows } of series) {
    for (const row of rows) {
      const before = first.get(place) ?? row;
      first.set(place, before);
      if (column.codes[row] === column.codes[before] && column.codes[row] >= 0) continue;
      throw zoneFault(index, row, name, column, before);
    }
  }
  return places.map((firstRow, place) => {
    const row = first.get(place) ?? firstRow;
    const zone = column.values[column.codes[row]];
    try {
      return zones.of(zone as string, name);
    } catch (cause) {
      if (!isPlumecastError(cause, 'option')) throw cause;
      const { problem, allowed } = cause;
      const where = `${describePlace(index, row)}: ${problem}`;
      const at = { source, row: rowNumber(index, row), column: name };
      throw new DataError({ ...at, problem: where, received: zone, allowed, cause });
    }
  });
}

/** The error for a row without a zone, or with another one than the place has in a row before. */
function zoneFault(
  index: RowIndex,
  row: number,
  column: string,
  { codes, values }: CodedColumn,
  before: number,
): DataError {
  const at = { source: index.source, row: rowNumber(index, row), column };
  const place = describePlace(index, row);
  if (codes[row] < 0) {
    return new DataError({ ...at, problem: `no zone for ${place}`, received: null, allowed: 'a zone for each place' });
  }
  return new DataError({
    ...{ ...at, problem: `another zone for ${place} than in row ${rowNumber(index, before)}` },
    ...{ received: values[codes[row]], allowed: `one zone for a place: ${values[codes[before]]}` },
  });
}
