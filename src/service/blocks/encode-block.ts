import { type EncoderKernels, giveEncoderKernels, takeEncoderKernels } from '../../core/encoder-kernels.js';
import { unusable } from '../../errors.js';
import { type BlockShape, HEAD_BYTES, isBlockShape, MAX_EXCEPTIONS, MAX_LENGTH, MAX_VALUES } from './block-format.js';
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

/** Where the values of a block become integers: on a grid, or as the bits of floats. */
interface Packing {
  readonly grid: FoundGrid | FieldGrid | undefined;
  readonly isRounded: boolean;
  /** Of the block. */
  readonly bytes: number;
  readonly exceptions: number;
}

/** Addresses in the memory of the kernels, for blocks of a shape. */
interface Layout extends BlockShape {
  readonly values: number;
  readonly origins: number;
  readonly work: number;
  readonly out: number;
  readonly input: Float32Array<ArrayBuffer>;
}

/** At most this share of the values may be exceptions. */
const MAX_EXCEPTION_SHARE = 1 / 16;
/** A grid that explains fewer of the values is looked for anew. */
const FEW_EXCEPTIONS = 1 / 256;
/** Kernels read and write so many bytes behind each part of the memory. */
const SLACK = 64;

/**
 * Encodes blocks one after the other, by kernels in memory of their own. It keeps the grid of the last block: the values
 * of other places and later runs are mostly on the same.
 */
export class BlockEncoder {
  readonly #tools: EncoderKernels;
  readonly #start: number;
  #reserved = 0;
  #layout: Layout | undefined;
  /** The grid whose origins the memory holds. */
  #held: FieldGrid | undefined;
  #last: FoundGrid | undefined;
  /** What the work of the kernels holds. */
  #planned: Packing | undefined;

  private constructor(tools: EncoderKernels) {
    this.#tools = tools;
    this.#start = tools.memory.mark();
  }

  /** Throws CoreError where the runtime has no WebAssembly SIMD. `end` frees what it takes. */
  static async load(): Promise<BlockEncoder> {
    return new BlockEncoder(await takeEncoderKernels());
  }

  /** Gives the kernels to the next encoder: this one must not be used any more. */
  end(): void {
    giveEncoderKernels(this.#tools);
  }

  /**
   * The bytes of a block of values, member after member; NaN is missing. They are valid until the next call. Every bit is
   * kept, or with `precision` no value is further from what it was than half of that, and the last place of float32.
   * Throws OptionError for values that do not have the shape.
   */
  encode(values: Float32Array, shape: BlockShape, options: EncodeOptions = {}): Uint8Array<ArrayBuffer> {
    assertShapeOf(values, shape);
    const { members, days } = shape;
    const { precision, fields } = options;
    if (precision !== undefined && !(precision > 0 && precision < Number.POSITIVE_INFINITY))
      throw unusable('precision', precision, 'a positive number, in the unit of the values');
    if (fields !== undefined && (fields.members !== members || fields.days !== days)) {
      throw unusable('fields', [fields.members, fields.days], `${members} members and ${days} days`);
    }
    const layout = this.#layOut(shape);
    layout.input.set(values);
    const { kernels, memory } = this.#tools;
    const constant = kernels.writeConstant(layout.values, members, days, layout.out);
    if (constant > 0) return memory.bytes(layout.out, constant);
    const packing = this.#pack(values, layout, options);
    if (packing !== undefined && packing.bytes < HEAD_BYTES + values.byteLength) {
      kernels.writePacked(layout.values, members, days, layout.work, layout.out);
      return memory.bytes(layout.out, packing.bytes);
    }
    return memory.bytes(layout.out, kernels.writePlain(layout.values, members, days, layout.out));
  }

  /** Plans the smallest block, unless too many values would be exceptions of each. */
  #pack(values: Float32Array, layout: Layout, { precision, fields }: EncodeOptions): Packing | undefined {
    const { members, days, work } = layout;
    const few = Math.floor(FEW_EXCEPTIONS * values.length) + 1;
    if (precision !== undefined) {
      const rounded = this.#plan(layout, { quantum: precision, origin: 0 }, true);
      if (rounded !== undefined) return rounded;
    }
    const ofFields = fields && this.#plan(layout, fields);
    if (ofFields !== undefined && ofFields.exceptions <= few) return ofFields;
    let own = this.#last && this.#plan(layout, this.#last);
    if (own === undefined || own.exceptions > few || this.#tools.kernels.haveCommonFactor(members, days, work)) {
      const found = findGrid(values);
      const other = found && this.#plan(layout, found);
      if (other !== undefined && (own === undefined || other.bytes < own.bytes)) {
        own = other;
        this.#last = found;
      }
    }
    const floats = own === undefined ? this.#plan(layout, undefined) : undefined;
    const all = [ofFields, own, floats].filter((each) => each !== undefined);
    if (all.length === 0) return undefined;
    const best = all.reduce((least, each) => (each.bytes < least.bytes ? each : least));
    return best === this.#planned ? best : this.#plan(layout, best.grid, best.isRounded);
  }

  /**
   * Plans a block on a grid, or without one of the bits of floats; undefined where too many values would be exceptions.
   * The work of the kernels holds it until the next call.
   */
  #plan(layout: Layout, grid: Packing['grid'], isRounded = false): Packing | undefined {
    const { values, members, days, work } = layout;
    const { kernels } = this.#tools;
    const most = Math.min(MAX_EXCEPTIONS, Math.floor(MAX_EXCEPTION_SHARE * members * days) + 1);
    let bytes: number;
    if (grid === undefined) {
      bytes = kernels.packBits(values, members, days, most, work);
    } else {
      const fields = 'members' in grid ? this.#hold(grid, layout) : 0;
      const origin = 'members' in grid ? 0 : grid.origin;
      bytes = kernels.packGrid(values, members, days, grid.quantum, origin, fields, isRounded, most, work);
    }
    const exceptions = kernels.exceptionCount(work);
    this.#planned = bytes === 0 ? undefined : { grid, isRounded, bytes, exceptions };
    return this.#planned;
  }

  /** The address of the origins of a grid. */
  #hold(grid: FieldGrid, { origins }: Layout): number {
    if (this.#held !== grid) {
      this.#tools.memory.float64(origins, grid.origin.length).set(grid.origin);
      this.#held = grid;
    }
    return origins;
  }

  /** The memory for blocks of a shape; it grows, and never shrinks. */
  #layOut({ members, days }: BlockShape): Layout {
    const before = this.#layout;
    if (before !== undefined && before.members === members && before.days === days) return before;
    const { memory, kernels } = this.#tools;
    const count = members * days;
    const sizes = [4 * count, 8 * count, kernels.workBytes(members, days), HEAD_BYTES + 4 * count];
    const places: number[] = [];
    let bytes = 0;
    for (const size of sizes) {
      places.push(this.#start + bytes);
      bytes += Math.ceil((size + SLACK) / SLACK) * SLACK;
    }
    if (bytes > this.#reserved) {
      memory.release(this.#start);
      memory.allocate(bytes);
      this.#reserved = bytes;
    }
    const [values, origins, work, out] = places;
    this.#held = undefined;
    this.#layout = { members, days, values, origins, work, out, input: memory.float32(values, count) };
    return this.#layout;
  }
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
