import type { Core } from '../../core/load.js';
import type { ArrowFile, FileBatch } from './arrow-file.js';
import { type FilePart, type FileRead, slices } from './batch-slices.js';
import { reserveScratch } from './core-buffer.js';

/** Bytes of a file that are read at a time: long enough that reads cost little, short enough for the caches. */
export const PART_BYTES = 16_777_216;

/**
 * Reads a file part by part into the core's memory and yields each part as messages of an Arrow stream, schema first. A
 * part is valid until the next one is requested. While one is processed, the next is read to a second buffer. The
 * buffers are released at the end.
 *
 * Throws FileError, FormatError if the file ends early, and CoreError if there is not enough memory.
 */
export async function* doubleBufferedParts(core: Core, file: ArrowFile): AsyncGenerator<Uint8Array> {
  const { memory } = core;
  const mark = memory.mark();
  const longest = longestPart(file, PART_BYTES);
  const bytes = file.prefix.length + longest;
  // A batch that can only be read at once may be as long as half the memory: then there is one buffer.
  const buffers = longest > 4 * PART_BYTES ? 1 : 2;
  const addresses: number[] = [];
  const parts = fileParts(file, PART_BYTES);
  let turn = 0;
  const readNext = () => {
    const { value: part } = parts.next();
    const read = part && readPart(core, file, part, addresses[turn++ % buffers]);
    // It may fail before it is awaited; this keeps the runtime from reporting an unhandled rejection.
    read?.catch(() => undefined);
    return read;
  };
  let reading: ReturnType<typeof readNext>;
  try {
    while (addresses.length < buffers) addresses.push(memory.allocate(bytes));
    reserveScratch(core);
    reading = readNext();
    while (reading !== undefined) {
      const buffer = await reading;
      reading = buffers > 1 ? readNext() : undefined;
      yield memory.bytes(buffer.address, buffer.length);
      reading ??= readNext();
    }
  } finally {
    // A read in progress still writes to its buffer.
    await reading?.catch(() => undefined);
    memory.release(mark);
  }
}

async function readPart(
  { memory }: Core,
  { access, prefix }: ArrowFile,
  { head, bytes, reads }: FilePart,
  address: number,
): Promise<{ address: number; length: number }> {
  const length = prefix.length + bytes;
  const buffer = memory.bytes(address, length);
  buffer.set(prefix);
  if (head !== undefined) buffer.set(head, prefix.length);
  const all = await Promise.allSettled(
    reads.map(({ from, to, length: count }) => {
      const start = prefix.length + to;
      return access.read(from, buffer.subarray(start, start + count));
    }),
  );
  for (const read of all) if (read.status === 'rejected') throw read.reason;
  return { address, length };
}

/**
 * The parts in which a file is read, of up to `bytes` bytes if its batches allow: neighbours together, long ones in
 * slices.
 */
function* fileParts({ batches }: ArrowFile, bytes: number): Generator<FilePart> {
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
      // Neighbouring bytes are read at once.
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
function longestPart(file: ArrowFile, bytes: number): number {
  let longest = 0;
  for (const part of fileParts(file, bytes)) longest = Math.max(longest, part.bytes);
  return longest;
}

function bytesOf({ metadataBytes, bodyBytes }: FileBatch): number {
  return metadataBytes + bodyBytes;
}
