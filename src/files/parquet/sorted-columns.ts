import { compareBytes } from './column-statistics.js';
import type { GroupValues } from './group-column.js';
import { CONVERTED, type ParquetElement, STORED } from './parquet-schema.js';

/** A column by which the rows of a row group are sorted, within equal values of the columns before it. */
export interface SortedColumn {
  /** Its index in the file. */
  readonly column: number;
  /** 1 if its values ascend, -1 if they descend, 0 if they are all the same. */
  readonly order: -1 | 0 | 1;
}

/** The columns that say where and when a row is, each by the names that it may have. */
const PLACE_AND_PERIOD = [['source'], ['variable'], ['latitude'], ['longitude'], ['start', 'date', 'period']];

/** The indices of the columns by which rows of places and periods may be sorted. */
export function placeAndPeriod(elements: readonly ParquetElement[]): number[] {
  return PLACE_AND_PERIOD.flatMap((names) => {
    const name = names.find((each) => elements.some((element) => element.name === each));
    return name === undefined ? [] : [elements.findIndex((element) => element.name === name)];
  });
}

/** Those of `columns`, from the first one on, by which the rows of a row group are sorted. */
export function sortedColumns(
  columns: readonly number[],
  elements: readonly ParquetElement[],
  group: readonly GroupValues[],
): SortedColumn[] {
  const sorted: SortedColumn[] = [];
  // Whether a row is the same as the one before in all columns so far.
  const isSame = new Uint8Array(group[0]?.rows ?? 0).fill(1);
  for (const column of columns) {
    const order = orderOf(comparable(elements[column], group[column]), isSame);
    if (order === undefined) break;
    sorted.push({ column, order });
  }
  return sorted;
}

/** Numbers in the order of values; undefined where some are missing, or unsigned. */
function comparable(
  { type, isOptional, converted }: ParquetElement,
  group: GroupValues,
): ArrayLike<number | bigint> | undefined {
  const { values, texts, rows } = group;
  const isUnsigned = converted === CONVERTED.uint32 || converted === CONVERTED.uint64;
  if ((isOptional && values.length < rows) || isUnsigned) return undefined;
  if (type !== STORED.bytes) return values;
  const inOrder = [...texts.keys()].sort((a, b) => compareBytes(texts[a], texts[b]));
  const ranks = new Int32Array(texts.length);
  for (const [rank, text] of inOrder.entries()) ranks[text] = rank;
  return (values as Int32Array).map((text) => ranks[text]);
}

/** The order of values where `isSame`, which it updates; undefined where they have none. */
function orderOf(
  values: ArrayLike<number | bigint> | undefined,
  isSame: Uint8Array,
): SortedColumn['order'] | undefined {
  if (values === undefined || Number.isNaN(values[0])) return undefined;
  let order: SortedColumn['order'] = 0;
  for (let row = 1; row < values.length; row++) {
    const before = values[row - 1];
    const value = values[row];
    if (value === before) continue;
    // NaN is neither.
    const step = value > before ? 1 : value < before ? -1 : undefined;
    if (step === undefined) return undefined;
    if (isSame[row] === 0) continue;
    if (order !== 0 && step !== order) return undefined;
    order = step;
    isSame[row] = 0;
  }
  return order;
}

/**
 * The sorting columns of each row group (SortingColumn in parquet.thrift): a column with one value in a row group is
 * sorted as it is in the others.
 */
export function sortingOfGroups(
  groups: readonly (readonly SortedColumn[])[],
): { readonly column: number; readonly descending: boolean }[][] {
  const orders = new Map<number, number>();
  for (const { column, order } of groups.flat()) if (order !== 0 && !orders.has(column)) orders.set(column, order);
  return groups.map((group) =>
    group.map(({ column, order }) => ({ column, descending: (order || orders.get(column)) === -1 })),
  );
}
