import { parentPort } from 'node:worker_threads';
import { DiskFile } from './disk-file.node.js';
import type { WatchedPath } from './parts-thread.node.js';
import { type PartsPort, serveParts } from './serve-parts.js';

/* The script of a thread that reads parts of a file on the disk. */

async function open({ path, source, state }: WatchedPath): Promise<DiskFile> {
  const file = await DiskFile.open(path, source);
  if (file.state !== state) throw new RangeError('the file was changed');
  return file;
}

if (parentPort !== null) {
  const port: PartsPort = {
    onmessage: undefined,
    postMessage: (part, transfer) => parentPort?.postMessage(part, transfer),
  };
  parentPort.on('message', (data) => (port.onmessage as (event: { data: unknown }) => void)({ data }));
  serveParts(port, open);
}
