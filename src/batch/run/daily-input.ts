import { copyCells } from '../../core/copy-cells.js';
import { convertField, type EnsembleField, sliceCells } from '../../core/field.js';
import { type FloatArray, type FloatType, floatArray, valueBytes } from '../../core/float-array.js';
import type { Core } from '../../core/load.js';
import { MemberColumn } from '../../core/member-column.js';
import { alignEnsembles } from '../../ensemble/align-ensembles.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import type { Places } from '../../ensemble/nearest-place.js';
import type { DataPlace } from '../../errors.js';
import { cellPlaces, valuePlace } from '../../files/cf/cell-places.js';
import type { Block, Grid, GridEnsemble } from '../../files/cf/grid-ensemble.js';
import { cellRuns } from './cell-runs.js';

/** Some consecutive cells. */
export type Cells = Pick<Block, 'cell' | 'cells'>;

/** The daily values of one variable of an input, in the variable's unit, whatever the format: some cells of them at a time. */
export interface DailyInput extends Places, Pick<Ensemble, 'variable' | 'units' | 'metadata'> {
  readonly source: string;
  /** As the input calls them. */
  readonly members: readonly string[];
  readonly type: FloatType;
  /** Day number of the first day. */
  readonly firstDay: number;
  readonly days: number;
  /** How its cells lie, of arrays. */
  readonly grid?: Grid;
  /** Where in the input a value stands, for messages; cells are counted in the input's own order. */
  place(member: number, cell: number, day: number): DataPlace;
  /** The cells that are best read at a time, in about `bytes` bytes; all of them where they are held already. */
  blocks(bytes: number): readonly Cells[];
  /**
   * Some cells, rows by location (the day fastest), with values of `type`: in the order of `order`, or else in the input's own. They are
   * good until the next are read.
   */
  read(cells: Cells, type: FloatType, order?: Int32Array): Promise<EnsembleField>;
}

/** The input that a table was: its values are held. */
export function tableInput(source: string, ensemble: Ensemble): DailyInput {
  const [{ field, latitude, longitude }] = alignEnsembles([{ source, ensemble }]);
  const { variable, units, metadata } = ensemble;
  const { type, firstDay, days, cells } = field;
  const members = field.members.map(({ name }) => name);
  const place = (member: number, cell: number, day: number) =>
    field.place?.(member, cell * days + day) ?? { row: cell * days + day + 1 };
  return {
    ...{ source, variable, units, metadata, members, type, firstDay, days, latitude, longitude, place },
    blocks: () => [{ cell: 0, cells }],
    async read({ cell, cells: count }, wanted, order) {
      if (order === undefined) return convertField(sliceCells(field, cell, cell + count), wanted);
      const from = order.subarray(cell, cell + count);
      const values = members.map(() => floatArray(wanted, count * days));
      copyCells(field, { from }, values);
      return {
        ...{ ...field, type: wanted, cells: count, members: columnsOf(members, values) },
        place: (member, row) => place(member, from[Math.floor(row / days)], row % days),
      };
    },
  };
}

/** The input that a file of arrays is: its cells are read when they are asked for, to memory that is used again. */
export function gridInput(core: Core, ensemble: GridEnsemble): DailyInput {
  const { source, variable, units, metadata, members, type, firstDay, days, grid, cells } = ensemble;
  const { latitude, longitude } = cellPlaces(grid, 0, cells);
  const place = (member: number, cell: number, day: number) =>
    valuePlace(ensemble, members[member], firstDay + day, latitude[cell], longitude[cell]);
  let buffer: FloatArray | undefined;
  return {
    ...{ source, variable, units, metadata, members, type, firstDay, days, grid, latitude, longitude, place },
    blocks: (bytes) => ensemble.blocks(bytes, []),
    async read({ cell, cells: count }, wanted, order) {
      const length = count * days;
      const bytes = members.length * length * valueBytes(wanted);
      if (buffer === undefined || buffer.byteLength < bytes || buffer.BYTES_PER_ELEMENT !== valueBytes(wanted)) {
        buffer = floatArray(wanted, members.length * length);
      }
      const all = buffer;
      const values = members.map((_, m) => all.subarray(m * length, (m + 1) * length));
      for (const run of cellRuns(cell, count, order)) {
        const mark = core.memory.mark();
        try {
          const { field } = await ensemble.read({ cell: run.cell, cells: run.cells, day: 0, days }, core);
          copyCells(field, run, values);
        } finally {
          core.memory.release(mark);
        }
      }
      return {
        ...{ type: wanted, order: 'day-fastest', firstDay, days, cells: count },
        members: columnsOf(members, values),
        place: (member, row) => {
          const at = cell + Math.floor(row / days);
          return place(member, order?.[at] ?? at, row % days);
        },
      };
    },
  };
}

/** All cells of a file of arrays as an ensemble in memory of its own, read in blocks of about `bytes` bytes. */
export async function wholeEnsemble(input: DailyInput, bytes: number): Promise<Ensemble> {
  const { variable, units, metadata, members, type, firstDay, days, latitude, longitude, place } = input;
  const cells = latitude.length;
  const values = members.map(() => floatArray(type, cells * days));
  for (const block of input.blocks(bytes)) {
    const { members: read } = await input.read(block, type);
    for (const [m, member] of read.entries()) member.copyTo(values[m], block.cell * days, 0, member.length);
  }
  const field: EnsembleField = {
    ...{ type, order: 'day-fastest', firstDay, days, cells },
    members: columnsOf(members, values),
    place: (member, row) => place(member, Math.floor(row / days), row % days),
  };
  return { variable, units, metadata, parts: [{ field, latitude, longitude }] };
}

function columnsOf(names: readonly string[], values: readonly FloatArray[]): MemberColumn[] {
  return names.map((name, m) => new MemberColumn(name, [{ values: values[m] }]));
}
