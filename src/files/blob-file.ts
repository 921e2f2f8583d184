import { readPieces } from './byte-source.js';
import type { PartsFile } from './parts-of-file.js';

/** A Blob, of which any bytes can be read; a file in a browser is one. Its methods throw what the Blob does. */
export class BlobFile implements PartsFile {
  readonly byteLength: number;
  readonly #blob: Blob;

  constructor(blob: Blob) {
    this.#blob = blob;
    this.byteLength = blob.size;
  }

  slice(start: number, end?: number): Promise<ArrayBuffer> {
    return this.#blob.slice(start, end).arrayBuffer();
  }

  async read(bytes: Uint8Array, start: number): Promise<void> {
    bytes.set(new Uint8Array(await this.slice(start, start + bytes.length)));
  }

  pieces(from: number): AsyncIterable<Uint8Array> {
    return readPieces(this.#blob.slice(from));
  }
}
