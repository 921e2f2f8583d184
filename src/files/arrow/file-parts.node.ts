import type { ArrowFile, FileBatch } from './arrow-file.node.js';
import { slices } from './batch-slices.js';
import type { FilePart, FileRead } from './file-part.js';

/** The parts in which a file is read, of up to `bytes` bytes where its batches allow: neighbours together, long ones in slices. */
export function* fileParts({ batches }: ArrowFile, bytes: number): Generator<FilePart> {
  for (let i = 0; i < batches.length; ) {
    const { rows } = batches[i];
    if (rows !== undefined) {
      yield* slices(rows, bytes);
      i++;
      continue;
    }
    const reads: FileRead[] = [];
    let length = 0;
    do {
      const block = batches[i++];
      const more = bytesOf(block);
      const last = reads.at(-1);
      // What is next to each other is read at once.
      if (last !== undefined && last.from + last.length === block.offset) {
        reads[reads.length - 1] = { ...last, length: last.length + more };
      } else {
        reads.push({ from: block.offset, to: length, length: more });
      }
      length += more;
    } while (i < batches.length && batches[i].rows === undefined && length + bytesOf(batches[i]) <= bytes);
    yield { bytes: length, reads };
  }
}

/** The bytes of the longest part. */
export function longestPart(file: ArrowFile, bytes: number): number {
  let longest = 0;
  for (const part of fileParts(file, bytes)) longest = Math.max(longest, part.bytes);
  return longest;
}

function bytesOf({ metadataBytes, bodyBytes }: FileBatch): number {
  return metadataBytes + bodyBytes;
}
