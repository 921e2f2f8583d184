import { Table } from 'apache-arrow';
import { giveTableKernels, takeTableKernels } from '../core/table-kernels.js';
import type { RandomAccess } from './array/random-access.js';
import { BufferPool } from './column-buffers.js';
import type { CsvSlice, CsvSlices } from './csv/csv-slice.js';
import type { ParquetBatchesOptions } from './parquet/parquet-options.js';

/** A part of a file: rows that follow those of the part before. */
export type FilePart = CsvSlice;

/** A file that is read in parts: one on the disk, or a Blob. */
export interface PartsFile extends RandomAccess {
  /** Its size, by the name that hyparquet has for it. */
  readonly byteLength: number;
  /** The bytes from `start` up to, not including, `end`. */
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>;
  /** All bytes from `from` on. */
  pieces(from: number): AsyncIterable<Uint8Array>;
}

/** How a file is read in parts, by any thread. */
export type FileParts = { readonly source: string } & (
  | { readonly kind: 'csv'; readonly slices: CsvSlices }
  | { readonly kind: 'parquet'; readonly options: Omit<ParquetBatchesOptions, 'report' | 'pool'> }
);

/** Reads the parts of a file, whose indices begin at 0. */
export interface PartReader {
  readonly count: number;
  read(index: number): Promise<FilePart>;
  /** Takes the memory of parts that nobody uses any more, for others. */
  give(buffers: readonly ArrayBuffer[]): void;
  /** Says that no more parts are read. */
  close(): void;
}

/**
 * Opens the parts of a file that is open; readers are loaded then. `report` receives notes for people. Throws what reading their number throws.
 */
export async function openParts(
  file: PartsFile,
  parts: FileParts,
  report?: (note: string) => void,
): Promise<PartReader> {
  const pool = new BufferPool();
  const give = (buffers: readonly ArrayBuffer[]) => pool.give(buffers);
  if (parts.kind === 'csv') {
    const { CsvSliceReader, countSlices } = await import('./csv/csv-slice.js');
    const tools = await takeTableKernels();
    const reader = new CsvSliceReader(parts.slices, file, tools, pool);
    return {
      count: countSlices(parts.slices, file.size),
      read: (index) => reader.read(index),
      give,
      close: () => giveTableKernels(tools),
    };
  }
  const { parquetParts } = await import('./parquet/parquet-batches.js');
  const { count, read } = await parquetParts(file, parts.source, { ...parts.options, report, pool });
  return {
    ...{ count, give, close: () => {} },
    read: async (index) => {
      const batch = await read(index);
      return { tables: [new Table([batch])], rows: batch.numRows, lines: 0, hasLetters: false };
    },
  };
}
