import { type ArrayLayout, forRoles, layoutBox } from '../array-layout.js';
import { type SelectedAxis, selectedArray } from './selected-array.js';

/** The members that one of several runs has: others are left out where the file knows that it has no value of them. */
export function presentMembers(layout: ArrayLayout): ArrayLayout {
  const { array, dimension, length, times } = layout;
  if (times.run === undefined || dimension.member < 0 || array.isAbsent === undefined) return layout;
  const all = forRoles((role) => ({ start: 0, count: length[role] }));
  const isAbsent = (start: number) => array.isAbsent?.(layoutBox(layout, { ...all, member: { start, count: 1 } }));
  const indices = Int32Array.from(layout.members.keys()).filter((member) => !isAbsent(member));
  if (indices.length === 0 || indices.length === length.member) return layout;
  const axes = array.shape.map(
    (_, d): SelectedAxis =>
      d === dimension.member ? { kind: 'some', dimension: d, indices } : { kind: 'all', dimension: d },
  );
  return {
    ...layout,
    array: selectedArray(array, axes),
    members: Array.from(indices, (member) => layout.members[member]),
    length: { ...length, member: indices.length },
  };
}
