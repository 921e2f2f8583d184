import { parentPort } from 'node:worker_threads';
import { Table, tableToIPC } from 'apache-arrow';
import { packTables } from './packed-table.js';
import type { PartRequest, PartsWork, ReadPart } from './parts-in-threads.node.js';
import { type FilePart, openFileOfParts, openParts, type PartReader } from './parts-of-file.node.js';

/*
 * The script of a thread that reads parts of a file, which its first message names. A part that it cannot read is read
 * by the calling thread, which finds the error.
 */

async function open({ parts, state }: PartsWork): Promise<PartReader> {
  const file = await openFileOfParts(parts);
  if (file.state !== state) throw new RangeError('the file was changed');
  return openParts(file, parts);
}

function messageOf(index: number, { tables, ...counts }: FilePart): { message: ReadPart; transfer: ArrayBuffer[] } {
  const { packed, transfer } = packTables(tables);
  const schema = tables[0]?.schema;
  const sent = schema && {
    bytes: tableToIPC(new Table(schema), 'stream'),
    names: schema.fields.map(({ name }) => name),
  };
  return { message: { index, ...counts, tables: packed, schema: sent }, transfer };
}

function readParts(opened: Promise<PartReader>): void {
  // Each part that is requested reports it.
  opened.catch(() => {});
  let before: Promise<void> = Promise.resolve();
  parentPort?.on('message', (work: PartRequest) => {
    before = before.then(async () => {
      const { index, buffers } = work;
      if (index === undefined) {
        await opened.then((reader) => reader.give(buffers)).catch(() => {});
        return;
      }
      try {
        const { message, transfer } = messageOf(index, await (await opened).read(index));
        parentPort?.postMessage(message, transfer);
      } catch {
        parentPort?.postMessage({ index });
      }
    });
  });
}

parentPort?.once('message', (work: PartsWork) => readParts(open(work)));
