import type { Table } from 'apache-arrow';
import { checkOptions } from '../check/option-checks.js';
import { checkPoint, nearestCell, onlyCell, placesOf } from '../ensemble/nearest-cell.js';
import type { Point } from '../ensemble/nearest-place.js';
import { PlaceIndex } from '../ensemble/place-index.js';
import { OptionError } from '../errors.js';
import { assertTable } from '../table/arrow/own-table.js';
import { READ_OPTIONS, type ReadingOptions, type ReadOptions, withVariable } from '../table/columns/read-options.js';
import { ensembleOf, OPENED, type Opened, readEnsemble } from '../table/rows/read-ensemble.js';
import { readPlaces } from '../table/rows/read-places.js';
import type { Variable } from '../variable/variable.js';
import { CellStatistics } from './cell-statistics.js';
import { checkStatisticsOptions } from './options.js';
import { type HasStatistics, OWN_STATISTICS } from './own-statistics.js';
import { statisticsOf } from './statistics.js';

/** An ensemble that was read from a table once, for `statistics`, `memberWindows`, `blend` and `climatology`. */
export interface OpenEnsemble extends Opened, HasStatistics {
  /** Undefined where neither the options nor the table name it. */
  readonly variable: Variable | undefined;
  readonly units: string | undefined;
  /** The names of the members. */
  readonly members: readonly string[];
  /** The places in the order of the rows, in degrees; NaN where the table does not state them. */
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** For people: which columns of numbers were left out, and which members have no column. */
  readonly notes: readonly string[];
}

/**
 * Opens a table of daily values in any form that `statistics` takes: its columns are found, its rows checked and its
 * places indexed once, so that questions about one of many places take microseconds. `options` say how to read the table
 * where it does not say so itself; functions that take the ensemble take no such options. The values stay where they are,
 * and must not change.
 *
 * Throws OptionError for options, and DataError for a table that cannot be used.
 *
 * @example
 * ```js
 * import { ensemble, loadCore, statistics } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 *
 * const locations = [50, 51].map((latitude) => ({ latitude, longitude: 7 }));
 * const rain = ensemble(demoTable('precipitation', { locations })); // read once, asked often
 * const [core, point] = [await loadCore(), { latitude: 51.1, longitude: 7 }];
 * console.log(statistics(core, rain, { point, granularity: 'weekly' }).get(0).latitude);
 * ```
 *
 * ```text
 * 51
 * ```
 */
export function ensemble(table: Table, options: ReadingOptions = {}): OpenEnsemble {
  // Before the options: who gives a core first, as elsewhere, gives the table in their place.
  assertTable(table);
  const reading = withVariable(checkOptions<ReadingOptions, typeof READ_OPTIONS>(options, READ_OPTIONS));
  const read = readEnsemble(table, { ...reading, places: readPlaces });
  const { variable, units, notes = [], parts } = read;
  const { latitude, longitude } = placesOf(parts);
  const members = parts[0].field.members.map(({ name }) => name);
  let index: PlaceIndex | undefined;
  /** The nearest cell to a point, and its part; undefined without coordinates. */
  const find = (point: Point) => {
    checkPoint(point);
    index ??= new PlaceIndex({ latitude, longitude });
    let cell = index.nearest(point, reading.source);
    if (cell === undefined) return undefined;
    for (const part of parts) {
      if (cell < part.field.cells) return { part, cell };
      cell -= part.field.cells;
    }
    throw new RangeError(`no cell ${cell}`);
  };
  const cells = new CellStatistics(read);
  return {
    ...{ variable, units, members, latitude, longitude, notes },
    [OWN_STATISTICS](core, requested) {
      const { point, climatology, exceed, anomaly, ...others } = Object(requested) as typeof requested;
      if (point === undefined || climatology !== undefined || exceed !== undefined || anomaly !== undefined) {
        return statisticsOf(core, this, requested, ensembleOf);
      }
      const checked = checkStatisticsOptions({ ...others, point });
      assertNoReading(checked, variable);
      const found = find(point);
      return found === undefined
        ? statisticsOf(core, this, requested, ensembleOf)
        : cells.table(core, found.part, found.cell, checked);
    },
    [OPENED]({ point, ...others }) {
      assertNoReading(others, variable);
      if (point === undefined) return read;
      const found = find(point);
      // Without coordinates, that is the error.
      if (found === undefined) return nearestCell(read, point, options.source);
      return { ...read, parts: [onlyCell(found.part, found.cell)] };
    },
  };
}

/** The options of reading, which belong to `ensemble`. */
const READING = ['variable', 'variables', 'columns', 'calendar'] as const;

/** Throws OptionError for how to read a table; its variable may be named once more, as `blendVariables` does. */
function assertNoReading(options: ReadOptions, variable: Variable | undefined): void {
  const isNamedAgain = variable !== undefined && options.variable?.slug === variable.slug;
  const subject = READING.find((name) => options[name] !== undefined && !(name === 'variable' && isNamedAgain));
  if (subject === undefined) return;
  throw new OptionError({
    subject,
    problem: 'says how to read a table, and this one is open',
    received: subject === 'variable' ? options.variable?.slug : options[subject],
    allowed: 'an option of `ensemble`',
  });
}
