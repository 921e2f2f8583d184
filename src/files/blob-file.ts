import { endsEarly } from './array/random-access.js';
import { readPieces } from './byte-source.js';
import type { PartsFile } from './parts-of-file.js';

/** A Blob, of which any bytes can be read; a file in a browser is one. Its methods throw what the Blob does. */
export class BlobFile implements PartsFile {
  readonly source: string;
  readonly size: number;
  readonly #blob: Blob;

  /** `source` is its name in messages. */
  constructor(blob: Blob, source: string) {
    this.source = source;
    this.size = blob.size;
    this.#blob = blob;
  }

  get byteLength(): number {
    return this.size;
  }

  slice(start: number, end?: number): Promise<ArrayBuffer> {
    return this.#blob.slice(start, end).arrayBuffer();
  }

  async read(at: number, into: Uint8Array): Promise<void> {
    if (at + into.length > this.size) throw endsEarly(this.source, this.size, at + into.length);
    into.set(new Uint8Array(await this.slice(at, at + into.length)));
  }

  pieces(from: number): AsyncIterable<Uint8Array> {
    return readPieces(this.#blob.slice(from));
  }

  async checkUnchanged(): Promise<void> {}

  async close(): Promise<void> {}
}
