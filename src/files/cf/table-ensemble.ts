import type { Table } from 'apache-arrow';
import { assertShape } from '../../check/option-checks.js';
import { type EnsembleField, memberColumns } from '../../core/field.js';
import { floatArray, valueBytes } from '../../core/number-arrays.js';
import type { Ensemble, EnsemblePart } from '../../ensemble/ensemble.js';
import { placesOf } from '../../ensemble/nearest-cell.js';
import { assertTable } from '../../table/arrow/own-table.js';
import { originalNames, parseColumnName } from '../../table/columns/column-name.js';
import type { ReadOptions } from '../../table/columns/read-options.js';
import { readEnsemble } from '../../table/rows/read-ensemble.js';
import { readPlaces } from '../../table/rows/read-places.js';
import { assertVariable, assertVariables } from '../../variable/find-variable.js';
import type { NetcdfContent } from '../netcdf4/netcdf-content.js';
import { findGrid } from './cells/grid-of-places.js';
import { type DailyEnsemble, ensembleNetcdf } from './content/ensemble-netcdf.js';
import type { Block } from './grid-ensemble.js';

/** Bytes of a block of days. */
const BLOCK_BYTES = 8_388_608;

/**
 * Converts an ensemble table to the content of a NetCDF file: its members' daily values on their grid, or at places.
 * Days that a place does not have are missing. Throws what `readEnsemble` throws.
 */
export function tableNetcdf(table: Table, options: ReadOptions = {}): NetcdfContent {
  assertTable(table);
  assertShape('options', options, { source: 'any text?', columns: 'object?' });
  if (options.variable !== undefined) assertVariable(options.variable);
  assertVariables(options.variables);
  return netcdfOfEnsemble(readEnsemble(table, { ...options, places: readPlaces }));
}

/** Converts an ensemble in memory to the content of a NetCDF file, as `tableNetcdf` does. */
export function netcdfOfEnsemble(read: Ensemble): NetcdfContent {
  const { ensemble, cellOf } = toGrid(read);
  const perDay = ensemble.cells * ensemble.members.length * valueBytes(ensemble.type);
  const step = Math.max(1, Math.floor(BLOCK_BYTES / perDay));
  const blocks: Block[] = [];
  for (let day = 0; day < ensemble.days; day += step) {
    blocks.push({ cell: 0, cells: ensemble.cells, day, days: Math.min(step, ensemble.days - day) });
  }
  return ensembleNetcdf(ensemble, blocks, (block) => copyBlock(read.parts, ensemble, cellOf, block));
}

function toGrid({ variable, units, metadata, parts }: Ensemble): { ensemble: DailyEnsemble; cellOf: Int32Array } {
  const { latitude, longitude, labels } = placesOf(parts);
  const { grid, cellOf } = findGrid(latitude, longitude, labels);
  const firstDay = Math.min(...parts.map(({ field }) => field.firstDay));
  const end = Math.max(...parts.map(({ field }) => field.firstDay + field.days));
  const [{ field }] = parts;
  const members = originalNames(
    metadata,
    field.members.map(({ name }) => name),
  );
  const type = parts.every((part) => part.field.type === 'float32') ? 'float32' : 'float64';
  const named = variable === undefined && !metadata.has('variable') ? commonStem(members) : undefined;
  return {
    ensemble: {
      variable,
      units,
      metadata: named === undefined ? metadata : new Map([...metadata, ['variable', named]]),
      type,
      members,
      firstDay,
      days: end - firstDay,
      grid,
      cells: cellOf.length,
    },
    cellOf,
  };
}

/** What the names of all members say of their values: `snow` of `snow_1` and `snow_2`; undefined where they say nothing. */
function commonStem(members: readonly string[]): string | undefined {
  const [first, ...others] = members.map((name) => parseColumnName(name).stem);
  return first !== '' && others.every((stem) => stem === first) ? first : undefined;
}

/** Copies the values of all cells on some days, in the order of the grid. */
function copyBlock(
  parts: readonly EnsemblePart[],
  { type, members, firstDay, cells, grid }: DailyEnsemble,
  cellOf: Int32Array,
  { day, days }: Block,
): EnsemblePart {
  const values = floatArray(type, members.length * days * cells).fill(Number.NaN);
  let before = 0;
  for (const { field } of parts) {
    const offset = firstDay + day - field.firstDay;
    const from = Math.max(0, -offset);
    const to = Math.min(days, field.days - offset);
    for (let cell = 0; cell < field.cells; cell++) {
      const target = cellOf[before + cell];
      field.members.forEach((member, m) => {
        for (let d = from; d < to; d++)
          values[(m * days + d) * cells + target] = member.value(rowOf(field, cell, d + offset));
      });
    }
    before += field.cells;
  }
  const field: EnsembleField = {
    type,
    order: 'cell-fastest',
    firstDay: firstDay + day,
    days,
    cells,
    members: memberColumns(values, days * cells),
  };
  return { field, latitude: grid.latitude, longitude: grid.longitude };
}

function rowOf({ order, days, cells }: EnsembleField, cell: number, day: number): number {
  return order === 'day-fastest' ? cell * days + day : day * cells + cell;
}
