import type { BlockShape } from './block-format.js';
import { findGrid, nearestOrigin, originRange, type Range } from './find-grid.js';

/**
 * The grids of fields: the quantum of all, and the origin of each. GRIB gives each field (a member's day) a reference of
 * its own, which its values at all places share: stored once, it saves all places the bits that only it brings.
 */
export interface FieldGrid extends BlockShape {
  readonly quantum: number;
  /** An origin for each value of a place, member after member. */
  readonly origin: Float64Array;
}

/** Fields whose quantum is looked for. */
const FIELDS = 12;
/** A field with fewer distinct values says little about its quantum. */
const MIN_VALUES = 32;
/** Origins of so small a share of fields may be missing: their values become exceptions. */
const MAX_WITHOUT = 1 / 16;
/** What units are shifted by: kelvins to degrees Celsius. */
const SHIFTS = [0, -273.15];
/** Powers of two that origins may be multiples of, and the bits of evidence that are needed. */
const [MIN_POWER, MAX_POWER] = [8, 24];
const SURE_BITS = 20;
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

  const ranges = Array.from({ length: count }, (_, index) => originRange(read(index), quantum));
  const known = ranges.filter((range) => range !== undefined);
  if (count - known.length > MAX_WITHOUT * count) return undefined;
  const unit = commonUnit(known);
  const origin = Float64Array.from(ranges, (range) => {
    if (range === undefined || range.high === Number.POSITIVE_INFINITY) return 0;
    if (unit === undefined) return nearestOrigin(quantum, range);
    const exact = multipleIn(range, unit);
    return nearestOrigin(quantum, { low: exact, high: exact });
  });
  if (origin.every((each) => each === origin[0])) return undefined;
  return { members, days, quantum, origin };
}

/** The bytes that a store keeps of a grid: quantum and origins, member after member, as little-endian float64. */
export function fieldGridBytes({ quantum, origin }: FieldGrid): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8 + 8 * origin.length);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, quantum, true);
  for (let i = 0; i < origin.length; i++) view.setFloat64(8 + 8 * i, origin[i], true);
  return bytes;
}

/** The bytes of a grid of this shape. */
export function fieldGridSize({ members, days }: BlockShape): number {
  return 8 + 8 * members * days;
}

/** The grid of these bytes, as many as `fieldGridSize` says. */
export function readFieldGrid(bytes: Uint8Array, { members, days }: BlockShape): FieldGrid {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const origin = Float64Array.from({ length: members * days }, (_, i) => view.getFloat64(8 + 8 * i, true));
  return { members, days, quantum: view.getFloat64(0, true), origin };
}

/** Numbers that are multiples of a number, beside a shift. */
interface Unit {
  readonly unit: number;
  readonly shift: number;
}

/**
 * The coarsest power of two that origins may be multiples of, beside a shift of the unit. References are float32, and
 * the steps of a day mostly a power of two. Values far from 0 say where an origin is to their own last place only, and
 * values near 0, of which float32 has more places, need it exactly; that all fields permit the same power shows it.
 * Undefined where there is none that is not permitted by chance.
 */
function commonUnit(ranges: readonly Range[]): Unit | undefined {
  for (let power = MIN_POWER; power <= MAX_POWER; power++) {
    const unit = 2 ** -power;
    // That a range has a multiple by chance is as probable as it is wide.
    const chance = ranges.reduce((bits, { low, high }) => bits + Math.max(0, Math.log2(unit / (high - low))), 0);
    if (chance < SURE_BITS) return undefined;
    for (const shift of SHIFTS) {
      if (ranges.every((range) => isWithin(range, multipleIn(range, { unit, shift })))) return { unit, shift };
    }
  }
  return undefined;
}

function multipleIn({ low, high }: Range, { unit, shift }: Unit): number {
  return unit * Math.round(((low + high) / 2 - shift) / unit) + shift;
}

function isWithin({ low, high }: Range, value: number): boolean {
  return high === Number.POSITIVE_INFINITY || (low <= value && value <= high);
}
