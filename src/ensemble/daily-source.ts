import { copyCells } from '../core/copy-cells.js';
import { convertField, type EnsembleField, sliceCells } from '../core/field.js';
import { MemberColumn } from '../core/member-column.js';
import { type FloatArray, type FloatType, floatArray } from '../core/number-arrays.js';
import type { DataPlace } from '../errors.js';
import { alignEnsembles } from './align-ensembles.js';
import type { Ensemble } from './ensemble.js';
import type { Grid } from './grid.js';
import type { Places } from './nearest-place.js';

/** Some consecutive cells. */
export interface SomeCells {
  readonly cell: number;
  readonly cells: number;
}

/** The daily values of one variable of an input of any format, in the variable's unit, read some cells at a time. */
export interface DailySource extends Places, Pick<Ensemble, 'variable' | 'units' | 'metadata'> {
  readonly source: string;
  /** The names of members in the input. */
  readonly members: readonly string[];
  readonly type: FloatType;
  /** Day number of the first day. */
  readonly firstDay: number;
  readonly days: number;
  /** The grid of a file of arrays. */
  readonly grid?: Grid;
  /** Runs of cells that are best read together, of about `bytes` bytes; one run if all values are in memory. */
  blocks(bytes: number): readonly SomeCells[];
  /**
   * Reads some cells, rows by location (the day fastest), with values of `type`: in the order of `order`, or else in
   * the input's own. The values are valid until the next read.
   */
  read(cells: SomeCells, type: FloatType, order?: Int32Array): Promise<EnsembleField>;
}

/** A source whose values are in memory. */
export interface SourceInMemory extends DailySource {
  readonly field: EnsembleField;
  /** The place of a value in the input, for messages. */
  place(member: number, cell: number, day: number): DataPlace;
}

/** Creates a source of an ensemble in memory. */
export function sourceOfEnsemble(source: string, ensemble: Ensemble): SourceInMemory {
  const [{ field, latitude, longitude, labels }] = alignEnsembles([{ source, ensemble }]);
  const { variable, units, metadata } = ensemble;
  const { type, firstDay, days, cells } = field;
  const members = field.members.map(({ name }) => name);
  const place = (member: number, cell: number, day: number) =>
    field.place?.(member, cell * days + day) ?? { row: cell * days + day + 1 };
  return {
    ...{ source, variable, units, metadata, members, type, firstDay, days, latitude, longitude, labels, field, place },
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

/** The columns of members with values in an array each. */
export function columnsOf(names: readonly string[], values: readonly FloatArray[]): MemberColumn[] {
  return names.map((name, m) => new MemberColumn(name, [{ values: values[m] }]));
}
