import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { unreadable } from '../../../disk/file-fault.js';
import { openRegularFile } from '../../../disk/regular-file.node.js';
import type { Places } from '../../../ensemble/nearest-place.js';
import type { PlaceIndex } from '../../../ensemble/place-index.js';
import { FileError, FormatError } from '../../../errors.js';
import type { Axis, Dataset } from '../dataset.js';
import { type BatchLayout, cutShort, type OpenFile, readBatchLayouts, readBytes } from './read-layout.node.js';
import { type SeriesHead, seriesWidth } from './series-schema.js';

/**
 * How values are read: `direct` is fastest where they are in the system's file cache or on a fast disk, but nothing
 * else runs meanwhile; `threads` does not delay other requests where the disk is slow or far away.
 */
export type ReadMode = 'direct' | 'threads';

/** All read modes. */
export const READ_MODES: readonly ReadMode[] = /* @__PURE__ */ Object.freeze(['direct', 'threads'] as const);

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

interface OpenSeries extends OpenFile {
  readonly layout: SeriesLayout;
}

/** The file of one variable, kept open. After a fault the next read opens it again, so that a repaired file works. */
export class SeriesFile {
  readonly #path: string;
  readonly #head: SeriesHead;
  readonly #cells: number;
  readonly #mode: ReadMode;
  #current?: OpenSeries;
  #opening?: Promise<OpenSeries>;
  #closed = false;

  /** A file at `path` that must hold `cells` cells of the variable `head`. */
  constructor(path: string, head: SeriesHead, cells: number, mode: ReadMode) {
    this.#path = path;
    this.#head = head;
    this.#cells = cells;
    this.#mode = mode;
  }

  /** Opens the file, unless it is open. Rejects with FileError or FormatError. */
  async open(): Promise<void> {
    await this.#opened();
  }

  /** Fills `into` with the values of a cell. Throws, or rejects with, FileError or FormatError. */
  read(cell: number, into: Float32Array<ArrayBuffer>): void | Promise<void> {
    const series = this.#current;
    if (series === undefined) return this.#opened().then(() => this.read(cell, into));
    if (this.#mode === 'threads') return this.#readInThread(series, into, series.layout.position(cell));
    this.#readDirectly(series, cell, into);
  }

  /** Like `read`, at once; false where other threads have to read, or the file has to be opened first. */
  readNow(cell: number, into: Float32Array<ArrayBuffer>): boolean {
    const series = this.#current;
    if (series === undefined || this.#mode === 'threads') return false;
    this.#readDirectly(series, cell, into);
    return true;
  }

  #readDirectly(series: OpenSeries, cell: number, into: Float32Array<ArrayBuffer>): void {
    const position = series.layout.position(cell);
    let bytesRead: number;
    try {
      bytesRead = readSync(series.handle.fd, into, 0, into.byteLength, position);
    } catch (cause) {
      throw this.#fault(series, unreadable(this.#path, cause));
    }
    if (bytesRead !== into.byteLength) throw this.#fault(series, cutShort(this.#path));
  }

  /** The coordinates of the cells. Rejects with FileError or FormatError. */
  async readPlaces(): Promise<Places> {
    const series = await this.#opened();
    const latitude = new Float64Array(this.#cells);
    const longitude = new Float64Array(this.#cells);
    let cell = 0;
    try {
      for (const { rows, latitudeAt, longitudeAt } of series.layout.batches) {
        latitude.set(await readDegrees(series, latitudeAt, rows), cell);
        longitude.set(await readDegrees(series, longitudeAt, rows), cell);
        cell += rows;
      }
    } catch (cause) {
      throw this.#fault(series, unreadable(this.#path, cause));
    }
    return { latitude, longitude };
  }

  /** Closes the file for good, once reads under way are done. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.catch(() => undefined);
    const series = this.#current;
    this.#current = undefined;
    await series?.handle.close();
  }

  async #readInThread(series: OpenSeries, into: Float32Array<ArrayBuffer>, position: number): Promise<void> {
    let bytesRead: number;
    try {
      ({ bytesRead } = await series.handle.read(into, 0, into.byteLength, position));
    } catch (cause) {
      throw this.#fault(series, unreadable(this.#path, cause));
    }
    if (bytesRead !== into.byteLength) throw this.#fault(series, cutShort(this.#path));
  }

  /** Gives up the open file, so that the next read opens it again. */
  #fault(series: OpenSeries, error: Error): Error {
    if (this.#current === series) {
      this.#current = undefined;
      // The fault is reported already: an error on closing adds nothing.
      series.handle.close().catch(() => undefined);
    }
    return error;
  }

  #opened(): Promise<OpenSeries> {
    if (this.#current !== undefined) return Promise.resolve(this.#current);
    this.#opening ??= this.#reopen().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #reopen(): Promise<OpenSeries> {
    if (this.#closed) {
      const allowed = 'a snapshot that is not older than the newest by more than a minute';
      throw new FileError({ subject: this.#path, problem: 'is closed: its store is, or has a newer run', allowed });
    }
    let handle: FileHandle | undefined;
    try {
      handle = await openRegularFile(this.#path);
      const file = { handle, path: this.#path, size: (await handle.stat()).size };
      const layout = new SeriesLayout(this.#head, await readBatchLayouts(file, this.#head));
      this.#checkCells(layout);
      this.#current = { ...file, layout };
      return this.#current;
    } catch (cause) {
      await handle?.close();
      throw unreadable(this.#path, cause);
    }
  }

  #checkCells({ cells }: SeriesLayout): void {
    if (cells === this.#cells) return;
    const problem = 'has another number of places than its store says';
    throw new FormatError({ subject: this.#path, problem, received: cells, allowed: String(this.#cells) });
  }
}

async function readDegrees(file: OpenFile, at: number, count: number): Promise<Float64Array> {
  const bytes = await readBytes(file, at, count * Float64Array.BYTES_PER_ELEMENT);
  return new Float64Array(bytes.buffer);
}

/** One part of a store in a folder: a file for each variable, all with the same places. */
export class FolderDataset implements Dataset {
  readonly #files: ReadonlyMap<string, SeriesFile>;

  constructor(
    readonly revision: string,
    readonly places: PlaceIndex,
    readonly variables: ReadonlyMap<string, Axis>,
    files: ReadonlyMap<string, SeriesFile>,
  ) {
    this.#files = files;
  }

  read(slug: string, cell: number, into: Float32Array<ArrayBuffer>): void | Promise<void> {
    return (this.#files.get(slug) as SeriesFile).read(cell, into);
  }

  readNow(slug: string, cell: number, into: Float32Array<ArrayBuffer>): boolean {
    return (this.#files.get(slug) as SeriesFile).readNow(cell, into);
  }
}
