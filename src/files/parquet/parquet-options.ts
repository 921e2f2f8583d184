import type { BufferPool } from '../column-buffers.js';
import type { SharedSchema } from './shared-schema.js';

/** What is read of a Parquet file. */
export interface ParquetOptions {
  /** The columns to read; by default all. */
  readonly columns?: readonly string[];
  /** Whether columns of texts are dictionaries, which each record batch has its own of. */
  readonly codedTexts?: boolean;
  /** The rows of a row group that kernels are loaded for; they are slower to load than fewer rows are to read. */
  readonly kernelsFrom?: number;
  /** Stored pages stay in memory while parts of a row group are read whose columns have no more bytes than this. */
  readonly keptBytes?: number;
  /** Memory for the columns. */
  readonly pool?: BufferPool;
  /** What the file may have in common with others that are read with the same options. */
  readonly shared?: SharedSchema | undefined;
  /** Receives notes for people about columns that are not read. */
  readonly report?: (note: string) => void;
}

/** How to read a Parquet file part by part. */
export interface ParquetBatchesOptions extends ParquetOptions {
  /** Approximate limit of the bytes of a record batch. */
  readonly bytes: number;
}
