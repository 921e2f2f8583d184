import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Schema, Table } from 'apache-arrow';
import { unwritable } from '../disk/file-fault.js';
import { OptionError } from '../errors.js';
import { checkSameColumns } from '../table/arrow/same-schema.js';
import type { Compression, TableEncoder } from './format.js';
import { type TableFormat, WRITERS } from './formats.js';
import { partitionRows } from './partition-rows.js';

/** The most files of one output: each holds the rows of an incomplete row group in memory. */
const MAX_FILES = 1000;
/** Bytes of a file that are held before they are written. */
const HELD_BYTES = 1_048_576;

/** How files of partitions are written. */
export interface PartitionOptions {
  readonly format: TableFormat;
  readonly compression: Compression;
  /** The path at which a file is written, by its name and its number. */
  readonly pathOf: (name: string, index: number) => string;
}

/** A file that was written, and the name that the template gives it. */
export interface WrittenPartition {
  readonly name: string;
  readonly path: string;
}

/**
 * Divides rows among the files that a template names for them, and writes these as rows come. Throws OptionError for more
 * than 1,000 files and for columns that differ, FileError, and as `encodeTables` does.
 */
export class PartitionFiles {
  readonly #template: string;
  readonly #options: PartitionOptions;
  readonly #files = new Map<string, PartitionFile>();

  constructor(template: string, options: PartitionOptions) {
    this.#template = template;
    this.#options = options;
  }

  async add(table: Table): Promise<void> {
    for (const { name, table: rows } of partitionRows(table, this.#template)) {
      const file = this.#files.get(name) ?? (await this.#create(name, rows));
      await file.add(rows);
    }
  }

  /** Ends all files. */
  async end(): Promise<WrittenPartition[]> {
    const written: WrittenPartition[] = [];
    for (const [name, file] of this.#files) {
      await file.end();
      written.push({ name, path: file.path });
    }
    return written;
  }

  async #create(name: string, { schema }: Table): Promise<PartitionFile> {
    if (this.#files.size === MAX_FILES) {
      const problem = `becomes more than ${MAX_FILES} files`;
      const allowed = 'fewer placeholders, or inputs of fewer years';
      throw new OptionError({ subject: this.#template, problem, allowed });
    }
    const { format, compression, pathOf } = this.#options;
    const path = pathOf(name, this.#files.size);
    await mkdir(dirname(path), { recursive: true }).catch((cause) => Promise.reject(unwritable(path, cause)));
    const file = new PartitionFile(path, schema, await WRITERS[format].encoder(schema, compression));
    this.#files.set(name, file);
    return file;
  }
}

/** A file of some of the rows, which is written as its bytes come. */
class PartitionFile {
  readonly path: string;
  readonly #schema: Schema;
  readonly #encoder: TableEncoder;
  #held: Uint8Array[] = [];
  #bytes = 0;
  #tables = 0;

  constructor(path: string, schema: Schema, encoder: TableEncoder) {
    this.path = path;
    this.#schema = schema;
    this.#encoder = encoder;
  }

  async add({ schema, batches }: Table): Promise<void> {
    this.#tables++;
    checkSameColumns(this.#schema, schema, this.#tables);
    for (const batch of batches) await this.#write(this.#encoder.encode(batch));
  }

  /** Writes the rest, and waits until all is on the disk. */
  async end(): Promise<void> {
    await this.#write(this.#encoder.end());
    await this.#flush();
    const file = await open(this.path, 'r+').catch((cause) => Promise.reject(unwritable(this.path, cause)));
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async #write(pieces: Iterable<Uint8Array>): Promise<void> {
    for (const piece of pieces) {
      // A piece is valid until the next one is requested.
      this.#held.push(piece.slice());
      this.#bytes += piece.length;
      if (this.#bytes >= HELD_BYTES) await this.#flush();
    }
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#held);
    [this.#held, this.#bytes] = [[], 0];
    await appendFile(this.path, bytes).catch((cause) => Promise.reject(unwritable(this.path, cause)));
  }
}
