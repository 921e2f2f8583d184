import { open } from 'node:fs/promises';
import { unwritable } from '../file-fault.js';
import { FileWriter } from './file-writer.js';

/** Writes blocks of bytes to a new file as they come. Throws FileError, and whatever the blocks' maker throws. */
export async function writeBlocks(path: string, blocks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx').catch((cause) => {
    throw unwritable(path, cause);
  });
  const writer = new FileWriter(file);
  try {
    for await (const block of blocks) {
      await writer.write(block).catch((cause) => {
        throw unwritable(path, cause);
      });
    }
  } finally {
    await writer
      .end()
      .catch((cause) => {
        throw unwritable(path, cause);
      })
      .finally(() => file.close());
  }
}
