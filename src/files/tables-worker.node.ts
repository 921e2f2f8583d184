import { parentPort, workerData } from 'node:worker_threads';
import { Table, tableToIPC } from 'apache-arrow';
import { loadCore } from '../core/load.js';
import { TablePacker } from './packed-table.js';
import type { ReaderMessage, ReaderSettings } from './tables-in-thread.node.js';
import { type TablesOfFileOptions, tablesOfFile } from './tables-of-file.node.js';

/*
 * The script of a thread that reads the tables of a file, a few ahead of who uses them. Whatever fails ends it: the other
 * thread reads on by itself, and finds the error.
 */

/** Tables that are sent before the first of them is used. */
const AHEAD = 2;

const { path, options } = workerData as ReaderSettings;
let credit = AHEAD;
let wake = () => {};

parentPort?.on('message', () => {
  credit++;
  wake();
});

function send(message: ReaderMessage, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

async function read(): Promise<void> {
  const packer = new TablePacker();
  const report = (note: string) => send({ kind: 'note', note });
  const reading: TablesOfFileOptions = { ...options, report };
  let hasSchema = false;
  for await (const table of tablesOfFile(await loadCore(), path, reading)) {
    if (!hasSchema) {
      const names = table.schema.fields.map(({ name }) => name);
      send({ kind: 'schema', schema: tableToIPC(new Table(table.schema), 'stream'), names });
    }
    hasSchema = true;
    while (credit === 0) await new Promise<void>((resolve) => (wake = resolve));
    credit--;
    const { packed, transfer } = packer.pack(table);
    send({ kind: 'table', table: packed }, transfer);
  }
  send({ kind: 'end' });
}

read()
  .catch(() => send({ kind: 'failed' }))
  .finally(() => parentPort?.close());
