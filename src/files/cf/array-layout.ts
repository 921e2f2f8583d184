import { DataError, mentionOption } from '../../errors.js';
import type { Box, StoredArray } from '../array/array-file.js';
import type { ArrayReader } from './array-reader.js';
import { type CellAxes, cellAxes } from './cells/cell-axes.js';
import { type ArrayDimension, arrayDimensions, findCoordinates, isSingle } from './coordinates.js';
import { type RunChoice, type TimeAxis, timeAxis } from './time/time-axis.js';

/** The meaning of an array's dimension. */
export type Role = 'member' | 'time' | 'y' | 'x';

/** The dimensions of an array by their roles: of any other dimension one element is read. */
export interface ArrayLayout {
  readonly array: StoredArray;
  readonly times: TimeAxis;
  readonly cells: CellAxes;
  /** One for each member, as in the file. */
  readonly members: readonly string[];
  /** The index of each role's dimension, -1 where the array has none. */
  readonly dimension: Readonly<Record<Role, number>>;
  readonly length: Readonly<Record<Role, number>>;
  /** For each dimension, the element that is read if it has no role. */
  readonly fixed: readonly number[];
}

/**
 * Finds the roles of an array's dimensions; undefined where it has no dimension of time, so that it holds no days.
 * Throws DataError where a dimension of more than one element is not time, member or place, and what `timeAxis` and
 * `cellAxes` throw.
 */
export async function arrayLayout(
  reader: ArrayReader,
  array: StoredArray,
  init: RunChoice,
): Promise<ArrayLayout | undefined> {
  const times = await timeAxis(reader, array, init);
  if (times === undefined) return undefined;
  const dimensions = arrayDimensions(reader.file, array);
  const member = dimensions.find(({ kind }) => kind === 'member');
  const taken = [times.dimension.name, times.run?.dimension.name, member?.name];
  const others = dimensions.filter(({ name }) => !taken.includes(name));
  const cells = await cellAxes(reader, array, others);
  const axes = { member, time: times.dimension, y: cells.y, x: cells.x };
  assertNoOtherDimensions(reader, array, others, cells);
  return {
    ...{ array, times, cells },
    members: await memberNames(reader, array, member),
    dimension: forRoles((role) => axes[role]?.index ?? -1),
    length: forRoles((role) => axes[role]?.length ?? 1),
    fixed: dimensions.map(({ name }) => (times.run?.dimension.name === name ? times.run.index : 0)),
  };
}

/** The results of a function for each role. */
export function forRoles<T>(value: (role: Role) => T): Record<Role, T> {
  return { member: value('member'), time: value('time'), y: value('y'), x: value('x') };
}

/** A part of an array along each role. */
export type Extent = Readonly<Record<Role, { readonly start: number; readonly count: number }>>;

/** The box of an array that holds a part of it. */
export function layoutBox({ array, dimension, fixed }: ArrayLayout, extent: Extent): Box {
  const start = [...fixed];
  const count = array.shape.map(() => 1);
  for (const role of ['member', 'time', 'y', 'x'] as const) {
    if (dimension[role] < 0) continue;
    start[dimension[role]] = extent[role].start;
    count[dimension[role]] = extent[role].count;
  }
  return { start, count };
}

/** The distance between neighbours along each role among the elements of a box. */
export function stridesIn({ dimension }: ArrayLayout, { count }: Box): Record<Role, number> {
  return forRoles((role) => {
    return dimension[role] < 0 ? 0 : count.slice(dimension[role] + 1).reduce((product, n) => product * n, 1);
  });
}

function assertNoOtherDimensions(
  { file: { source } }: ArrayReader,
  { name }: StoredArray,
  others: readonly ArrayDimension[],
  { y, x }: CellAxes,
): void {
  const strange = others.find(({ name, length }) => length > 1 && name !== y?.name && name !== x?.name);
  if (strange === undefined) return;
  throw new DataError({
    ...{ source, column: name, problem: `dimension ${strange.name} is not time, member, latitude or longitude` },
    received: `length ${strange.length}`,
    allowed: `length 1; select one first, for example with cdo sellevel or ncks -d; or ${mentionOption('memberDimension', strange.name)}, if it counts members`,
  });
}

async function memberNames(
  reader: ArrayReader,
  array: StoredArray,
  member: ArrayDimension | undefined,
): Promise<readonly string[]> {
  const single = findCoordinates(reader.file, array, 'member').find(isSingle);
  const coordinate = member === undefined ? single : member.coordinate;
  const count = member?.length ?? 1;
  if (coordinate === undefined) return Array.from({ length: count }, (_, index) => String(index));
  if (coordinate.type === 'text') return (await reader.texts(coordinate)).slice(0, count);
  return Array.from(await reader.numbers(coordinate), String);
}
