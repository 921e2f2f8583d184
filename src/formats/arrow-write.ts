import { AsyncByteQueue, type RecordBatch, RecordBatchFileWriter, type Schema } from 'apache-arrow';
import { DictionaryKeeper } from './dictionary-keeper.js';
import type { TableEncoder } from './table-encoder.js';

/** Writes an uncompressed Arrow IPC file, a record batch for each one that has rows. */
export class ArrowEncoder implements TableEncoder {
  readonly #pieces = new Pieces();
  readonly #writer = new RecordBatchFileWriter();
  readonly #dictionaries: DictionaryKeeper;

  constructor(schema: Schema) {
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

/** A sink that can be emptied at any time: Arrow's own can only be read to its end. */
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
