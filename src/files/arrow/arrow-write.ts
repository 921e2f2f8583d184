import {
  AsyncByteQueue,
  type Data,
  DataType,
  Dictionary,
  Field,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  type RecordBatchWriter,
  Schema,
  type Vector,
} from 'apache-arrow';
import { OptionError } from '../../errors.js';
import { quickSchema } from '../../table/arrow/table-schema.js';
import { registerEncoder } from '../codecs/compression.js';
import type { Compression, TableEncoder } from '../format.js';

/**
 * Writes an Arrow IPC file or stream: one record batch for each that has rows. Throws PackageError if the library of a
 * codec is missing.
 */
export async function createArrowEncoder(
  schema: Schema,
  form: 'file' | 'stream',
  compression: Compression,
): Promise<TableEncoder> {
  const isCompressed = compression === 'lz4' || compression === 'zstd';
  const compressionType = isCompressed ? await registerEncoder(compression, 'Arrow') : null;
  const writer = form === 'file' ? new FileWriter({ compressionType }) : new StreamWriter({ compressionType });
  return new ArrowEncoder(schema, writer);
}

/** Writes an uncompressed Arrow IPC file, or uses another writer of apache-arrow. */
export class ArrowEncoder implements TableEncoder {
  readonly #pieces = new Pieces();
  readonly #writer: RecordBatchWriter;
  readonly #dictionaries: DictionaryKeeper;

  constructor(schema: Schema, writer: RecordBatchWriter = new RecordBatchFileWriter()) {
    this.#writer = writer;
    this.#dictionaries = new DictionaryKeeper(schema);
    this.#writer.reset(this.#pieces, this.#dictionaries.schema);
  }

  encode(batch: RecordBatch): Uint8Array[] {
    if (batch.numRows > 0) this.#writer.write(this.#dictionaries.keep(batch));
    return this.#pieces.take();
  }

  end(): Uint8Array[] {
    this.#writer.finish();
    return this.#pieces.take();
  }
}

class FileWriter extends RecordBatchFileWriter {
  protected override _compressBodyBuffers(buffers: ArrayBufferView[]) {
    return withLengths(super._compressBodyBuffers(buffers), buffers);
  }
}

class StreamWriter extends RecordBatchStreamWriter {
  protected override _compressBodyBuffers(buffers: ArrayBufferView[]) {
    return withLengths(super._compressBodyBuffers(buffers), buffers);
  }
}

/**
 * The format has the uncompressed length before each compressed buffer, and other readers rely on it; apache-arrow 21
 * writes the compressed one. Buffers come in pairs: a length, -1 for plain bytes, and the bytes.
 */
function withLengths<T extends { buffers: ArrayBufferView[] }>(body: T, plain: readonly ArrayBufferView[]): T {
  plain.forEach(({ byteLength }, index) => {
    const prefix = body.buffers[2 * index];
    if (prefix.byteLength === 0) return;
    const view = new DataView(prefix.buffer, prefix.byteOffset, prefix.byteLength);
    if (view.getBigInt64(0, true) !== -1n) view.setBigInt64(0, BigInt(byteLength), true);
  });
  return body;
}

/** A sink that can be emptied at any time: that of apache-arrow can only be read to its end. */
class Pieces extends AsyncByteQueue {
  #pieces: Uint8Array[] = [];

  override write(piece: Uint8Array): void {
    this.#pieces.push(piece);
  }

  take(): Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}

/** Makes every batch of a file use the dictionaries of the first one, as an Arrow file cannot replace them. */
export class DictionaryKeeper {
  /** The schema of the file: its dictionaries are numbered anew, so that the same content gives the same bytes. */
  readonly schema: Schema;
  readonly #kept: (Vector | undefined)[] = [];

  constructor(schema: Schema) {
    this.schema = quickSchema(numbered(schema));
  }

  /**
   * The batch with the file's schema and dictionaries. Nothing is copied.
   *
   * A dictionary may have the same entries as before, or extend the previous one with chunks of new entries. Throws an
   * OptionError that names the column if it is a different one.
   */
  keep({ data, metadata }: RecordBatch): RecordBatch {
    const children = data.children.map((child, index) => {
      if (child.dictionary === undefined) return child;
      const dictionary = this.#dictionary(index, child.dictionary);
      return dictionary === child.dictionary ? child : withDictionary(child as Data<Dictionary>, dictionary);
    });
    const struct = makeData({ type: data.type, length: data.length, nullCount: 0, children });
    // Older versions of apache-arrow take no metadata here.
    return metadata?.size ? new RecordBatch(this.schema, struct, metadata) : new RecordBatch(this.schema, struct);
  }

  #dictionary(index: number, next: Vector): Vector {
    const kept = this.#kept[index];
    if (kept === next) return kept;
    if (kept === undefined || (next.data.length > kept.data.length && begins(next, kept))) {
      this.#kept[index] = next;
      return next;
    }
    if (begins(kept, next) || haveSameEntries(kept, next)) return kept;
    throw new OptionError({
      subject: `column ${this.schema.fields[index].name}`,
      problem: 'has another dictionary than in the batches before, which an Arrow file cannot hold',
      received: `${next.length} entries after ${kept.length}`,
      allowed: 'one dictionary for all batches, or a column of type Utf8',
    });
  }
}

/**
 * apache-arrow numbers dictionaries across all tables of a thread. Those within lists and structs keep their numbers.
 */
function numbered({ fields, metadata, dictionaries }: Schema): Schema {
  const nested = new Set(dictionaries.keys());
  for (const { type } of fields) if (DataType.isDictionary(type)) nested.delete(type.id);
  let next = 0;
  const own = fields.map(({ name, type, nullable, metadata: ofField }) => {
    if (!DataType.isDictionary(type)) return new Field(name, type, nullable, ofField);
    while (nested.has(next)) next++;
    return new Field(name, new Dictionary(type.dictionary, type.indices, next++, type.isOrdered), nullable, ofField);
  });
  return new Schema(own, metadata);
}

/** Whether `longer` begins with the chunks of `shorter`. */
function begins(longer: Vector, shorter: Vector): boolean {
  return shorter.data.every((chunk, index) => chunk === longer.data[index]);
}

function haveSameEntries(one: Vector, other: Vector): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one.get(i) !== other.get(i)) return false;
  return true;
}

function withDictionary(
  { type, offset, length, nullCount, nullBitmap, values }: Data<Dictionary>,
  dictionary: Vector,
): Data<Dictionary> {
  return makeData({ type, offset, length, nullCount, nullBitmap, data: values, dictionary });
}
