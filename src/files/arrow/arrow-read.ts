import { RecordBatchReader, Table } from 'apache-arrow';
import { DataError, FormatError, isPlumecastError } from '../../errors.js';
import { columnWithShortBuffers } from '../../table/arrow/own-table.js';
import { quickSchema } from '../../table/arrow/table-schema.js';
import { registerCodecs } from '../codecs/compression.js';
import { readFileMessages } from './arrow-file-messages.js';
import { type ArrowFooter, HEAD_BYTES, MAGIC, readArrowFooter, TAIL_BYTES } from './arrow-footer.js';
import { assertBatchLayouts } from './arrow-layout.js';
import {
  type ArrowMessages,
  aligned,
  type BatchPlace,
  CONTINUATION,
  messagePrefix,
  PREFIX_BYTES,
  truncated,
  walkArrowMessages,
} from './arrow-messages.js';
import { footerWithBlocks, type MessageBlock } from './flatbuffer-vectors.js';
import { unknownType } from './unknown-type.js';

/**
 * Reads an Arrow IPC stream, bodies plain or compressed (LZ4_FRAME, ZSTD).
 *
 * Columns view `bytes` in place if bodies are plain and 8-byte aligned. Throws a FormatError if the stream is truncated
 * (one without its end-of-stream marker is), corrupt, or followed by anything but zeros, and a DataError if it has no
 * rows.
 */
export async function readArrowStream(bytes: Uint8Array, source: string): Promise<Table> {
  return readNonEmptyTable(await checkStream(bytes, source), source);
}

/**
 * Reads an Arrow IPC file (Feather version 2) by its footer, bodies plain or compressed (LZ4_FRAME, ZSTD).
 *
 * Columns view `bytes` in place if bodies are plain and 8-byte aligned. Throws a FormatError if the file is truncated
 * or corrupt, and a DataError if it has no rows.
 */
export async function readArrowFile(bytes: Uint8Array, source: string): Promise<Table> {
  return readNonEmptyTable(await checkFile(bytes, source), source);
}

/** Checks a stream as `readArrowStream` does; returns its bytes. */
export async function checkStream(bytes: Uint8Array, source: string): Promise<Uint8Array> {
  const messages = walkArrowMessages(bytes, source);
  if (!messages.ended) throw truncated(source, messages);
  const { schema } = messages;
  if (schema === undefined) throw new FormatError({ subject: source, problem: 'is an Arrow stream without a schema' });
  const trailing = bytes.subarray(messages.end);
  if (trailing.some((byte) => byte !== 0)) {
    throw new FormatError({
      subject: source,
      problem: 'goes on after the end of its Arrow stream',
      received: `${trailing.length} more bytes`,
      allowed: 'one stream a file',
    });
  }
  assertBatchLayouts(bytes, messages, schema, source);
  await registerCodecs(messages.compressions, source);
  return bytes;
}

/** Checks a file as `readArrowFile` does; returns its bytes, or a copy of a file that apache-arrow cannot read as it is. */
export async function checkFile(bytes: Uint8Array, source: string): Promise<Uint8Array> {
  const footerEnd = bytes.length - TAIL_BYTES;
  const tail = String.fromCharCode(...bytes.subarray(Math.max(0, bytes.length - MAGIC.length)));
  if (footerEnd < HEAD_BYTES || tail !== MAGIC) throw truncatedFile(source);
  const footerLength = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt32(footerEnd, true);
  if (footerLength <= 0 || footerLength > footerEnd - HEAD_BYTES) throw truncatedFile(source);
  const footerStart = footerEnd - footerLength;
  const footerBytes = bytes.subarray(footerStart, footerEnd);
  const footer = checkedFooter(footerBytes, source);
  const messages = readFileMessages(bytes, footer, footerStart, source);
  assertBatchLayouts(bytes, messages, footer.schema, source);
  await registerCodecs(messages.compressions, source);
  return messages.arePacked ? bytes : packFile(bytes, footerBytes, messages);
}

function checkedFooter(bytes: Uint8Array, source: string): ArrowFooter {
  try {
    return readArrowFooter(bytes);
  } catch (cause) {
    throw (
      unknownType(cause, source, { metadata: bytes, form: 'footer' }) ??
      new FormatError({ subject: source, problem: 'has a corrupt Arrow footer', cause })
    );
  }
}

/** The error for a file whose end is missing. */
function truncatedFile(source: string): FormatError {
  return new FormatError({
    subject: source,
    problem: 'is a truncated Arrow file',
    allowed: 'a file that ends with its footer and ARROW1',
  });
}

/** Reads bytes that were checked. Throws a DataError if they have no rows. */
export function readNonEmptyTable(bytes: Uint8Array, source: string): Table {
  const table = readMessageTable(bytes, source);
  if (table.numRows > 0) return table;
  throw noRows(source);
}

/** The error for a file or stream without rows. */
export function noRows(source: string): DataError {
  return new DataError({ source, problem: 'has no rows', allowed: 'at least one row' });
}

/** Reads messages that have been walked over, schema first. Throws a FormatError if they are corrupt. */
export function readMessageTable(bytes: Uint8Array, source: string): Table {
  try {
    const table = tableFromIpc(bytes);
    const names = table.schema.fields.map((field) => field.name);
    for (const { data } of table.batches) {
      const short = columnWithShortBuffers(data.children, names);
      if (short !== undefined) {
        throw new FormatError({
          subject: source,
          problem: `has too few bytes for the column ${short}, or contradicts itself there`,
        });
      }
    }
    return table;
  } catch (cause) {
    if (isPlumecastError(cause)) throw cause;
    if (isUndecodable(bytes)) {
      throw new FormatError({
        subject: source,
        problem: 'cannot be read in shared memory here: the TextDecoder of this runtime rejects it',
        allowed: 'Arrow data in ordinary memory; the values of columns can be put in shared memory one by one',
        cause,
      });
    }
    throw new FormatError({ subject: source, problem: 'holds corrupt Arrow data', cause });
  }
}

/** Browsers do not decode text in shared memory. */
function isUndecodable({ buffer }: Uint8Array): boolean {
  if (typeof SharedArrayBuffer === 'undefined' || !(buffer instanceof SharedArrayBuffer)) return false;
  try {
    new TextDecoder().decode(new Uint8Array(buffer, 0, 0));
    return false;
  } catch {
    return true;
  }
}

/**
 * Does the same as apache-arrow's `tableFromIPC`, in a time that does not grow with the square of the number of
 * columns.
 */
export function tableFromIpc(bytes: Uint8Array): Table {
  const reader = RecordBatchReader.from(bytes);
  reader.open();
  if (reader.schema !== undefined) quickSchema(reader.schema);
  return new Table(reader.readAll());
}

/**
 * A copy of an Arrow IPC file in which each body begins right behind its message, at a multiple of 64 bytes, as
 * apache-arrow expects.
 */
function packFile(bytes: Uint8Array, footer: Uint8Array, messages: ArrowMessages): Uint8Array {
  let end = HEAD_BYTES;
  const moves: { place: BatchPlace; block: MessageBlock }[] = [];
  const createBlocks = (places: readonly BatchPlace[]) =>
    places.map((place): MessageBlock => {
      const metadataBytes = aligned(end + PREFIX_BYTES + metadataOf(bytes, place).length) - end;
      const block = { offset: end, metadataBytes, bodyBytes: aligned(place.end - place.start) };
      end += metadataBytes + block.bodyBytes;
      moves.push({ place, block });
      return block;
    });
  const blocks = { dictionaries: createBlocks(messages.dictionaries), recordBatches: createBlocks(messages.batches) };
  const file = new Uint8Array(end + footer.length + TAIL_BYTES);
  const view = new DataView(file.buffer);
  for (const { place, block } of moves) {
    view.setUint32(block.offset, CONTINUATION, true);
    view.setUint32(block.offset + 4, block.metadataBytes - PREFIX_BYTES, true);
    file.set(metadataOf(bytes, place), block.offset + PREFIX_BYTES);
    file.set(bytes.subarray(place.start, place.end), block.offset + block.metadataBytes);
  }
  file.set(footerWithBlocks(footer, blocks), end);
  view.setInt32(end + footer.length, footer.length, true);
  const magic = new TextEncoder().encode(MAGIC);
  file.set(magic);
  file.set(magic, file.length - magic.length);
  return file;
}

function metadataOf(bytes: Uint8Array, { at }: BatchPlace): Uint8Array {
  const { prefix, length } = messagePrefix(bytes, at);
  return bytes.subarray(at + prefix, at + prefix + length);
}
