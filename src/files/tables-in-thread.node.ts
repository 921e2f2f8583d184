import { availableParallelism } from 'node:os';
import { isMainThread, Worker } from 'node:worker_threads';
import { Field, Schema, type Table, tableFromIPC } from 'apache-arrow';
import type { Core } from '../core/load.js';
import { quickSchema } from '../table/quick-schema.js';
import { type PackedTable, TableUnpacker } from './packed-table.js';
import { type TablesOfFileOptions, tablesOfFile } from './tables-of-file.node.js';
import { WatchedFile } from './watched-file.node.js';

/** What the thread reads. */
export interface ReaderSettings {
  readonly path: string;
  readonly options: Omit<TablesOfFileOptions, 'report'>;
}

/** What the thread sends. */
export type ReaderMessage =
  | { readonly kind: 'schema'; readonly schema: Uint8Array; readonly names: readonly string[] }
  | { readonly kind: 'table'; readonly table: PackedTable }
  | { readonly kind: 'note'; readonly note: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed' };

/** The path is relative to the bundled script that contains this module. */
const SCRIPT = new URL('./tables-worker.node.js', import.meta.url);

/** From these sizes on a thread gains more than its start and the copies take: if it was requested, and if not. */
const MIN_BYTES = { requested: 16_777_216, usual: 134_217_728 };

/** Whether another thread may read while this one computes: this is no thread of a batch, and there are processors. */
export function mayReadInThread(threads = availableParallelism()): boolean {
  return threads > 1 && isMainThread;
}

/**
 * As `tablesOfFile`, but another thread reads the tables of a long file, some ahead of who uses them. If it fails, this thread reads
 * on, so that tables and errors are the same. If threads were not requested, a file has to be longer.
 */
export async function* tablesInThread(
  core: Core,
  path: string,
  { report, ...options }: TablesOfFileOptions,
  threads: 'requested' | 'usual',
): AsyncGenerator<Table> {
  const file = await WatchedFile.open(path, options.source ?? path);
  let given = 0;
  try {
    if (file.byteLength < MIN_BYTES[threads]) return yield* tablesOfFile(core, path, { ...options, report });
    const messages = new ThreadMessages({ path, options });
    let unpacker: TableUnpacker | undefined;
    try {
      for (;;) {
        const message = await messages.next();
        if (message.kind === 'end') return await file.assertUnchanged();
        if (message.kind === 'failed') break;
        if (message.kind === 'note') report?.(message.note);
        if (message.kind === 'schema') unpacker = new TableUnpacker(readSchema(message));
        if (message.kind !== 'table' || unpacker === undefined) continue;
        const table = unpacker.unpack(message.table);
        messages.allowMore();
        given++;
        yield table;
      }
    } finally {
      await messages.stop();
    }
    await file.assertUnchanged();
    let skipped = 0;
    for await (const table of tablesOfFile(core, path, { ...options, report })) if (skipped++ >= given) yield table;
    await file.assertUnchanged();
  } finally {
    await file.close();
  }
}

/** The schema of a message; Arrow's bytes have no empty names. */
function readSchema({ schema, names }: Extract<ReaderMessage, { kind: 'schema' }>): Schema {
  const { fields, metadata } = tableFromIPC(schema).schema;
  return quickSchema(
    new Schema(
      fields.map(({ type, nullable, metadata: own }, i) => new Field(names[i], type, nullable, own)),
      metadata,
    ),
  );
}

/** The messages of a thread in their order; the last is `failed` if the thread dies. */
class ThreadMessages {
  readonly #worker: Worker;
  readonly #ready: ReaderMessage[] = [];
  #wake = () => {};

  constructor(settings: ReaderSettings) {
    this.#worker = new Worker(SCRIPT, { workerData: settings });
    const add = (message: ReaderMessage) => {
      this.#ready.push(message);
      this.#wake();
    };
    this.#worker.on('message', add);
    this.#worker.on('error', () => add({ kind: 'failed' }));
    this.#worker.on('exit', () => add({ kind: 'failed' }));
  }

  async next(): Promise<ReaderMessage> {
    while (this.#ready.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#ready.shift() as ReaderMessage;
  }

  /** Says that a table was taken. */
  allowMore(): void {
    this.#worker.postMessage('more');
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
