import { tmpdir } from 'node:os';
import { temporaryPath } from '../disk/temporary-file.node.js';
import { FileStore } from '../input/result-file.node.js';

/** Blocks that are kept in memory; further ones are in a temporary file without a name. */
const MEMORY_BYTES = 67_108_864;

/** The bytes of results, which are kept until a request is complete. */
export class HeldBytes {
  readonly #blocks: Uint8Array[] = [];
  readonly #spilled: { readonly at: number; readonly length: number }[] = [];
  readonly #memoryBytes: number;
  #bytes = 0;
  #fileBytes = 0;
  #file: FileStore | undefined;

  constructor(memoryBytes = MEMORY_BYTES) {
    this.#memoryBytes = memoryBytes;
  }

  /** Adds a block, which stays as it is. Throws FileError. */
  add(block: Uint8Array): void {
    this.#bytes += block.length;
    if (this.#bytes <= this.#memoryBytes) {
      this.#blocks.push(block);
      return;
    }
    this.#file ??= new FileStore(temporaryPath(tmpdir(), 'plumecast'), 'unnamed');
    this.#file.write(block, this.#fileBytes);
    this.#spilled.push({ at: this.#fileBytes, length: block.length });
    this.#fileBytes += block.length;
  }

  /** All blocks in their order. Throws FileError. */
  *blocks(): Generator<Uint8Array> {
    yield* this.#blocks;
    for (const { at, length } of this.#spilled) {
      const block = new Uint8Array(length);
      this.#file?.read(block, at);
      yield block;
    }
  }

  close(): void {
    this.#blocks.length = 0;
    this.#file?.close();
    this.#file = undefined;
  }
}
