import { type Data, DataType, makeVector, type Vector } from 'apache-arrow';
import { type FloatType, floatArray } from '../../core/float-array.js';
import { MemberColumn } from '../../core/member-column.js';
import { DataError } from '../../errors.js';
import { isListType } from '../arrow/short-buffers.js';
import { floatType, isNumberType, numberChunks } from './number-column.js';

/** Whether a column holds a list of numbers in each row: one for each member. */
export function isListColumn(vector: Vector): boolean {
  const { type } = vector;
  return (DataType.isFixedSizeList(type) || isListType(type)) && isNumberType(type.children[0].type);
}

/**
 * Turns a list column into one column per member. A null list is missing for all members. `size` is the length of
 * lists, where tables before have shown it. Throws a DataError for the first row whose list has another length than
 * the first.
 */
export function readListMembers(
  vector: Vector,
  column: string,
  source?: string,
  size = listSize(vector),
): { members: MemberColumn[]; type: FloatType } {
  const child = vector.getChildAt(0) as Vector;
  const type = floatType([child]);
  if (size === 0)
    throw new DataError({ source, column, problem: 'no members', allowed: 'a list of at least one number' });
  const columns = Array.from({ length: size }, () => floatArray(type, vector.length).fill(Number.NaN));
  let row = 0;
  for (const data of vector.data) {
    const values = new MemberColumn(column, numberChunks(makeVector(data.children[0]), column, type, source));
    for (let i = 0; i < data.length; i++, row++) {
      if (data.nullCount > 0 && !data.getValid(i)) continue;
      const [from, to] = listBounds(data, i, size);
      if (to - from !== size) {
        throw new DataError({
          source,
          row: row + 1,
          column,
          problem: 'another number of members than in the rows before',
          received: to - from,
          allowed: `a list of ${size} in each row`,
        });
      }
      for (let m = 0; m < size; m++) columns[m][row] = values.value(from + m);
    }
  }
  const digits = Math.max(2, String(size - 1).length);
  const members = columns.map(
    (values, m) => new MemberColumn(`${column}[${String(m).padStart(digits, '0')}]`, [{ values }]),
  );
  return { members, type };
}

/** The length of the first list that is not null; 0 if there is none. */
function listSize(vector: Vector): number {
  if (DataType.isFixedSizeList(vector.type)) return vector.type.listSize;
  for (const data of vector.data) {
    for (let i = 0; i < data.length; i++) {
      if (data.nullCount > 0 && !data.getValid(i)) continue;
      const [from, to] = listBounds(data, i, 0);
      return to - from;
    }
  }
  return 0;
}

function listBounds(data: Data, row: number, size: number): [number, number] {
  if (DataType.isFixedSizeList(data.type)) return [row * size, (row + 1) * size];
  return [Number(data.valueOffsets[row]), Number(data.valueOffsets[row + 1])];
}
