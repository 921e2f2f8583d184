import { valuesOnDay } from '../blend/pairing/field-pairer.js';
import type { HasValues } from '../blend/pairing/sampled-cells.js';
import type { DayRange } from '../blend/pairing/seam-anomalies.js';
import type { WorkOptions } from '../check/work.js';
import { type CopiedCells, copyCells } from '../core/copy-cells.js';
import { copyPlaces, findInfinite } from '../core/copy-places.js';
import type { EnsembleField } from '../core/field.js';
import { infiniteValue } from '../core/infinite-value.js';
import type { Core } from '../core/load.js';
import { type FloatArray, type FloatType, floatArray, valueBytes } from '../core/number-arrays.js';
import { columnsOf, type DailySource, sourceOfEnsemble } from '../ensemble/daily-source.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import { type DataPlace, isPlumecastError } from '../errors.js';
import { cellPlaces, valuePlace } from '../files/cf/cells/cell-places.js';
import type { Block, GridEnsemble } from '../files/cf/grid-ensemble.js';

/** A run of consecutive cells. */
export type Cells = Pick<Block, 'cell' | 'cells'>;

/** The daily values of one variable of an input of any format, in the variable's unit, read some cells at a time. */
export interface DailyInput extends DailySource {
  /** The place of a value in the input, for messages; cells are counted in the input's own order. */
  place(member: number, cell: number, day: number): DataPlace;
  /** Reads single cells on at least the `days`, day numbers, that it has: counted as by `read`, in the order given. */
  sample(cells: Int32Array, days: DayRange, type: FloatType, order?: Int32Array): Promise<EnsembleField>;
  /** Which cells, in the input's own order, have a value of any member on a day that it has. */
  valuesOnDay(day: number): Promise<HasValues>;
}

/** Creates an input from the ensemble of a table, whose values are in memory. */
export function tableInput(source: string, ensemble: Ensemble): DailyInput {
  const { field, ...found } = sourceOfEnsemble(source, ensemble);
  const { firstDay, days, members, place } = found;
  return {
    ...found,
    valuesOnDay: async (day) => valuesOnDay({ name: source, field }, day),
    async sample(sampled, _days, wanted, order) {
      const from = order === undefined ? sampled : sampled.map((cell) => order[cell]);
      const values = members.map(() => floatArray(wanted, from.length * days));
      copyCells(field, { from }, values);
      return {
        ...{ type: wanted, order: 'day-fastest', firstDay, days, cells: from.length },
        members: columnsOf(members, values),
        place: (member, row) => place(member, from[Math.floor(row / days)], row % days),
      };
    },
  };
}

/** An input from a file of arrays. */
export interface GridInput extends DailyInput {
  /**
   * Fills an array with some days of some cells, counted from the first, in the order of `order` or in their own: of each
   * cell a row of days for each member. Rejects with DataError for an infinite value.
   */
  readPlaces(
    cells: Cells,
    span: { readonly day: number; readonly days: number },
    into: Float32Array,
    order?: Int32Array,
    options?: Pick<WorkOptions, 'signal'>,
  ): Promise<void>;
}

/** Creates an input from a file of arrays: cells are read when they are needed, into a buffer that is reused. */
export function gridInput(core: Core, ensemble: GridEnsemble): GridInput {
  const { source, variable, units, metadata, members, type, firstDay, days, grid, cells } = ensemble;
  const { latitude, longitude, labels } = cellPlaces(grid, 0, cells);
  const place = (member: number, cell: number, day: number) =>
    valuePlace(ensemble, members[member], firstDay + day, latitude[cell], longitude[cell]);
  let buffer: FloatArray | undefined;
  return {
    ...{ source, variable, units, metadata, members, type, firstDay, days, grid, latitude, longitude, labels, place },
    blocks: (bytes) => ensemble.blocks(bytes, []),
    async read({ cell, cells: count }, wanted, order) {
      const length = count * days;
      const bytes = members.length * length * valueBytes(wanted);
      if (buffer === undefined || buffer.byteLength < bytes || buffer.BYTES_PER_ELEMENT !== valueBytes(wanted)) {
        buffer = floatArray(wanted, members.length * length);
      }
      const all = buffer;
      const values = members.map((_, m) => all.subarray(m * length, (m + 1) * length));
      for (const run of planCellRuns(cell, count, order)) {
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
    async readPlaces({ cell, cells: count }, { day, days: wanted }, into, order, { signal } = {}) {
      for (const run of planCellRuns(cell, count, order)) {
        const mark = core.memory.mark();
        try {
          const block = { cell: run.cell, cells: run.cells, day: 0, days };
          const { field } = await ensemble.read(block, core, { signal });
          copyPlaces(field, run, { day, days: wanted, at: 0, width: wanted }, into);
        } finally {
          core.memory.release(mark);
        }
      }
      const at = findInfinite(into);
      if (at < 0) return;
      const row = Math.floor(at / wanted);
      const [i, m] = [cell + Math.floor(row / members.length), row % members.length];
      const found = place(m, order?.[i] ?? i, day + (at % wanted));
      throw infiniteValue({ place: () => found }, m, 0, into[at]);
    },
    async valuesOnDay(day) {
      const at = day - firstDay;
      if (at < 0 || at >= days) return () => true;
      const isThere = new Uint8Array(cells);
      for (const block of sampledBlocks(ensemble, [at, at + 1])) {
        if (at < block.day || at >= block.day + block.days) continue;
        const mark = core.memory.mark();
        try {
          const { field } = await ensemble.read(block, core);
          for (let cell = 0; cell < block.cells; cell++) {
            const row = rowOf(field, cell, at - block.day);
            if (field.members.some((member) => !Number.isNaN(member.value(row)))) isThere[block.cell + cell] = 1;
          }
        } finally {
          core.memory.release(mark);
        }
      }
      return (cell) => isThere[cell] === 1;
    },
    async sample(sampled, range, wanted, order) {
      const own = order === undefined ? sampled : sampled.map((cell) => order[cell]);
      const from = Math.max(range.from, firstDay);
      const count = Math.max(0, Math.min(range.to, firstDay + days) - from);
      const values = members.map(() => floatArray(wanted, own.length * count));
      const [first, end] = [from - firstDay, from - firstDay + count];
      for (const block of sampledBlocks(ensemble, [first, end])) {
        const isIn = (cell: number) => cell >= block.cell && cell < block.cell + block.cells;
        if (block.day >= end || block.day + block.days <= first || !own.some(isIn)) continue;
        const mark = core.memory.mark();
        try {
          const { field } = await ensemble.read(block, core);
          const day = Math.max(first, block.day);
          const length = Math.min(end, block.day + block.days) - day;
          own.forEach((cell, c) => {
            if (!isIn(cell)) return;
            const into = values.map((member) =>
              member.subarray(c * count + day - first, c * count + day - first + length),
            );
            copyDays(field, cell - block.cell, day - block.day, into);
          });
        } finally {
          core.memory.release(mark);
        }
      }
      return {
        ...{ type: wanted, order: 'day-fastest', firstDay: from, days: count, cells: own.length },
        members: columnsOf(members, values),
        place: (member, row) => place(member, own[Math.floor(row / count)], first + (row % count)),
      };
    },
  };
}

/** About how many bytes are read at a time for a sample; in files that are stored in larger pieces, more. */
const SAMPLE_BYTES = [201_326_592, 1_073_741_824];

/** The blocks in which days from one cut to the other are read. */
function sampledBlocks(ensemble: GridEnsemble, cuts: readonly number[]): readonly Block[] {
  try {
    return ensemble.blocks(SAMPLE_BYTES[0], cuts);
  } catch (error) {
    if (!isPlumecastError(error, 'data')) throw error;
    return ensemble.blocks(SAMPLE_BYTES[1], cuts);
  }
}

function rowOf({ order, days, cells }: EnsembleField, cell: number, day: number): number {
  return order === 'day-fastest' ? cell * days + day : day * cells + cell;
}

/** Copies days of one cell of a field, from `day` on, to an array for each member. */
function copyDays(field: EnsembleField, cell: number, day: number, into: readonly FloatArray[]): void {
  field.members.forEach((member, m) => {
    for (let d = 0; d < into[m].length; d++) into[m][d] = member.value(rowOf(field, cell, day + d));
  });
}

/** Reads all cells of a file of arrays, in blocks of about `bytes` bytes, into an ensemble with its own memory. */
export async function readAllCells(input: DailyInput, bytes: number): Promise<Ensemble> {
  const { variable, units, metadata, members, type, firstDay, days, latitude, longitude, labels, place } = input;
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
  return { variable, units, metadata, parts: [{ field, latitude, longitude, labels }] };
}

/**
 * Consecutive cells that are read together: `from` are those that are needed, counted from the first; `to` is where
 * they go.
 */
interface CellRun extends CopiedCells {
  readonly cell: number;
  readonly cells: number;
}

/**
 * Plans the reading of `count` places of `order`, from `first` on: as few runs of consecutive cells as possible, none
 * longer than `count`. Without `order` places are cells.
 */
function planCellRuns(first: number, count: number, order?: Int32Array): CellRun[] {
  if (order === undefined) return [{ cell: first, cells: count }];
  const wanted = order.subarray(first, first + count);
  const sorted = Int32Array.from({ length: count }, (_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const runs: CellRun[] = [];
  for (let begin = 0, end = 0; begin < count; begin = end) {
    const cell = wanted[sorted[begin]];
    while (end < count && wanted[sorted[end]] < cell + count) end++;
    const to = sorted.slice(begin, end);
    runs.push({
      cell,
      cells: wanted[sorted[end - 1]] - cell + 1,
      from: Int32Array.from(to, (i) => wanted[i] - cell),
      to,
    });
  }
  return runs;
}
