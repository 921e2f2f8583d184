import type { BlockShape } from './block-format.js';
import { findGrid, isOnGrid, nearestOrigin, originOfMost, originRange, type Range } from './find-grid.js';

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
/** A quantum so many times as large as the least one is tried. */
const COARSER = 1.5;
/** It has to be a grid of this share of the places. */
const MIN_PLACES = 1 / 2;
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
  const found: { index: number; quantum: number }[] = [];
  for (let i = 0; i < FIELDS; i++) {
    const index = Math.floor(((i + 0.5) * count) / FIELDS);
    if (new Set(read(index)).size < MIN_VALUES) continue;
    const grid = findGrid(field);
    if (grid !== undefined) found.push({ index, quantum: grid.quantum });
  }
  if (found.length === 0) return undefined;
  const quantum = Math.min(...found.map((each) => each.quantum));
  const isMultiple = (other: number) => Math.abs(other / quantum - Math.round(other / quantum)) < TOLERANCE;
  if (found.every((each) => isMultiple(each.quantum))) {
    const ranges = Array.from({ length: count }, (_, index) => originRange(read(index), quantum));
    const origin = originsOf(ranges, quantum);
    if (origin?.some((each) => each !== origin[0])) return { members, days, quantum, origin };
  }
  const coarser = coarserQuantum(found, quantum, read);
  if (coarser === undefined) return undefined;
  const ranges = Array.from({ length: count }, (_, index) => originOfMost(read(index), coarser));
  const origin = originsOf(ranges, coarser);
  return origin && { members, days, quantum: coarser, origin };
}

/**
 * Of the quanta of some fields one that is larger than the least, and a grid of all fields at most places; undefined where
 * there is none. Values that were float32 in another unit, such as kelvins, were rounded there: from 256 kelvins on more
 * coarsely than below. Then the values of a field are on two grids, which have only a quantum as small as that rounding in
 * common, and no origins of their own. Places that are not on the larger one have blocks without it.
 */
function coarserQuantum(
  found: readonly { readonly index: number; readonly quantum: number }[],
  least: number,
  read: (index: number) => Float32Array,
): number | undefined {
  const quanta = new Set(found.map(({ quantum }) => quantum).filter((quantum) => quantum > COARSER * least));
  let [best, most]: [number | undefined, number] = [undefined, 0];
  for (const quantum of quanta) {
    let places: readonly boolean[] | undefined;
    for (const { index } of found) {
      const values = read(index);
      const range = originOfMost(values, quantum);
      const isOn = Array.from(values, (value) => range !== undefined && isOnGrid(value, quantum, range));
      places = places?.map((isGood, place) => isGood && isOn[place]) ?? isOn;
    }
    const share = (places ?? []).filter(Boolean).length / (places?.length ?? 1);
    const saved = share * Math.log2(quantum / least);
    if (share >= MIN_PLACES && saved > most) [best, most] = [quantum, saved];
  }
  return best;
}

/** An origin in each range; undefined where too many are missing. */
function originsOf(ranges: readonly (Range | undefined)[], quantum: number): Float64Array | undefined {
  const known = ranges.filter((range) => range !== undefined);
  if (ranges.length - known.length > MAX_WITHOUT * ranges.length) return undefined;
  const unit = commonUnit(known);
  return Float64Array.from(ranges, (range) => {
    if (range === undefined || range.high === Number.POSITIVE_INFINITY) return 0;
    if (unit === undefined) return nearestOrigin(quantum, range);
    const exact = multipleIn(range, unit);
    return nearestOrigin(quantum, { low: exact, high: exact });
  });
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
