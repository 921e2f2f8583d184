import { open } from 'node:fs/promises';
import { unwritable } from '../disk/file-fault.js';
import { FileWriter } from '../disk/file-writer.node.js';

/** Writes blocks of bytes to a new file as they come; it is on the disk when this is done. Throws FileError, and whatever the blocks' maker throws. */
export async function writeBlocks(path: string, blocks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx').catch((cause) => {
    throw unwritable(path, cause);
  });
  const rejected = (cause: unknown) => {
    throw unwritable(path, cause);
  };
  const writer = new FileWriter(file);
  try {
    for await (const block of blocks) await writer.write(block).catch(rejected);
    await writer.end().catch(rejected);
    // Or a file whose name is on the disk may be without its bytes when the power fails.
    await file.sync().catch(rejected);
  } finally {
    // Where the blocks' maker has failed that is told, whatever becomes of the rest.
    await writer.end().catch(() => {});
    await file.close();
  }
}
