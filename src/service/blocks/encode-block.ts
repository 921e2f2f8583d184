import { unusable } from '../../errors.js';
import { BitWriter } from './bit-writer.js';
import {
  type BlockShape,
  EXCEPTION_BYTES,
  Flag,
  HEAD_BYTES,
  INTEGERS_HEAD_BYTES,
  isBlockShape,
  Kind,
  MAX_EXCEPTIONS,
  MAX_LENGTH,
  MAX_VALUES,
  VERSION,
} from './block-format.js';
import { type BlockIntegers, bitIntegers, bitsOf, type Grid, gridIntegers } from './block-integers.js';
import { type GroupPlan, planBytes, planGroups, residual } from './block-plan.js';
import type { FieldGrid } from './field-grid.js';
import { type FoundGrid, findGrid } from './find-grid.js';

/** How a block is encoded. */
export interface EncodeOptions {
  /**
   * The quantum that values are rounded to, in their unit: each is at most half of it from what it was. By default
   * every bit is kept.
   */
  readonly precision?: number;
  /** The grid of the fields that the values are of: the block can be decoded with this grid alone. */
  readonly fields?: FieldGrid;
}

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
export class BlockEncoder {
  #last: FoundGrid | undefined;

  /**
   * The bytes of a block of values, member after member; NaN is missing. Every bit is kept, or with `precision` no
   * value is further from what it was than half of that, and the last place of float32. Throws OptionError for values
   * that do not have the shape.
   */
  encode(values: Float32Array, shape: BlockShape, options: EncodeOptions = {}): Uint8Array<ArrayBuffer> {
    assertShapeOf(values, shape);
    const { precision, fields } = options;
    if (precision !== undefined && !(precision > 0 && precision < Number.POSITIVE_INFINITY))
      throw unusable('precision', precision, 'a positive number, in the unit of the values');
    if (fields !== undefined && (fields.members !== shape.members || fields.days !== shape.days)) {
      const allowed = `${shape.members} members and ${shape.days} days`;
      throw unusable('fields', [fields.members, fields.days], allowed);
    }
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

function assertShapeOf(values: Float32Array, shape: BlockShape): void {
  const { members, days } = shape;
  if (!isBlockShape(shape)) {
    const allowed = `1 to ${MAX_LENGTH} each, and at most ${MAX_VALUES} values`;
    throw unusable('members and days of a block', [members, days], allowed);
  }
  if (values.length === members * days) return;
  throw unusable('values of a block', `${values.length} values`, `${members} members x ${days} days`);
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
