import type { Places } from '../../../ensemble/nearest-place.js';
import { FormatError } from '../../../errors.js';
import { type SeriesHead, seriesWidth } from '../../store/block-file.js';
import type { BlocksEntry, SeriesReader } from '../../store/read-blocks.js';
import type { StoreAccess } from '../../store/store-access.js';
import { type BatchLayout, type OpenFile, readBatchLayouts, readBytes } from './read-layout.node.js';

/** Where the values of each cell lie in the file. */
class SeriesLayout {
  /** The number of cells. */
  readonly cells: number;
  readonly #cellBytes: number;
  /** The first cell of each batch. */
  readonly #firstCells: Float64Array;
  /** Where the values of each batch would begin if its cells were counted from cell 0 of the file. */
  readonly #origins: Float64Array;

  constructor(
    head: SeriesHead,
    readonly batches: readonly BatchLayout[],
  ) {
    this.#cellBytes = Float32Array.BYTES_PER_ELEMENT * seriesWidth(head.axis);
    this.#firstCells = new Float64Array(batches.length);
    this.#origins = new Float64Array(batches.length);
    let cells = 0;
    for (const [index, { rows, valuesAt }] of batches.entries()) {
      this.#firstCells[index] = cells;
      this.#origins[index] = valuesAt - cells * this.#cellBytes;
      cells += rows;
    }
    this.cells = cells;
  }

  /** Where the values of a cell begin, in bytes from the start of the file. */
  position(cell: number): number {
    const firstCells = this.#firstCells;
    let low = 0;
    let high = firstCells.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (firstCells[middle] <= cell) low = middle;
      else high = middle - 1;
    }
    return this.#origins[low] + cell * this.#cellBytes;
  }
}

/** The Arrow file of one variable, as stores of version 1 have them: without checksums. */
export class ArrowSeries implements SeriesReader {
  readonly #access: StoreAccess;
  readonly #file: OpenFile;
  readonly #name: string;
  readonly #layout: SeriesLayout;

  private constructor(access: StoreAccess, name: string, file: OpenFile, layout: SeriesLayout) {
    this.#access = access;
    this.#name = name;
    this.#file = file;
    this.#layout = layout;
  }

  /** Reads where the values of a file lie. Rejects with FileError or FormatError. */
  static async open(access: StoreAccess, { name, head, places }: BlocksEntry): Promise<ArrowSeries> {
    const path = access.describe(name);
    // What is not there, or not a file, has an error of its own.
    await access.get(name, 0, new Uint8Array(1));
    const [{ bytes: size }] = await access.list(name);
    const file = { read: (at: number, into: Uint8Array<ArrayBuffer>) => access.get(name, at, into), path, size };
    const layout = new SeriesLayout(head, await readBatchLayouts(file, head));
    if (layout.cells !== places) {
      const problem = 'has another number of places than its store says';
      throw new FormatError({ subject: path, problem, received: layout.cells, allowed: String(places) });
    }
    return new ArrowSeries(access, name, file, layout);
  }

  read(cell: number, into: Float32Array<ArrayBuffer>): void | Promise<void> {
    if (!this.readNow(cell, into)) return this.#access.get(this.#name, this.#layout.position(cell), bytesOf(into));
  }

  readNow(cell: number, into: Float32Array<ArrayBuffer>): boolean {
    return this.#access.getNow?.(this.#name, this.#layout.position(cell), bytesOf(into)) ?? false;
  }

  /** The coordinates of the cells. Rejects with FileError or FormatError. */
  async readPlaces(): Promise<Places> {
    const latitude = new Float64Array(this.#layout.cells);
    const longitude = new Float64Array(this.#layout.cells);
    let cell = 0;
    for (const { rows, latitudeAt, longitudeAt } of this.#layout.batches) {
      latitude.set(await readDegrees(this.#file, latitudeAt, rows), cell);
      longitude.set(await readDegrees(this.#file, longitudeAt, rows), cell);
      cell += rows;
    }
    return { latitude, longitude };
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

async function readDegrees(file: OpenFile, at: number, count: number): Promise<Float64Array> {
  const bytes = await readBytes(file, at, count * Float64Array.BYTES_PER_ELEMENT);
  return new Float64Array(bytes.buffer);
}
