import { loadStoreKernels } from '../../core/store-kernels.js';
import { FormatError, unusable } from '../../errors.js';
import { type BlockShape, Fault, VERSION } from './block-format.js';
import type { FieldGrid } from './field-grid.js';

type StoreCore = Awaited<ReturnType<typeof loadStoreKernels>>;

/** Digests are made of so many bytes at a time; zeros fill the last ones. */
const STRIPE = 64;
/** Bytes behind a block that kernels read, and behind each part of the scratch. */
const SLACK = 64;
/** Grids of fields take at most so many bytes; then all are given up, and held again when they are needed. */
const MAX_HELD_BYTES = 33_554_432;

/**
 * Where blocks are read to, checked and decoded: memory of a module of its own. It holds the grids of fields that blocks
 * were decoded with.
 *
 *   tables | the bytes of a block | scratch and values | grids of fields
 */
export class BlockMemory {
  readonly #core: StoreCore;
  readonly #tables: number;
  readonly #blockAt: number;
  #blockBytes = 0;
  #block: Uint8Array<ArrayBuffer> | undefined;
  /** The view of the block that was returned last. */
  #view: Uint8Array<ArrayBuffer> | undefined;
  #workAt = 0;
  #workBytes = 0;
  #values: Float32Array<ArrayBuffer> | undefined;
  readonly #held = new Map<FieldGrid, number>();
  #fieldsAt = 0;

  private constructor(core: StoreCore) {
    this.#core = core;
    const { memory, kernels } = core;
    this.#tables = memory.allocate(kernels.tableBytes());
    kernels.fillTables(this.#tables);
    this.#blockAt = memory.mark();
  }

  /** Throws CoreError where the runtime has no WebAssembly SIMD. */
  static async load(): Promise<BlockMemory> {
    return new BlockMemory(await loadStoreKernels());
  }

  /** The memory for a block of `length` bytes, valid until the next call; its content is not cleared. */
  buffer(length: number): Uint8Array<ArrayBuffer> {
    const { memory } = this.#core;
    if (this.#block === undefined || length > this.#blockBytes) {
      this.#blockBytes = Math.ceil((length + 1) / STRIPE) * STRIPE;
      memory.release(this.#blockAt);
      memory.allocate(this.#blockBytes + SLACK);
      this.#workBytes = 0;
      this.#releaseFields();
      this.#block = undefined;
    }
    // Views become empty when the memory grows.
    if (this.#block === undefined || this.#block.length === 0) {
      this.#block = memory.bytes(this.#blockAt, this.#blockBytes);
    }
    // Many blocks have the length of the one before: a view takes as long to make as the digest.
    if (this.#view?.length !== length || this.#view.buffer !== this.#block.buffer) {
      this.#view = this.#block.subarray(0, length);
    }
    return this.#view;
  }

  /**
   * The digest of the first `length` bytes of the buffer, which belong to the place of this number: the block of another
   * place has another digest. The bytes behind them are cleared.
   */
  digest(length: number, place: number): number {
    const padded = Math.ceil(length / STRIPE) * STRIPE;
    if (padded > length) this.#block?.fill(0, length, padded);
    // The length is part of the seed: zeros at the end count.
    return this.#core.kernels.digestBytes(this.#blockAt, padded, Math.imul(place + 1, 0x9e3779b1) ^ length) >>> 0;
  }

  /**
   * Decodes the block of `length` bytes in the buffer: its values, member after member; `into` may hold anything where it
   * throws. `fields` is the grid of fields that it was encoded with. Throws FormatError, with `file` as its subject, for
   * bytes that are not such a block.
   */
  decode(
    length: number,
    shape: BlockShape,
    into: Float32Array,
    { fields, file }: { readonly fields?: FieldGrid; readonly file: string },
  ): void {
    const { members, days } = shape;
    const count = members * days;
    if (into.length !== count) throw unusable('values of a block', into.length, `${count} values`);
    const scratch = scratchBytes(shape);
    this.#reserve(scratch + 4 * count + SLACK);
    const grid = fields === undefined ? 0 : this.#hold(fields);
    const out = this.#workAt + scratch;
    const { decodeBlock } = this.#core.kernels;
    const fault = decodeBlock(this.#tables, this.#blockAt, length, members, days, grid, this.#workAt, out);
    if (fault !== 0) throw faultOf(fault, this.buffer(length), shape, file);
    if (this.#values?.length !== count || this.#values.byteOffset !== out)
      this.#values = this.#core.memory.float32(out, count);
    into.set(this.#values);
  }

  /** Makes room for scratch and values; what the buffer holds stays. */
  #reserve(bytes: number): void {
    if (bytes <= this.#workBytes) return;
    const { memory } = this.#core;
    memory.release(this.#blockAt);
    memory.allocate(this.#blockBytes + SLACK);
    this.#workAt = memory.allocate(bytes);
    this.#workBytes = bytes;
    this.#releaseFields();
  }

  #releaseFields(): void {
    this.#held.clear();
    this.#fieldsAt = this.#core.memory.mark();
  }

  /** The address of a grid of fields. */
  #hold(fields: FieldGrid): number {
    const known = this.#held.get(fields);
    if (known !== undefined) return known;
    const { members, days, quantum, origin } = fields;
    const { memory } = this.#core;
    const stride = strideOf(members);
    const bytes = 16 + 8 * stride * days + SLACK;
    if (memory.mark() - this.#fieldsAt + bytes > MAX_HELD_BYTES) {
      memory.release(this.#fieldsAt);
      this.#releaseFields();
    }
    const address = memory.allocate(bytes);
    memory.float64(address, 1)[0] = quantum;
    const rows = memory.float64(address + 16, stride * days).fill(0);
    for (let m = 0, i = 0; m < members; m++) {
      for (let day = 0; day < days; day++, i++) rows[day * stride + m] = origin[i];
    }
    this.#held.set(fields, address);
    return address;
  }
}

function strideOf(members: number): number {
  return members === 1 ? 1 : (members + 3) & ~3;
}

/** assembly/store/block.ts draws the scratch. A multiple of 64. */
function scratchBytes({ members, days }: BlockShape): number {
  const bytes = 4 * (strideOf(members) * days + 2 * days + 2 * members * days) + 5 * SLACK;
  return Math.ceil(bytes / SLACK) * SLACK;
}

function faultOf(fault: number, block: Uint8Array, { members, days }: BlockShape, subject: string): FormatError {
  if (fault === Fault.version) {
    const allowed = `${VERSION}, or a newer release of plumecast`;
    return new FormatError({ subject, problem: 'has a block of another version', received: block[0], allowed });
  }
  if (fault === Fault.shape) {
    const view = new DataView(block.buffer, block.byteOffset, block.length);
    const received = `${view.getUint16(4, true)} members and ${view.getUint16(6, true)} days`;
    const allowed = `${members} members and ${days} days`;
    return new FormatError({ subject, problem: 'has a block of other members and days', received, allowed });
  }
  if (fault === Fault.fields)
    return new FormatError({ subject, problem: 'has a block without the grid of fields that it was encoded with' });
  return new FormatError({
    subject,
    problem: 'has a block that is not valid',
    received: `${block.length} bytes`,
    allowed: 'the file as it was written',
  });
}
