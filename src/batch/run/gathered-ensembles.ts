import type { Table } from 'apache-arrow';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { nearestCell, nearestPlace } from '../../ensemble/nearest-cell.js';
import { type DataError, FileError } from '../../errors.js';
import type { RowOptions } from '../../statistics/statistics.js';
import { dayNotAfter } from '../../table/rows/blocks-by-location.js';
import type { DayFault, LocationRange } from '../../table/rows/gathered-pivot.js';
import { wrongDay } from '../../table/rows/long-table.js';
import { readHead, readRows } from '../../table/rows/read-ensemble.js';
import { GATHER_LIMITS, type GatherLimits, type GatherOptions, RowGatherer } from '../../table/rows/row-gatherer.js';
import type { RowIndex } from '../../table/rows/row-index.js';
import { HELD_LIMITS, type HeldOptions } from './held-results.js';
import { SPILL_OPTIONS, SpilledBytes, type SpillOptions } from './spilled-bytes.js';

/** How rows in any order are gathered. */
export interface Gathering extends GatherLimits, SpillOptions, HeldOptions {}

export const GATHERING: Gathering = { ...GATHER_LIMITS, ...SPILL_OPTIONS, ...HELD_LIMITS };

/** Some locations, whether they are all, and whether all rows were in the order of their places, members and days. */
export interface GatheredEnsemble {
  readonly ensemble: Ensemble;
  readonly isAll: boolean;
  readonly isInOrder: boolean;
}

/**
 * Reads the rows of a table, which are in any order, but without `sort` with the days of each series ascending, as
 * ensembles of some locations each: together they are what `requestedEnsemble` gives for all tables, or for the sorted
 * rows of all tables. Rows that do not fit into memory go to a temporary file. `again` reads the same tables once more,
 * to describe a fault. Throws RowOrderError as `RowGatherer` does, DataError and FileError.
 */
export async function* gatheredEnsembles(
  tables: AsyncIterable<Table>,
  options: RowOptions & GatherOptions,
  gathering: Gathering,
  again: () => AsyncIterable<Table>,
): AsyncGenerator<GatheredEnsemble> {
  const { point, source } = options;
  const bytes = new SpilledBytes(source, gathering);
  try {
    const gatherer = new RowGatherer(options, bytes, gathering);
    for await (const table of tables) gatherer.add(table);
    const ranges = gatherer.end();
    const { isInOrder } = gatherer;
    const read = async (range: LocationRange, unread: readonly LocationRange[]) => {
      const ensemble = gatherer.ensemble(range);
      if (ensemble !== undefined) return ensemble;
      throw await dayError(gatherer.firstFault(unread), again(), options);
    };
    if (point !== undefined && ranges.length > 1) {
      // Rows of other places have to be right, too.
      for (const [i, range] of ranges.entries()) await read(range, ranges.slice(i));
      const from = nearestPlace(gatherer.places(), point, source);
      yield { ensemble: await read({ from, to: from + 1 }, []), isAll: true, isInOrder };
      return;
    }
    for (const [i, range] of ranges.entries()) {
      const ensemble = await read(range, ranges.slice(i));
      const requested = point === undefined ? ensemble : nearestCell(ensemble, point, source);
      yield { ensemble: requested, isAll: ranges.length === 1, isInOrder };
    }
  } finally {
    bytes.close();
  }
}

/** The error for two rows, which are read again with all that messages show of them. */
async function dayError(
  { before, row, member }: DayFault,
  tables: AsyncIterable<Table>,
  options: RowOptions,
): Promise<DataError | FileError> {
  const found: FoundRow[] = [];
  let isLong = false;
  let rowsBefore = 0;
  for await (const table of tables) {
    const here = [before, row].filter((number) => number >= rowsBefore && number < rowsBefore + table.numRows);
    if (here.length > 0) {
      const { head, index } = readRows(table, readHead(table, options), options.source);
      isLong = head.values.form === 'long';
      found.push(...here.map((number) => foundRow(index, number - rowsBefore)));
    }
    rowsBefore += table.numRows;
    if (found.length === 2) break;
  }
  if (found.length < 2) {
    const problem = 'was changed while it was read';
    const allowed = 'a file that stays as it is until it is read';
    return new FileError({ subject: options.source ?? 'table', problem, allowed });
  }
  const [{ index }] = found;
  const of = (coordinate: 'latitude' | 'longitude') =>
    index[coordinate] && Float64Array.from(found, (each) => each[coordinate]);
  const both = {
    ...index,
    days: Int32Array.from(found, ({ day }) => day),
    latitude: of('latitude'),
    longitude: of('longitude'),
    rowNumbers: [before + 1, row + 1],
    cell: (column: string, which: number) => found[which].cells.get(column),
  };
  return isLong
    ? wrongDay({ ...both, members: [member], memberOf: Int32Array.of(0, 0) }, 1, () => true)
    : dayNotAfter(both, 1);
}

/** A row with its cells. */
interface FoundRow {
  readonly index: RowIndex;
  readonly day: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly cells: ReadonlyMap<string, unknown>;
}

function foundRow(index: RowIndex, row: number): FoundRow {
  const { days, latitude, longitude, table, cell } = index;
  const cells = new Map(table.schema.fields.map(({ name }) => [name, cell(name, row)]));
  const at = (coordinate: Float64Array | undefined) => coordinate?.[row] ?? Number.NaN;
  return { index, day: days[row], latitude: at(latitude), longitude: at(longitude), cells };
}
