import { Field, Schema, tableFromIPC } from 'apache-arrow';
import { nextTurn } from '../check/work.js';
import { quickSchema } from '../table/arrow/table-schema.js';
import { valueBuffers } from './column-buffers.js';
import { type PackedTable, unpackTable } from './packed-table.js';
import { type FilePart, type FileParts, openParts, type PartReader, type PartsFile } from './parts-of-file.js';

/** What a thread reads, its first message: parts of a file that it opens, as its kind of thread does. */
export interface PartsWork<File> {
  readonly parts: FileParts;
  readonly file: File;
}

/** The index of a part to read, or without one memory of parts that nobody uses any more. */
export interface PartRequest {
  readonly index?: number;
  readonly buffers: readonly ArrayBuffer[];
}

/** What a thread sends of a part; without tables the calling thread has to read it. */
export interface ReadPart extends Omit<FilePart, 'tables'> {
  readonly index: number;
  readonly tables?: readonly PackedTable[];
  readonly schema: { readonly bytes: Uint8Array; readonly names: readonly string[] } | undefined;
}

/** What a thread sends: that its file is open, then the parts that it has read, or could not read. */
export type PartReply = 'ready' | ReadPart | Pick<ReadPart, 'index'>;

/** A thread that reads parts of the file that it was started for. */
export interface PartsThread {
  post(message: PartsWork<unknown> | PartRequest, transfer: ArrayBuffer[]): void;
  end(): Promise<void>;
}

/** Callbacks for the events of a thread. */
export interface PartsListener {
  reply(reply: PartReply): void;
  /** The thread has ended, or could not be started. */
  lost(): void;
}

/** How threads for a file are started, and what each is given to open the file. */
export interface PartsThreads {
  readonly file: unknown;
  /** Calls the listener afterwards only. */
  start(listener: PartsListener): PartsThread;
}

/** Parts that a thread is given before it has read the first of them. */
const AHEAD = 2;

/** How parts are read. */
export interface PartsOptions {
  /** The threads that read them, the calling one included. */
  readonly threads: number;
  /** The other threads; without them the calling one reads all parts. */
  readonly others: PartsThreads | undefined;
  /** Whether each part is valid until the next one is requested only: its memory is used again. */
  readonly areViews: boolean;
  /** Receives notes for people. */
  readonly report?: (note: string) => void;
}

/**
 * Reads the parts of a file that is open, in their order. Whenever the next part is not there, the calling thread reads
 * one itself. Throws what reading a part throws.
 */
export async function* partsInThreads(
  file: PartsFile,
  parts: FileParts,
  { threads, others, areViews, report }: PartsOptions,
): AsyncGenerator<FilePart> {
  const own = await openParts(file, parts, report);
  const count = others === undefined ? 0 : Math.min(threads, own.count) - 1;
  const readers = Array.from({ length: count }, () => new Reader(others as PartsThreads, parts));
  const unused = { next: 0 };
  const here = new Map<number, FilePart | 'failed'>();
  try {
    for (let index = 0; index < own.count; index++) {
      // One more for the calling thread.
      const limit = Math.min(own.count, index + AHEAD * readers.length + 1);
      assign(readers, unused, limit);
      let found = find(index, own, here, readers);
      while (found === undefined) {
        // The next part is being read by another thread, or by none.
        if (unused.next < limit) {
          const mine = unused.next++;
          // An error counts when its turn has come: the part is read again then.
          here.set(mine, await own.read(mine).catch(() => 'failed' as const));
          // Messages of the other threads are waiting.
          if (readers.length > 0) await nextTurn();
        } else await Promise.race(readers.map((reader) => reader.nextMessage()));
        assign(readers, unused, limit);
        found = find(index, own, here, readers);
      }
      const [reader, part] = found;
      const given = part === 'failed' ? await own.read(index) : part;
      yield given;
      // A single row may be kept for the table of the next ones.
      if (areViews && given.tables.every(({ numRows }) => numRows > 1)) reader.give(valueBuffers(given.tables));
    }
  } finally {
    own.close();
    await Promise.all(readers.map((reader) => reader.stop()));
  }
}

/** A part that was read, or failed to be, and who has read it. */
function find(
  index: number,
  own: PartReader,
  here: Map<number, FilePart | 'failed'>,
  readers: readonly Reader[],
): readonly [Pick<PartReader, 'give'>, FilePart | 'failed'] | undefined {
  const mine = here.get(index);
  here.delete(index);
  if (mine !== undefined) return [own, mine];
  for (const reader of readers) {
    const part = reader.take(index);
    if (part !== undefined) return [part === 'failed' ? own : reader, part];
  }
  return undefined;
}

/** Gives parts that nobody reads to the threads that have the fewest. */
function assign(readers: readonly Reader[], unused: { next: number }, limit: number): void {
  for (let load = 0; load < AHEAD; load++) {
    for (const reader of readers) {
      if (reader.load <= load && unused.next < limit) reader.request(unused.next++);
    }
  }
}

/** A thread that reads parts. */
class Reader {
  readonly #thread: PartsThread;
  readonly #requested = new Set<number>();
  readonly #read = new Map<number, FilePart | 'failed'>();
  #isReady = false;
  #isDead = false;
  #wake = () => {};

  constructor({ file, start }: PartsThreads, parts: FileParts) {
    this.#thread = start({
      reply: (reply) => {
        if (reply === 'ready') this.#isReady = true;
        else {
          this.#requested.delete(reply.index);
          this.#read.set(reply.index, 'tables' in reply ? (unpacked(reply) ?? 'failed') : 'failed');
        }
        this.#wake();
      },
      lost: () => {
        this.#isDead = true;
        for (const index of this.#requested) this.#read.set(index, 'failed');
        this.#requested.clear();
        this.#wake();
      },
    });
    this.#thread.post({ parts, file }, []);
  }

  /** The number of parts that it has to read. While it starts, the calling thread reads: nothing waits for the start. */
  get load(): number {
    return this.#isDead || !this.#isReady ? Number.POSITIVE_INFINITY : this.#requested.size;
  }

  request(index: number): void {
    this.#requested.add(index);
    this.#thread.post({ index, buffers: [] }, []);
  }

  /** The part, if this thread has read it, or failed to. */
  take(index: number): FilePart | 'failed' | undefined {
    const part = this.#read.get(index);
    this.#read.delete(index);
    return part;
  }

  nextMessage(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  /** Gives back the memory of a part that nobody uses any more. */
  give(buffers: readonly ArrayBuffer[]): void {
    if (!this.#isDead && buffers.length > 0) this.#thread.post({ buffers }, [...buffers]);
  }

  stop(): Promise<void> {
    return this.#thread.end();
  }
}

function unpacked({ tables, schema, ...counts }: ReadPart): FilePart | undefined {
  if (tables === undefined) return undefined;
  if (schema === undefined) return { tables: [], ...counts };
  const read = readSchema(schema);
  return { tables: tables.map((table) => unpackTable(table, read)), ...counts };
}

/** Arrow's bytes have no empty names. */
function readSchema({ bytes, names }: NonNullable<ReadPart['schema']>): Schema {
  const { fields, metadata } = tableFromIPC(bytes).schema;
  const named = fields.map(({ type, nullable, metadata: own }, i) => new Field(names[i], type, nullable, own));
  return quickSchema(new Schema(named, metadata));
}
