/*
 * Encodes blocks value after value, as docs/store-format.md says: the twin of the kernels in assembly/encoder/. Bytes are
 * the same.
 */
import { type BlockShape, HEAD_BYTES, MAX_EXCEPTIONS, VERSION } from '../../src/service/blocks/block-format.js';
import type { EncodeOptions } from '../../src/service/blocks/encode-block.js';
import { type FoundGrid, findGrid } from '../../src/service/blocks/find-grid.js';

const INTEGERS_HEAD_BYTES = 22;
const EXCEPTION_BYTES = 8;
const MISSING_BITS = 0x7fc00000;
const Kind = { constant: 0, plain: 1, grid: 2, bits: 3 } as const;
const Flag = { missing: 1, sparse: 2, fields: 4, rounded: 8, origin: 16 } as const;

/** Integers of a block and how they are packed. */
interface Packed {
  readonly block: BlockIntegers;
  readonly plan: GroupPlan;
  readonly flags: number;
  readonly bytes: number;
}

/** At most this share of the values may be exceptions. */
const MAX_EXCEPTION_SHARE = 1 / 16;
/** A grid that explains fewer of the values is looked for anew. */
const FEW_EXCEPTIONS = 1 / 256;
/** More missing values than this share are marked by a bit for each value. */
const MAX_LISTED = 1 / 64;

/**
 * Encodes blocks one after the other. It keeps the grid of the last one: the values of other places and later runs are
 * mostly on the same.
 */
export class ReferenceEncoder {
  #last: FoundGrid | undefined;

  /**
   * The bytes of a block of values, member after member; NaN is missing. Every bit is kept, or with `precision` no
   * value is further from what it was than half of that, and the last place of float32.
   */
  encode(values: Float32Array, shape: BlockShape, options: EncodeOptions = {}): Uint8Array<ArrayBuffer> {
    const bits = bitsOf(values);
    if (bits.every((pattern) => pattern === bits[0])) return constantBlock(bits[0], shape);
    const packed = this.#pack(values, shape, options);
    const plainBytes = HEAD_BYTES + values.byteLength;
    return packed !== undefined && packed.bytes < plainBytes
      ? integersBlock(bits, shape, packed)
      : plainBlock(values, shape);
  }

  #pack(values: Float32Array, shape: BlockShape, { precision, fields }: EncodeOptions): Packed | undefined {
    const most = Math.min(MAX_EXCEPTIONS, Math.floor(MAX_EXCEPTION_SHARE * values.length) + 1);
    const few = Math.floor(FEW_EXCEPTIONS * values.length) + 1;
    const onGrid = (grid: Grid | undefined, flags: number): Packed | undefined => {
      const block = grid && gridIntegers(values, shape, grid, most, (flags & Flag.rounded) !== 0);
      return block && pack(block, shape, flags);
    };
    if (precision !== undefined) {
      const rounded = onGrid({ quantum: precision, origin: 0 }, Flag.rounded);
      if (rounded !== undefined) return rounded;
    }
    const ofFields = onGrid(fields, Flag.fields);
    if (ofFields !== undefined && ofFields.block.exceptions.length <= few) return ofFields;
    let own = onGrid(this.#last, 0);
    if (own === undefined || own.block.exceptions.length > few || haveCommonFactor(own.block.integers)) {
      const found = findGrid(values);
      const other = onGrid(found, 0);
      if (other !== undefined && (own === undefined || other.bytes < own.bytes)) {
        own = other;
        this.#last = found;
      }
    }
    const floats = own === undefined ? bitIntegers(values, shape, most) : undefined;
    const all = [ofFields, own, floats && pack(floats, shape, 0)].filter((each) => each !== undefined);
    return all.length === 0 ? undefined : all.reduce((best, each) => (each.bytes < best.bytes ? each : best));
  }
}

/** Whether all differences are multiples of a number above 1: then the values are on a coarser grid. */
function haveCommonFactor(integers: Int32Array): boolean {
  let factor = 0;
  for (let i = 1; i < integers.length && factor !== 1; i++) {
    let other = Math.abs(integers[i] - integers[0]);
    while (other !== 0) [factor, other] = [other, factor % other];
  }
  return factor > 1;
}

function pack(block: BlockIntegers, shape: BlockShape, flags: number): Packed {
  const plan = planGroups(block, shape);
  const { grid, missing, exceptions, integers } = block;
  let bytes = INTEGERS_HEAD_BYTES + planBytes(plan) + EXCEPTION_BYTES * exceptions.length;
  let all = flags | (plan.isSparse ? Flag.sparse : 0);
  if (grid !== undefined && grid.origin !== 0 && (flags & Flag.fields) === 0) all |= Flag.origin;
  if (grid !== undefined && (all & Flag.fields) === 0) bytes += all & Flag.origin ? 16 : 8;
  if (missing.length > MAX_LISTED * integers.length || missing.length + exceptions.length > MAX_EXCEPTIONS) {
    all |= Flag.missing;
    bytes += Math.ceil(integers.length / 8);
  } else {
    bytes += EXCEPTION_BYTES * missing.length;
  }
  return { block, plan, flags: all, bytes };
}

/** A block of `bytes` bytes with the part of the head that all have. */
function emptyBlock(bytes: number, kind: number, { members, days }: BlockShape) {
  const block = new Uint8Array(bytes);
  const view = new DataView(block.buffer);
  view.setUint8(0, VERSION);
  view.setUint8(1, kind);
  view.setUint16(4, members, true);
  view.setUint16(6, days, true);
  return { block, view };
}

function constantBlock(bits: number, shape: BlockShape): Uint8Array<ArrayBuffer> {
  const { block, view } = emptyBlock(HEAD_BYTES + 4, Kind.constant, shape);
  view.setUint32(HEAD_BYTES, bits, true);
  return block;
}

function plainBlock(values: Float32Array, shape: BlockShape): Uint8Array<ArrayBuffer> {
  const { block } = emptyBlock(HEAD_BYTES + values.byteLength, Kind.plain, shape);
  block.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), HEAD_BYTES);
  return block;
}

function integersBlock(
  bits: Uint32Array,
  shape: BlockShape,
  { block: { grid, integers, missing, exceptions }, plan, flags, bytes }: Packed,
): Uint8Array<ArrayBuffer> {
  const { block, view } = emptyBlock(bytes, grid === undefined ? Kind.bits : Kind.grid, shape);
  const isListed = (flags & Flag.missing) === 0;
  const listed = isListed ? [...missing, ...exceptions].sort((a, b) => a - b) : exceptions;
  view.setUint8(2, flags);
  view.setUint8(3, plan.coefficient);
  view.setUint8(8, plan.groupDays);
  view.setUint8(9, plan.minCode);
  view.setUint8(10, plan.codeBits);
  view.setUint8(11, plan.floorBits);
  view.setInt32(12, plan.base, true);
  view.setInt32(16, plan.minFloor, true);
  view.setUint16(20, listed.length, true);
  let at = INTEGERS_HEAD_BYTES;
  if (grid !== undefined && (flags & Flag.fields) === 0) {
    view.setFloat64(at, grid.quantum, true);
    at += 8;
    if (flags & Flag.origin) {
      view.setFloat64(at, grid.origin as number, true);
      at += 8;
    }
  }
  at = writeGroups(block, at, integers, shape.members, plan);
  if (!isListed) {
    for (const index of missing) block[at + (index >> 3)] |= 1 << (index & 7);
    at += Math.ceil(integers.length / 8);
  }
  for (const index of listed) {
    view.setUint32(at, index, true);
    view.setUint32(at + 4, bits[index], true);
    at += EXCEPTION_BYTES;
  }
  return block;
}

/** Writes codes, floors and groups, and returns the place behind them. */
function writeGroups(bytes: Uint8Array, at: number, integers: Int32Array, members: number, plan: GroupPlan): number {
  const { isSparse, groupDays, base, coefficient, codes, floors, minCode, codeBits, minFloor, floorBits } = plan;
  const codeWriter = new BitWriter(bytes, at);
  for (const code of codes) codeWriter.write(code - minCode, codeBits);
  const floorWriter = new BitWriter(bytes, codeWriter.end());
  for (const floor of floors) floorWriter.write(floor - minFloor, floorBits);
  const writer = new BitWriter(bytes, floorWriter.end());
  for (let g = 0, from = 0; g < codes.length; g++) {
    const to = Math.min(integers.length, from + groupDays * members);
    if (isSparse && codes[g] > 0) {
      for (let i = from; i < to; i++) writer.write(integers[i] === base ? 0 : 1, 1);
      for (let i = from; i < to; i++) {
        if (integers[i] !== base) writer.write(integers[i] - base - floors[g], codes[g] - 1);
      }
    } else if (!isSparse) {
      for (let i = from; i < to; i++) {
        const x = (integers[i] - base) | 0;
        const r = i < members ? x : residual(x, (integers[i - members] - base) | 0, coefficient);
        writer.write(r - floors[g], codes[g]);
      }
    }
    from = to;
  }
  return writer.end();
}

/** Values `origin + quantum * n`, in float64 and then rounded to float32, for integers n. */
interface Grid {
  readonly quantum: number;
  /** One for all values, or one for each, member after member. */
  readonly origin: number | Float64Array;
}

/** The values of a block as integers, and those that are none. */
interface BlockIntegers {
  /** The grid of the values; undefined where integers are float32 in the order of their bits. */
  readonly grid: Grid | undefined;
  /** An integer for each value, day after day; where a value has none, one like its neighbours. */
  readonly integers: Int32Array;
  /** The indexes, member after member, of missing values, and of values that the integers do not give. */
  readonly missing: readonly number[];
  readonly exceptions: readonly number[];
  /** The integer of the value 0, and how many there are. */
  readonly zero: number;
  readonly zeros: number;
}

/** Integers are smaller, so that sums of two of them do not overflow. */
const MAX_INTEGER = 1_073_741_824;
/** Marks a value without an integer. */
const NONE = -2_147_483_648;

/**
 * The values as integers on a grid; undefined where more than `maxExceptions` would be exceptions. With `isRounded`,
 * each value becomes the nearest on the grid; otherwise a value that is not exactly on the grid is an exception.
 */
export function gridIntegers(
  values: Float32Array,
  { members, days }: BlockShape,
  grid: Grid,
  maxExceptions: number,
  isRounded = false,
): BlockIntegers | undefined {
  const { quantum, origin } = grid;
  const isOfFields = typeof origin !== 'number';
  const perUnit = 1 / quantum;
  const integers = new Int32Array(values.length);
  const bits = bitsOf(values);
  const missing: number[] = [];
  const exceptions: number[] = [];
  let zeros = 0;
  for (let m = 0, i = 0; m < members; m++) {
    for (let day = 0, to = m; day < days; day++, i++, to += members) {
      const value = values[i];
      const start = isOfFields ? origin[i] : origin;
      const n = Math.floor((value - start) * perUnit + 0.5);
      if (n > -MAX_INTEGER && n < MAX_INTEGER) {
        const decoded = Math.fround(start + quantum * n);
        if (value === 0) zeros++;
        if (isRounded || (decoded === value && (value !== 0 || (bits[i] === 0 && Object.is(decoded, 0))))) {
          integers[to] = n;
          continue;
        }
      }
      integers[to] = NONE;
      if (bits[i] === MISSING_BITS) missing.push(i);
      else if (exceptions.push(i) > maxExceptions) return undefined;
    }
  }
  if (missing.length + exceptions.length > 0) fillGaps(integers, members);
  const zero = isOfFields ? 0 : Math.floor(-origin * perUnit + 0.5);
  return { grid, integers, missing, exceptions, zero, zeros };
}

/** The values as float32 in the order of their bits, which has one for each; undefined for too many exceptions. */
export function bitIntegers(
  values: Float32Array,
  { members, days }: BlockShape,
  maxExceptions: number,
): BlockIntegers | undefined {
  const integers = new Int32Array(values.length);
  const bits = bitsOf(values);
  const missing: number[] = [];
  const exceptions: number[] = [];
  let zeros = 0;
  for (let m = 0, i = 0; m < members; m++) {
    for (let day = 0, to = m; day < days; day++, i++, to += members) {
      const pattern = bits[i] | 0;
      if ((pattern & 0x7f800000) !== 0x7f800000) {
        integers[to] = pattern ^ ((pattern >> 31) & 0x7fffffff);
        if (pattern === 0) zeros++;
        continue;
      }
      integers[to] = NONE;
      if (bits[i] === MISSING_BITS) missing.push(i);
      else if (exceptions.push(i) > maxExceptions) return undefined;
    }
  }
  if (missing.length + exceptions.length > 0) fillGaps(integers, members);
  return { grid: undefined, integers, missing, exceptions, zero: 0, zeros };
}

/** The bits of values, which may lie anywhere. */
function bitsOf(values: Float32Array): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, values.length);
}

/** Values without an integer get that of the member before, on the first days of the next one, or of the day before. */
function fillGaps(integers: Int32Array, members: number): void {
  const first = integers.find((n) => n !== NONE) ?? 0;
  for (let row = 0; row < integers.length; row += members) {
    let near = row === 0 ? first : integers[row - members];
    for (let i = row; i < row + members; i++) {
      if (integers[i] !== NONE) {
        near = integers[i];
        break;
      }
    }
    for (let i = row; i < row + members; i++) {
      if (integers[i] === NONE) integers[i] = near;
      else near = integers[i];
    }
  }
}

/** How the integers of a block are packed: in groups of whole days, each with a width and a floor of its own. */
interface GroupPlan {
  readonly isSparse: boolean;
  readonly groupDays: number;
  /** What is subtracted from all integers first. */
  readonly base: number;
  /** Sixteenths of the day before that are subtracted then; 0 where zeros are apart. */
  readonly coefficient: number;
  /** Of each group: the width, or where zeros are apart that plus 1, and 0 for a group of zeros. */
  readonly codes: Uint8Array;
  /** The least number of each group. */
  readonly floors: Int32Array;
  readonly minCode: number;
  readonly codeBits: number;
  readonly minFloor: number;
  readonly floorBits: number;
  /** Bytes of codes, floors and groups. */
  readonly codeBytes: number;
  readonly floorBytes: number;
  readonly groupBytes: number;
}

/** Members and days of a group are about so many values. */
const GROUP_VALUES = 32;
/** The same of one member, whose blocks are long: fewer groups are decoded faster. */
const SINGLE_GROUP_VALUES = 96;
/** The most days of a group. */
const MAX_GROUP_DAYS = 255;
/** Bits of the numbers that the coefficient is fitted to. */
const FITTED_BITS = 14;
/** Zeros are tried apart where they are at least this share. */
const MIN_ZEROS = 1 / 16;

/** The plan that takes the fewest bytes. */
function planGroups(block: BlockIntegers, shape: BlockShape): GroupPlan {
  const { integers, zero, zeros } = block;
  const groupValues = shape.members === 1 ? SINGLE_GROUP_VALUES : GROUP_VALUES;
  const days = Math.min(MAX_GROUP_DAYS, Math.max(1, Math.round(groupValues / shape.members)));
  const isMostlyZero = zeros >= MIN_ZEROS * integers.length;
  const plans: GroupPlan[] = [];
  if (isMostlyZero) {
    for (const groupDays of [days, 2 * days]) plans.push(...planSparse(integers, shape, groupDays, zero));
  }
  // Where most are zeros, nothing can be predicted from the day before.
  if (!isMostlyZero || zeros < integers.length / 2) {
    const base = middle(integers);
    // Of one member, what is predicted from day to day would be computed value after value.
    const coefficients = shape.members === 1 ? [0] : [0, fitCoefficient(integers, shape.members, base), 16];
    const dense = [...new Set(coefficients)].map((c) => planDense(integers, shape, days, base, c));
    const { coefficient } = smallest(dense);
    plans.push(...dense, planDense(integers, shape, 2 * days, base, coefficient));
  }
  return smallest(plans);
}

/** The bytes of a plan. */
function planBytes({ codeBytes, floorBytes, groupBytes }: GroupPlan): number {
  return codeBytes + floorBytes + groupBytes;
}

function smallest(plans: readonly GroupPlan[]): GroupPlan {
  return plans.reduce((best, plan) => (planBytes(plan) < planBytes(best) ? plan : best));
}

/** The bits of a number without a sign. */
function bitsFor(span: number): number {
  return 32 - Math.clz32(span);
}

/** An integer near the mean. */
function middle(integers: Int32Array): number {
  let sum = 0;
  for (let i = 0; i < integers.length; i++) sum += integers[i];
  return Math.round(sum / integers.length);
}

/**
 * The sixteenths of the day before that predict a day best, where what all members of a day have in common costs
 * nothing: the floor of their group holds it. Integers keep so many bits that sums of a day are exact.
 */
function fitCoefficient(integers: Int32Array, members: number, base: number): number {
  let least = 2_147_483_647;
  let greatest = -2_147_483_648;
  for (const n of integers) {
    least = Math.min(least, (n - base) | 0);
    greatest = Math.max(greatest, (n - base) | 0);
  }
  const shift = Math.max(0, bitsFor(greatest - least) - FITTED_BITS);
  const number = (i: number) => ((integers[i] - base) | 0) >> shift;
  let products = 0;
  let squares = 0;
  for (let row = members; row < integers.length; row += members) {
    let [product, square, sum, sumBefore] = [0, 0, 0, 0];
    for (let i = row; i < row + members; i++) {
      const [own, before] = [number(i), number(i - members)];
      product += own * before;
      square += before * before;
      sum += own;
      sumBefore += before;
    }
    products += product - (sumBefore * sum) / members;
    squares += square - (sumBefore * sumBefore) / members;
  }
  return squares > 0 ? Math.max(0, Math.min(16, Math.round((16 * products) / squares))) : 0;
}

/** What is packed of a number: `x` is that number, `before` that of the day before. */
function residual(x: number, before: number, coefficient: number): number {
  return (x - (Math.imul(before, coefficient) >> 4)) | 0;
}

function planDense(
  integers: Int32Array,
  { members, days }: BlockShape,
  groupDays: number,
  base: number,
  coefficient: number,
): GroupPlan {
  const groups = Math.ceil(days / groupDays);
  const codes = new Uint8Array(groups);
  const floors = new Int32Array(groups);
  let bits = 0;
  for (let g = 0, from = 0; g < groups; g++) {
    const to = Math.min(integers.length, from + groupDays * members);
    let low = 2_147_483_647;
    let high = -2_147_483_648;
    for (let i = from; i < to; i++) {
      const x = (integers[i] - base) | 0;
      const r = i < members ? x : residual(x, (integers[i - members] - base) | 0, coefficient);
      if (r < low) low = r;
      if (r > high) high = r;
    }
    floors[g] = low;
    codes[g] = bitsFor(high - low);
    bits += codes[g] * (to - from);
    from = to;
  }
  return packedPlan({ isSparse: false, groupDays, base, coefficient, codes, floors }, bits);
}

/** Plans with zeros apart: with a floor for each group, and with one for all. */
function planSparse(integers: Int32Array, { members, days }: BlockShape, groupDays: number, base: number): GroupPlan[] {
  if (groupDays > MAX_GROUP_DAYS) return [];
  const groups = Math.ceil(days / groupDays);
  const lows = new Int32Array(groups);
  const highs = new Int32Array(groups);
  const counts = new Int32Array(groups);
  const sizes = new Int32Array(groups);
  let least = 2_147_483_647;
  for (let g = 0, from = 0; g < groups; g++) {
    const to = Math.min(integers.length, from + groupDays * members);
    let low = 2_147_483_647;
    let high = -2_147_483_648;
    let count = 0;
    for (let i = from; i < to; i++) {
      const x = (integers[i] - base) | 0;
      if (x === 0) continue;
      count++;
      if (x < low) low = x;
      if (x > high) high = x;
    }
    lows[g] = low;
    highs[g] = high;
    counts[g] = count;
    sizes[g] = to - from;
    if (low < least) least = low;
    from = to;
  }
  if (least === 2_147_483_647) least = 0;
  return [true, false].map((hasOneFloor) => {
    const codes = new Uint8Array(groups);
    const floors = new Int32Array(groups).fill(least);
    let bits = 0;
    for (let g = 0; g < groups; g++) {
      if (counts[g] === 0) continue;
      if (!hasOneFloor) floors[g] = lows[g];
      const width = bitsFor(highs[g] - floors[g]);
      codes[g] = width + 1;
      bits += sizes[g] + counts[g] * width;
    }
    return packedPlan({ isSparse: true, groupDays, base, coefficient: 0, codes, floors }, bits);
  });
}

function packedPlan(
  plan: Pick<GroupPlan, 'isSparse' | 'groupDays' | 'base' | 'coefficient' | 'codes' | 'floors'>,
  bits: number,
): GroupPlan {
  const { codes, floors } = plan;
  let [minCode, maxCode] = [255, 0];
  let [minFloor, maxFloor] = [2_147_483_647, -2_147_483_648];
  for (let g = 0; g < codes.length; g++) {
    if (codes[g] < minCode) minCode = codes[g];
    if (codes[g] > maxCode) maxCode = codes[g];
    if (floors[g] < minFloor) minFloor = floors[g];
    if (floors[g] > maxFloor) maxFloor = floors[g];
  }
  const codeBits = bitsFor(maxCode - minCode);
  const floorBits = bitsFor(maxFloor - minFloor);
  const bytes = (count: number) => Math.ceil(count / 8);
  return {
    ...plan,
    ...{ minCode, codeBits, minFloor, floorBits },
    codeBytes: bytes(codes.length * codeBits),
    floorBytes: bytes(codes.length * floorBits),
    groupBytes: bytes(bits),
  };
}

/** Writes numbers of 0 to 32 bits into bytes, the lowest bit first. */
class BitWriter {
  readonly #bytes: Uint8Array;
  #at: number;
  /** Bits that are not written yet, and their number: fewer than 32. */
  #bits = 0;
  #count = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Writes a number that is less than 2 to the power of `width`, as int32 or uint32. */
  write(value: number, width: number): void {
    this.#bits |= value << this.#count;
    const count = this.#count + width;
    if (count < 32) {
      this.#count = count;
      return;
    }
    const bytes = this.#bytes;
    const bits = this.#bits;
    bytes[this.#at] = bits;
    bytes[this.#at + 1] = bits >>> 8;
    bytes[this.#at + 2] = bits >>> 16;
    bytes[this.#at + 3] = bits >>> 24;
    this.#at += 4;
    // A shift by 32 would be none.
    this.#bits = this.#count === 0 ? 0 : value >>> (32 - this.#count);
    this.#count = count - 32;
  }

  /** Writes the bits that are left, fills the last byte with zeros, and returns the place behind it. */
  end(): number {
    for (; this.#count > 0; this.#count -= 8, this.#bits >>>= 8) this.#bytes[this.#at++] = this.#bits;
    this.#count = 0;
    this.#bits = 0;
    return this.#at;
  }
}
