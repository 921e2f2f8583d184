import type { Core } from '../../core/load.js';
import { loadStoreKernels, type StoreKernels } from '../../core/store-kernels.js';
import { FormatError, unusable } from '../../errors.js';
import {
  type BlockShape,
  Fault,
  Flag,
  HEAD_BYTES,
  INTEGERS_HEAD_BYTES,
  Kind,
  MAX_LENGTH,
  MAX_VALUES,
  VERSION,
} from './block-format.js';
import { BlockEncoder } from './encode-block.js';
import { type FieldGrid, fieldGridBytes } from './field-grid.js';

/** A grid of fields in the memory of a codec's core, for the blocks that need it. */
export interface HeldFields extends BlockShape {
  readonly grid: FieldGrid;
  /** What blocks know it by. */
  readonly checksum: number;
  readonly address: number;
}

/** What a block is encoded with. */
export interface BlockOptions {
  /**
   * The quantum that values are rounded to, in their unit: each is at most half of it from what it was. By default
   * every bit is kept.
   */
  readonly precision?: number;
  /** The grid of the fields that the values are of: the block can be decoded with this grid alone. */
  readonly fields?: HeldFields;
}

/** Bytes behind a block that kernels read, and behind each part of the scratch. */
const SLACK = 64;

/**
 * Encodes and decodes blocks: all values of a variable at one place, which a store keeps. Blocks are decoded by a kernel
 * in the memory of a core, where statistics take them. Of that memory it takes some kilobytes when it is opened, and
 * scratch while it works.
 */
export class BlockCodec {
  readonly #core: Core;
  readonly #kernels: StoreKernels;
  readonly #tables: number;
  readonly #encoder = new BlockEncoder();

  /** See `openBlockCodec`. */
  constructor(core: Core, kernels: StoreKernels) {
    this.#core = core;
    this.#kernels = kernels;
    this.#tables = core.memory.allocate(kernels.tableBytes());
    kernels.fillTables(this.#tables);
  }

  /**
   * The bytes of a block of values, member after member; NaN is missing. Every bit is kept, or with `precision` no
   * value is further from what it was than half of that, and the last place of float32. Throws OptionError for values
   * that do not have the shape, and for a precision that is not positive.
   */
  encode(values: Float32Array, shape: BlockShape, { precision, fields }: BlockOptions = {}): Uint8Array<ArrayBuffer> {
    if (precision !== undefined && !(precision > 0 && precision < Number.POSITIVE_INFINITY))
      throw unusable('precision', precision, 'a positive number, in the unit of the values');
    if (fields !== undefined && !isSameShape(fields, shape)) throw otherShape('fields', fields, shape);
    const block = this.#encoder.encode(values, shape, {
      precision,
      fields: fields?.grid,
      fieldsChecksum: fields?.checksum,
    });
    new DataView(block.buffer).setUint32(0, this.#checksum(block.subarray(4)), true);
    return block;
  }

  /**
   * Decodes a block to `into`, which is best a view of the core's memory: then nothing is copied. Throws FormatError for
   * bytes that are damaged, of a newer version, of another shape or for another grid of fields; `into` may hold anything
   * then. Scratch may make the memory grow, which detaches views, also `into`: what was decoded is at its address.
   */
  decode(block: Uint8Array, shape: BlockShape, into: Float32Array, fields?: HeldFields): void {
    const { members, days } = shape;
    assertShape(shape);
    if (into.length !== members * days) throw unusable('values of a block', into.length, `${members * days} values`);
    if (fields !== undefined && !isSameShape(fields, shape)) throw otherShape('fields', fields, shape);
    const { memory } = this.#core;
    // The memory may grow when scratch is taken, which detaches views, but addresses stay.
    const address = memory.holds(into.buffer) ? into.byteOffset : undefined;
    const mark = memory.mark();
    try {
      const bytes = memory.scratch(block.length + SLACK);
      const scratch = memory.scratch(scratchBytes(shape));
      const out = address ?? memory.scratch(into.byteLength + SLACK);
      memory.bytes(bytes, block.length).set(block);
      const { decodeBlock } = this.#kernels;
      const tables = this.#tables;
      const fault = decodeBlock(tables, bytes, block.length, members, days, fields?.address ?? 0, scratch, out);
      if (fault !== 0) throw faultOf(fault, block, shape);
      if (address === undefined) into.set(memory.float32(out, into.length));
    } finally {
      memory.release(mark);
    }
  }

  /** Holds a grid of fields in the core's memory, until what was taken since is released there. */
  hold(grid: FieldGrid): HeldFields {
    const { members, days, quantum, origin } = grid;
    assertShape(grid);
    const { memory } = this.#core;
    const stride = strideOf(members);
    const address = memory.allocate(16 + 8 * stride * days + SLACK);
    const checksum = this.#checksum(fieldGridBytes(grid));
    const head = memory.float64(address, 1);
    head[0] = quantum;
    memory.int32(address + 8, 2).set([checksum, 0]);
    const rows = memory.float64(address + 16, stride * days);
    rows.fill(0);
    for (let m = 0, i = 0; m < members; m++) {
      for (let day = 0; day < days; day++, i++) rows[day * stride + m] = origin[i];
    }
    return { grid, members, days, checksum, address };
  }

  #checksum(bytes: Uint8Array): number {
    const { memory } = this.#core;
    const mark = memory.mark();
    try {
      const address = memory.scratch(bytes.length);
      memory.bytes(address, bytes.length).set(bytes);
      return this.#kernels.blockChecksum(address, bytes.length) >>> 0;
    } finally {
      memory.release(mark);
    }
  }
}

/** What the head of a block says of it. */
export interface BlockHead extends BlockShape {
  /** The quantum that its values were rounded to; undefined where every bit was kept. */
  readonly precision?: number;
}

/** Reads the head of a block, whose checksum is not looked at. Throws FormatError where it is not one. */
export function readBlockHead(block: Uint8Array): BlockHead {
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  const isRounded = block[5] === Kind.grid && (block[6] & Flag.rounded) !== 0;
  const isShort = block.length < (isRounded ? INTEGERS_HEAD_BYTES + 8 : HEAD_BYTES);
  if (isShort || block[4] !== VERSION)
    throw faultOf(isShort ? Fault.invalid : Fault.version, block, { members: 0, days: 0 });
  const shape = { members: view.getUint16(8, true), days: view.getUint16(10, true) };
  return isRounded ? { ...shape, precision: view.getFloat64(INTEGERS_HEAD_BYTES, true) } : shape;
}

/** Opens a codec on the memory of a core. Throws CoreError where the runtime has no WebAssembly SIMD. */
export async function openBlockCodec(core: Core): Promise<BlockCodec> {
  return new BlockCodec(core, await loadStoreKernels(core));
}

function strideOf(members: number): number {
  return members === 1 ? 1 : (members + 3) & ~3;
}

/** assembly/store/block.ts draws the scratch. */
function scratchBytes({ members, days }: BlockShape): number {
  return 4 * (strideOf(members) * days + 2 * days + 2 * members * days) + 5 * SLACK;
}

function assertShape({ members, days }: BlockShape): void {
  const isLength = (length: number) => Number.isInteger(length) && length >= 1 && length <= MAX_LENGTH;
  if (isLength(members) && isLength(days) && members * days <= MAX_VALUES) return;
  const allowed = `1 to ${MAX_LENGTH} each, and at most ${MAX_VALUES} values`;
  throw unusable('members and days of a block', [members, days], allowed);
}

function isSameShape(a: BlockShape, b: BlockShape): boolean {
  return a.members === b.members && a.days === b.days;
}

function otherShape(subject: string, { members, days }: BlockShape, allowed: BlockShape) {
  return unusable(subject, [members, days], `${allowed.members} members and ${allowed.days} days`);
}

function faultOf(fault: number, block: Uint8Array, { members, days }: BlockShape): FormatError {
  const subject = 'block of values';
  if (fault === Fault.version)
    return new FormatError({ subject, problem: 'has another version', received: block[4], allowed: '1' });
  if (fault === Fault.shape) {
    const view = new DataView(block.buffer, block.byteOffset, block.length);
    const received = [view.getUint16(8, true), view.getUint16(10, true)];
    return new FormatError({
      subject,
      problem: 'has other members and days',
      received,
      allowed: `${members} members and ${days} days`,
    });
  }
  if (fault === Fault.fields)
    return new FormatError({ subject, problem: 'needs the grid of fields that it was encoded with' });
  const problem = fault === Fault.damaged ? 'is damaged: its checksum does not match' : 'is not valid';
  return new FormatError({ subject, problem, received: `${block.length} bytes` });
}
