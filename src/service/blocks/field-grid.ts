import type { BlockShape } from './block-format.js';
import type { Grid } from './block-integers.js';
import { findGrid, findOrigin } from './find-grid.js';

/**
 * The grids of fields: the quantum of all, and the origin of each. GRIB gives each field (a member's day) a reference of
 * its own, which its values at all places share: stored once, it saves all places the bits that only it brings.
 */
export interface FieldGrid extends Grid, BlockShape {
  /** An origin for each value of a place, member after member. */
  readonly origin: Float64Array;
}

/** Fields whose quantum is looked for. */
const FIELDS = 12;
/** A field with fewer distinct values says little about its quantum. */
const MIN_VALUES = 32;
/** Origins of so small a share of fields may be missing: their values become exceptions. */
const MAX_WITHOUT = 1 / 16;
/** How far a ratio of two quanta may be from a whole number. */
const TOLERANCE = 1e-4;

/**
 * Finds the grids of fields from the values of some places, one place after the other: the more, the more exactly. Some
 * hundreds suffice, and may be any places of the same fields. Undefined where the fields have no quantum in common, or
 * all of them have the same origin, so that blocks do without.
 */
export function findFieldGrid(values: Float32Array, { members, days }: BlockShape): FieldGrid | undefined {
  const count = members * days;
  const places = Math.floor(values.length / count);
  const field = new Float32Array(places);
  const read = (index: number) => {
    for (let place = 0; place < places; place++) field[place] = values[place * count + index];
    return field;
  };
  if (places < MIN_VALUES) return undefined;
  const quanta: number[] = [];
  for (let i = 0; i < FIELDS; i++) {
    const index = Math.floor(((i + 0.5) * count) / FIELDS);
    if (new Set(read(index)).size < MIN_VALUES) continue;
    const found = findGrid(field);
    if (found !== undefined) quanta.push(found.quantum);
  }
  if (quanta.length === 0) return undefined;
  const quantum = Math.min(...quanta);
  const isMultiple = (other: number) => Math.abs(other / quantum - Math.round(other / quantum)) < TOLERANCE;
  if (!quanta.every(isMultiple)) return undefined;

  const origin = new Float64Array(count);
  let without = 0;
  for (let index = 0; index < count; index++) {
    const found = findOrigin(read(index), quantum);
    if (found === undefined) without++;
    else origin[index] = found;
  }
  if (without > MAX_WITHOUT * count || origin.every((each) => each === origin[0])) return undefined;
  return { members, days, quantum, origin };
}
