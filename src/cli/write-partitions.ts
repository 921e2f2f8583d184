import { appendFile, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Table } from 'apache-arrow';
import { type OutputCompression, tableCompression } from '../batch/output-format.js';
import { unwritable } from '../disk/file-fault.js';
import { makeFolder } from '../disk/make-folder.node.js';
import { removeLeftTemporaries, removeWhenStopped, temporaryPath } from '../disk/temporary-file.node.js';
import { OptionError } from '../errors.js';
import { chooseCompression } from '../files/encode-tables.js';
import type { Compression, TableEncoder } from '../files/format.js';
import { type TableFormat, WRITERS } from '../files/formats.js';
import { PARTITION_KEYS, partitionRows } from '../files/partition-rows.js';

/** The most files of one output: each holds the rows of an incomplete row group in memory. */
const MAX_FILES = 1000;
/** Bytes of a file that are held before they are written. */
const HELD_BYTES = 1_048_576;

/** Whether the path of an output has placeholders, so that it is written as several files. */
export function isTemplate(out: string): boolean {
  return PARTITION_KEYS.some((key) => out.includes(`{${key}}`));
}

/** The folder that all files of a template are in. */
export function folderOfTemplate(out: string): string {
  return dirname(out.slice(0, out.indexOf('{') + 1));
}

/** Throws OptionError for a template with placeholders that do not exist. */
export function checkTemplate(out: string): void {
  const known = PARTITION_KEYS.map((key) => `{${key}}`);
  const unknown = out.match(/\{[^}]*\}/g)?.find((place) => !known.includes(place));
  if (unknown === undefined) return;
  const allowed = known.join(', ');
  throw new OptionError({ subject: 'output', problem: 'has an unknown placeholder', received: unknown, allowed });
}

/**
 * Writes rows to the files that a template names for them: `out/variable={variable}/year={year}/part.parquet`. All are
 * written in a temporary folder, and get their names, one after the other, when all are complete. Files of the same
 * names are replaced, others stay. Throws OptionError for more than 1,000 files, FileError, and as `encodeTables` does.
 */
export async function writePartitions(
  out: string,
  tables: Iterable<Table> | AsyncIterable<Table>,
  format: TableFormat,
  given?: OutputCompression,
): Promise<void> {
  const compression = chooseCompression(format, { compression: tableCompression(format, given) });
  const folder = folderOfTemplate(out);
  await makeFolder(folder);
  const name = basename(out);
  await removeLeftTemporaries(folder, name);
  const temporary = temporaryPath(folder, name);
  await mkdir(temporary).catch((cause) => Promise.reject(unwritable(folder, cause)));
  const stop = removeWhenStopped(temporary);
  try {
    const files = new Map<string, PartitionFile>();
    for await (const table of tables) {
      for (const { name: path, table: rows } of partitionRows(table, out)) {
        const file =
          files.get(path) ??
          (await PartitionFile.create(path, join(temporary, `${files.size}`), rows, { format, compression }));
        files.set(path, file);
        if (files.size > MAX_FILES) throw tooManyFiles(out);
        await file.add(rows);
      }
    }
    for (const file of files.values()) await file.end();
    for (const file of files.values()) await file.move();
  } finally {
    await rm(temporary, { recursive: true, force: true }).catch(() => {});
    stop();
  }
}

function tooManyFiles(out: string): OptionError {
  const problem = `becomes more than ${MAX_FILES} files`;
  return new OptionError({ subject: out, problem, allowed: 'fewer placeholders, or inputs of fewer years' });
}

/** A file of some of the rows, which is written as its bytes come. */
class PartitionFile {
  readonly #path: string;
  readonly #temporary: string;
  readonly #encoder: TableEncoder;
  #held: Uint8Array[] = [];
  #bytes = 0;

  private constructor(path: string, temporary: string, encoder: TableEncoder) {
    this.#path = path;
    this.#temporary = temporary;
    this.#encoder = encoder;
  }

  static async create(
    path: string,
    temporary: string,
    { schema }: Table,
    { format, compression }: { readonly format: TableFormat; readonly compression: Compression },
  ): Promise<PartitionFile> {
    return new PartitionFile(path, temporary, await WRITERS[format].encoder(schema, compression));
  }

  async add({ batches }: Table): Promise<void> {
    for (const batch of batches) await this.#write(this.#encoder.encode(batch));
  }

  async end(): Promise<void> {
    await this.#write(this.#encoder.end());
    await this.#flush();
  }

  /** Gives the file its name. */
  async move(): Promise<void> {
    await makeFolder(dirname(this.#path));
    await rename(this.#temporary, this.#path).catch((cause) => Promise.reject(unwritable(this.#path, cause)));
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
    await appendFile(this.#temporary, bytes).catch((cause) => Promise.reject(unwritable(this.#path, cause)));
  }
}
