import { Table, tableToIPC } from 'apache-arrow';
import { packTables } from './packed-table.js';
import type { PartReply, PartRequest, PartsWork, ReadPart } from './parts-in-threads.js';
import { type FilePart, openParts, type PartReader, type PartsFile } from './parts-of-file.js';

/** Where a thread gets messages and sends parts: the scope of a Web Worker, or the port of a worker thread. */
export interface PartsPort {
  onmessage: unknown;
  postMessage(reply: PartReply, transfer: ArrayBuffer[]): void;
}

/**
 * Runs a thread that reads parts of a file, which its first message names and `open` opens. A part that it cannot read
 * is read by the calling thread, which finds the error.
 */
export function serveParts<File>(port: PartsPort, open: (file: File) => PartsFile | Promise<PartsFile>): void {
  port.onmessage = ({ data }: { data: PartsWork<File> }) => {
    const openAll = async () => openParts(await open(data.file), data.parts);
    readParts(port, openAll());
  };
}

function readParts(port: PartsPort, opened: Promise<PartReader>): void {
  // Where it fails, nothing is requested.
  opened.then(() => port.postMessage('ready', [])).catch(() => {});
  let before: Promise<void> = Promise.resolve();
  port.onmessage = ({ data: { index, buffers } }: { data: PartRequest }) => {
    before = before.then(async () => {
      if (index === undefined) {
        await opened.then((reader) => reader.give(buffers)).catch(() => {});
        return;
      }
      try {
        const { message, transfer } = messageOf(index, await (await opened).read(index));
        port.postMessage(message, transfer);
      } catch {
        port.postMessage({ index }, []);
      }
    });
  };
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
