import type { ArrowFile, FileBatch } from './arrow-file.node.js';
import { slices } from './batch-slices.js';
import type { FilePart } from './file-part.js';

/** The parts in which a file is read, of up to `bytes` bytes where its batches allow: neighbours together, long ones in slices. */
export function* fileParts({ batches }: ArrowFile, bytes: number): Generator<FilePart> {
  for (let i = 0; i < batches.length; ) {
    const { rows, offset } = batches[i];
    if (rows !== undefined) {
      yield* slices(rows, bytes);
      i++;
      continue;
    }
    let end = endOf(batches[i++]);
    while (i < batches.length && batches[i].rows === undefined && batches[i].offset === end) {
      if (endOf(batches[i]) - offset > bytes) break;
      end = endOf(batches[i++]);
    }
    yield { bytes: end - offset, reads: [{ from: offset, to: 0, length: end - offset }] };
  }
}

/** The bytes of the longest part. */
export function longestPart(file: ArrowFile, bytes: number): number {
  let longest = 0;
  for (const part of fileParts(file, bytes)) longest = Math.max(longest, part.bytes);
  return longest;
}

function endOf({ offset, metadataBytes, bodyBytes }: FileBatch): number {
  return offset + metadataBytes + bodyBytes;
}
