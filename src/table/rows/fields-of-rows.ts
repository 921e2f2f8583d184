import type { EnsembleField } from '../../core/field.js';
import { type FloatType, floatArray } from '../../core/float-array.js';
import { MemberColumn } from '../../core/member-column.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import { type RowBlock, type RowIndex, rowNumber } from './row-index.js';

/**
 * Makes the parts of an ensemble from member columns with one value for each row of `index`. Columns without missing
 * days are shared, not copied.
 */
export function createParts(
  index: RowIndex,
  blocks: readonly RowBlock[],
  members: readonly MemberColumn[],
  type: FloatType,
): EnsemblePart[] {
  return blocks.map((block) => {
    const coordinate = (values?: Float64Array) =>
      Float64Array.from(block.cellRows, (row) => (values === undefined ? Number.NaN : values[row]));
    return {
      field: fieldOfBlock(index, block, members, type),
      latitude: coordinate(index.latitude),
      longitude: coordinate(index.longitude),
    };
  });
}

function fieldOfBlock(
  index: RowIndex,
  block: RowBlock,
  members: readonly MemberColumn[],
  type: FloatType,
): EnsembleField {
  const { order, firstDay, days, cells, start, pieces } = block;
  const rowOf = (place: number) => {
    if (pieces === undefined) return start + place;
    const piece = pieces.findLast(({ at }) => at <= place) ?? pieces[0];
    return piece.from + place - piece.at;
  };
  const columns = members.map((member) => {
    if (pieces !== undefined) return withMissingDays(member, block, type);
    const end = start + days * cells;
    return start === 0 && end === member.length ? member : member.slice(start, end);
  });
  return {
    type,
    order,
    firstDay,
    days,
    cells,
    members: columns,
    place: (member, place) => ({
      source: index.source,
      row: rowNumber(index, rowOf(place)),
      column: members[member].name,
    }),
  };
}

/** Copies the values of a member, with NaN on the missing days. */
function withMissingDays(member: MemberColumn, { days, cells, pieces = [] }: RowBlock, type: FloatType): MemberColumn {
  const values = floatArray(type, days * cells).fill(Number.NaN);
  for (const { from, to, at } of pieces) member.copyTo(values, at, from, to);
  return new MemberColumn(member.name, [{ values }]);
}
