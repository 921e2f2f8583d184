import { FormatError } from '../../errors.js';
import type { BlockMemory } from '../blocks/block-memory.js';
import { type FieldGrid, fieldGridSize, readFieldGrid } from '../blocks/field-grid.js';
import { blockBytes, type FileCodec } from './block-codec.js';
import {
  BLOCK_MAGIC,
  DIGEST_BYTES,
  digestOf,
  NO_PLACE,
  parseFooter,
  type SeriesHead,
  storedBytes,
  TAIL_BYTES,
} from './block-file.js';
import type { StoreAccess } from './store-access.js';

/** The values of one variable, place by place. */
export interface SeriesReader {
  /** Fills `into` with the values of a cell. Throws, or rejects with, FileError or FormatError. */
  read(cell: number, into: Float32Array<ArrayBuffer>): void | Promise<void>;
  /** Like `read`, at once; false where that is not possible now. */
  readNow(cell: number, into: Float32Array<ArrayBuffer>): boolean;
}

/** What is expected of a file of blocks. */
export interface BlocksEntry {
  readonly name: string;
  /** Its size, where it is known. */
  readonly bytes?: number | undefined;
  readonly head: SeriesHead;
  readonly places: number;
}

/** Where the block of a place lies. */
interface Span {
  readonly at: number;
  readonly bytes: number;
}

/** The last bytes of a file are read together: what it says of its blocks, where they are not many. */
const ENDING_BYTES = 65_536;

/** So many lengths of blocks are added up at most to find one. */
const STEP = 64;

/** Where blocks of different lengths lie. */
class BlockLengths {
  /** A global store has millions: mostly two bytes are enough for each. */
  readonly #lengths: Uint16Array | Uint32Array;
  /** Where every so many blocks begin. */
  readonly #starts: Float64Array;
  readonly end: number;

  constructor(lengths: Uint32Array) {
    this.#lengths = lengths.every((length) => length < 65_536) ? Uint16Array.from(lengths) : lengths;
    this.#starts = new Float64Array(Math.ceil(lengths.length / STEP));
    let at = BLOCK_MAGIC.length;
    for (let place = 0; place < lengths.length; place++) {
      if (place % STEP === 0) this.#starts[place / STEP] = at;
      at += storedBytes(lengths[place]);
    }
    this.end = at;
  }

  spanOf(place: number): Span {
    const first = place - (place % STEP);
    let at = this.#starts[first / STEP];
    for (let before = first; before < place; before++) at += storedBytes(this.#lengths[before]);
    return { at, bytes: this.#lengths[place] };
  }
}

/** The file of one variable: each block is checked against its digest when it is read. */
export class BlockSeries implements SeriesReader {
  readonly #access: StoreAccess;
  readonly #entry: BlocksEntry;
  readonly #memory: BlockMemory;
  readonly #codec: FileCodec;
  /** The length of every block, or of each. */
  readonly #lengths: number | BlockLengths;
  readonly #path: string;

  private constructor(
    access: StoreAccess,
    entry: BlocksEntry,
    memory: BlockMemory,
    codec: FileCodec,
    lengths: number | BlockLengths,
  ) {
    this.#access = access;
    this.#entry = entry;
    this.#memory = memory;
    this.#codec = codec;
    this.#lengths = lengths;
    this.#path = access.describe(entry.name);
  }

  /** Reads the ending of a file. Rejects with FileError or FormatError. */
  static async open(access: StoreAccess, entry: BlocksEntry, memory: BlockMemory): Promise<BlockSeries> {
    const { name, head, places } = entry;
    const path = access.describe(name);
    const size = entry.bytes ?? (await access.list(name))[0]?.bytes ?? 0;
    const reject = (problem: string) =>
      new FormatError({ subject: path, problem, allowed: 'a complete file of blocks, as it was written' });
    const endingAt = Math.max(0, size - ENDING_BYTES);
    // What is not there, or not a file, has an error of its own.
    const [magic, ending] = await Promise.all([
      read(access, name, 0, Math.min(size, BLOCK_MAGIC.length) || 1),
      read(access, name, endingAt, size - endingAt),
    ]);
    const readEnd = async (at: number, length: number) =>
      at < endingAt ? read(access, name, at, length) : ending.slice(at - endingAt, at - endingAt + length);
    if (size < BLOCK_MAGIC.length + TAIL_BYTES) throw reject('is cut short');
    if (!isMagic(magic)) throw reject('is not a file of blocks');
    const tail = await readEnd(size - TAIL_BYTES, TAIL_BYTES);
    if (!isMagic(tail.subarray(8))) throw reject('is cut short');
    const view = new DataView(tail.buffer);
    const length = view.getUint32(0, true);
    const footerAt = size - TAIL_BYTES - length;
    if (footerAt < BLOCK_MAGIC.length) throw reject('is cut short');
    const footer = await readEnd(footerAt, length);
    if (digestOf(memory, footer, NO_PLACE) !== view.getUint32(4, true)) throw reject('is damaged in its footer');
    const { hasFields, ...codec } = parseFooter(new TextDecoder().decode(footer), head, places, path);
    let end = footerAt;
    /** The bytes before what was read last. */
    const readBefore = async (length: number, what: string) => {
      end -= length + DIGEST_BYTES;
      if (end < BLOCK_MAGIC.length) throw reject('is cut short');
      const bytes = await readEnd(end, length + DIGEST_BYTES);
      const expected = new DataView(bytes.buffer).getUint32(length, true);
      const content = bytes.subarray(0, length);
      if (digestOf(memory, content, NO_PLACE) !== expected) throw reject(`is damaged in ${what}`);
      return content;
    };
    let lengths: number | BlockLengths | undefined = blockBytes(codec.name, head.axis);
    if (lengths === undefined) {
      const index = await readBefore(4 * places, 'the lengths of its blocks');
      lengths = new BlockLengths(new Uint32Array(index.buffer, 0, places));
    }
    let fields: FieldGrid | undefined;
    if (hasFields) {
      fields = readFieldGrid(await readBefore(fieldGridSize(head.axis), 'its grid of fields'), head.axis);
    }
    const blocksEnd = typeof lengths === 'number' ? BLOCK_MAGIC.length + places * storedBytes(lengths) : lengths.end;
    if (blocksEnd !== end) throw reject('has other blocks than its footer says');
    return new BlockSeries(access, entry, memory, { ...codec, fields }, lengths);
  }

  readNow(cell: number, into: Float32Array<ArrayBuffer>): boolean {
    const span = this.#spanOf(cell);
    const stored = this.#memory.buffer(storedBytes(span.bytes));
    if (!this.#access.getNow?.(this.#entry.name, span.at, stored)) return false;
    this.#decode(stored, span, cell, into);
    return true;
  }

  read(cell: number, into: Float32Array<ArrayBuffer>): void | Promise<void> {
    if (!this.readNow(cell, into)) return this.#readLater(cell, into);
  }

  async #readLater(cell: number, into: Float32Array<ArrayBuffer>): Promise<void> {
    const span = this.#spanOf(cell);
    const stored = await read(this.#access, this.#entry.name, span.at, storedBytes(span.bytes));
    const buffer = this.#memory.buffer(stored.length);
    buffer.set(stored);
    this.#decode(buffer, span, cell, into);
  }

  #spanOf(cell: number): Span {
    const lengths = this.#lengths;
    if (typeof lengths !== 'number') return lengths.spanOf(cell);
    return { at: BLOCK_MAGIC.length + cell * storedBytes(lengths), bytes: lengths };
  }

  /** Checks and decodes a block that lies in the buffer. */
  #decode(stored: Uint8Array<ArrayBuffer>, { bytes }: Span, cell: number, into: Float32Array<ArrayBuffer>): void {
    const at = stored.length - DIGEST_BYTES;
    const expected = (stored[at] | (stored[at + 1] << 8) | (stored[at + 2] << 16) | (stored[at + 3] << 24)) >>> 0;
    if (this.#memory.digest(at, cell) !== expected) throw this.#damage(cell);
    const { name, fields } = this.#codec;
    if (name === 'packed') this.#memory.decode(bytes, this.#entry.head.axis, into, { fields, file: this.#path });
    else into.set(new Float32Array(stored.buffer, stored.byteOffset, into.length));
  }

  #damage(cell: number): FormatError {
    const { at, bytes } = this.#spanOf(cell);
    // A file that is repaired is another file.
    this.#access.doubt?.(this.#entry.name);
    return new FormatError({
      subject: this.#path,
      problem: `is damaged at place ${cell}, in the ${storedBytes(bytes)} bytes from ${at} on: their checksum differs`,
      allowed: 'the file as it was written: plumecast store check finds all damage, store rollback leaves it',
    });
  }
}

async function read(access: StoreAccess, name: string, at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  await access.get(name, at, bytes);
  return bytes;
}

function isMagic(bytes: Uint8Array): boolean {
  return bytes.length === BLOCK_MAGIC.length && BLOCK_MAGIC.every((byte, i) => bytes[i] === byte);
}
