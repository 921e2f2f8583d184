import {
  AsyncByteQueue,
  type RecordBatch,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  type RecordBatchWriter,
  type Schema,
} from 'apache-arrow';
import { registerEncoder } from '../codecs/compression.js';
import type { Compression, TableEncoder } from '../format.js';
import { DictionaryKeeper } from './dictionary-keeper.js';

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
