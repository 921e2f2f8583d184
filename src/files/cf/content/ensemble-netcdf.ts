import { assertKind, assertOneOf, assertShape, assertShapes } from '../../../check/option-checks.js';
import { floatArray } from '../../../core/number-arrays.js';
import type { EnsemblePart } from '../../../ensemble/ensemble.js';
import { copyFiniteRows } from '../../../ensemble/finite-rows.js';
import { assertLabels } from '../../../ensemble/place-labels.js';
import { unusable } from '../../../errors.js';
import { calendarSpan, checkCalendarDay } from '../../../period/calendar.js';
import { statedCalendar } from '../../../table/columns/day-column.js';
import { assertVariable } from '../../../variable/find-variable.js';
import { chunkShape } from '../../array/chunk-shape.js';
import type { NetcdfArray, NetcdfContent, ValueBox } from '../../netcdf4/netcdf-content.js';
import { type CellBox, cellBoxes } from '../cells/cell-places.js';
import { cellAxes, timeAxis } from '../cells/grid-axes.js';
import type { Block, GridEnsemble } from '../grid-ensemble.js';
import { fileAttributes } from './file-attributes.js';

/** Daily values of an ensemble, without the functions that read them. */
export type DailyEnsemble = Pick<
  GridEnsemble,
  'variable' | 'units' | 'metadata' | 'type' | 'members' | 'firstDay' | 'days' | 'grid' | 'cells'
>;

/**
 * Creates the content of a NetCDF file of the daily values of members, by the CF conventions (1.8): one array, such as
 * `precipitation(time, realization, latitude, longitude)`. Missing values are NaN. Time comes first, as CDO reads no
 * other arrays, and can be appended to.
 *
 * `read` reads the `blocks` one after the other, in their order in the file: each when the one before is written. The
 * chunks match the blocks, so that no more than about one block of copies is in memory.
 */
export function ensembleNetcdf(
  ensemble: DailyEnsemble,
  blocks: readonly Block[],
  read: (block: Block) => EnsemblePart | Promise<EnsemblePart>,
): NetcdfContent {
  assertEnsemble(ensemble);
  assertShapes('blocks', blocks, { cell: 'integer', cells: 'count', day: 'integer', days: 'count' });
  assertKind('read', read, 'function');
  const { variable, units, metadata, members, firstDay, days, grid, type } = ensemble;
  assertLabels(grid?.labels, 'grid.labels');
  const cells = cellAxes(grid);
  const shape = cells.dimensions.map(([, length]) => length);
  const calendar = statedCalendar(metadata);
  const time = timeAxis(
    calendar,
    Int32Array.from({ length: days }, (_, day) => firstDay + day),
  );
  const name = (variable?.slug ?? metadata.get('variable') ?? 'value').replace(/[^A-Za-z0-9_]/g, '_');
  return {
    dimensions: new Map([...time.dimensions, ['realization', members.length], ...cells.dimensions]),
    unlimited: 'time',
    attributes: fileAttributes(metadata, `daily ${name} of the members of an ensemble`),
    arrays: [
      ...time.arrays,
      createRealizationAxis(members),
      ...cells.arrays,
      {
        name,
        type,
        dimensions: ['time', 'realization', ...cells.dimensions.map(([dimension]) => dimension)],
        attributes: new Map([
          ...(variable?.standardName === undefined ? [] : [['standard_name', variable.standardName] as const]),
          ['long_name', `daily ${name}`],
          ...(units === undefined ? [] : [['units', units] as const]),
          ...cells.valueAttributes,
        ]),
        fillValue: Number.NaN,
        chunk: chunkOfBlocks(blocks, members.length, shape, type === 'float32' ? 4 : 8),
        values: valueBoxes(ensemble, blocks, shape, read),
      },
    ],
  };
}

/** Throws OptionError for what is not an ensemble. */
function assertEnsemble(ensemble: DailyEnsemble): void {
  const days = { firstDay: 'integer', days: 'count', cells: 'count' } as const;
  assertShape('ensemble', ensemble, { metadata: 'map', members: 'texts', grid: 'object', type: 'text', ...days });
  assertShape('ensemble', ensemble, { units: 'any text?' });
  if (ensemble.variable !== undefined) assertVariable(ensemble.variable);
  const calendar = statedCalendar(ensemble.metadata);
  const [first, last] = calendarSpan(calendar);
  const most = last - first + 1;
  if (ensemble.days > most) throw unusable('ensemble.days', ensemble.days, `at most ${most}`);
  checkCalendarDay(calendar, 'ensemble.firstDay', ensemble.firstDay);
  assertOneOf('ensemble.type', ensemble.type, ['float32', 'float64']);
}

/** Creates the axis of members: their numbers, if all names end with a different number, else counted from 0. */
function createRealizationAxis(members: readonly string[]): NetcdfArray {
  const numbers = members.map((name) => Number(/\d+$/.exec(name)?.[0] ?? Number.NaN));
  const own = new Set(numbers).size === members.length && numbers.every((number) => number < 2 ** 31);
  return {
    name: 'realization',
    type: 'int32',
    dimensions: ['realization'],
    attributes: new Map([
      ['standard_name', 'realization'],
      ['long_name', 'member of the ensemble'],
      ['units', '1'],
    ]),
    values: Int32Array.from(members, (_, m) => (own ? numbers[m] : m)),
  };
}

function chunkOfBlocks(blocks: readonly Block[], members: number, shape: readonly number[], bytes: number): number[] {
  const days = Math.max(...blocks.map((block) => block.days));
  const cells = Math.max(...blocks.map((block) => block.cells));
  const width = Math.min(cells, shape[shape.length - 1]);
  const rows = shape.length === 1 ? [] : [Math.min(shape[0], Math.max(1, Math.floor(cells / shape[1])))];
  return chunkShape([days, members, ...rows, width], bytes);
}

async function* valueBoxes(
  { members, type }: DailyEnsemble,
  blocks: readonly Block[],
  shape: readonly number[],
  read: (block: Block) => EnsemblePart | Promise<EnsemblePart>,
): AsyncGenerator<ValueBox> {
  for (const block of blocks) {
    const { field } = await read(block);
    for (const box of cellBoxes(block, shape)) {
      // A day at a time, so that the block is not in memory twice.
      for (let day = 0; day < block.days; day++) {
        const values = floatArray(type, members.length * box.cells);
        field.members.forEach((_, m) => {
          const target = values.subarray(m * box.cells, (m + 1) * box.cells);
          if (field.order === 'cell-fastest') copyFiniteRows(field, m, day * field.cells + box.from, target);
          else copyFiniteRows(field, m, box.from * field.days + day, target, field.days);
        });
        yield boxAt(block.day + day, members.length, box, values);
      }
    }
  }
}

function boxAt(day: number, members: number, { start, count }: CellBox, values: ValueBox['values']): ValueBox {
  return { start: [day, 0, ...start], count: [1, members, ...count], values };
}
