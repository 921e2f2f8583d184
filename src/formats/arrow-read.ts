import type { Table } from 'apache-arrow';
import { columnWithShortBuffers } from '../arrow/short-buffers.js';
import { DataError, FormatError, isPlumecastError } from '../errors.js';
import { type ArrowFooter, HEAD_BYTES, MAGIC, readArrowFooter, TAIL_BYTES } from './arrow-footer.js';
import { assertBatchLayouts } from './arrow-layout.js';
import { type ArrowMessages, type BatchPlace, truncated, walkArrowMessages } from './arrow-messages.js';
import { registerCodecs } from './compression.js';
import { detectFormat } from './detect-format.js';
import type { MessageBlock } from './flatbuffer-vectors.js';
import { tableFromIpc } from './table-from-ipc.js';

/**
 * Reads an Arrow IPC file or stream, told apart by content, as `readArrowFile` and `readArrowStream` do. Throws a FormatError for
 * any other format.
 */
export async function readArrow(bytes: Uint8Array, source: string): Promise<Table> {
  const format = detectFormat(bytes, source);
  if (format === 'arrow-file') return readArrowFile(bytes, source);
  if (format === 'arrow-stream') return readArrowStream(bytes, source);
  throw new FormatError({
    subject: source,
    problem: 'is not Arrow',
    received: format,
    allowed: 'an Arrow IPC file or stream',
  });
}

/**
 * Reads an Arrow IPC stream, bodies plain or compressed (LZ4_FRAME, ZSTD).
 *
 * Columns view `bytes` in place where bodies are plain and 8-byte aligned. Throws a FormatError where the stream is cut
 * (one without its end-of-stream marker is), corrupt, or followed by anything but zeros, and a DataError where it has no
 * rows.
 */
export async function readArrowStream(bytes: Uint8Array, source: string): Promise<Table> {
  const messages = walkArrowMessages(bytes, { start: 0, end: bytes.length, hasSchema: false }, source);
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
  return tableOf(bytes, source);
}

/**
 * Reads an Arrow IPC file (Feather version 2), bodies plain or compressed (LZ4_FRAME, ZSTD).
 *
 * Columns view `bytes` in place where bodies are plain and 8-byte aligned. Throws a FormatError where the file is cut or
 * corrupt, and a DataError where it has no rows.
 */
export async function readArrowFile(bytes: Uint8Array, source: string): Promise<Table> {
  const footerEnd = bytes.length - TAIL_BYTES;
  const tail = String.fromCharCode(...bytes.subarray(Math.max(0, bytes.length - MAGIC.length)));
  if (footerEnd < HEAD_BYTES || tail !== MAGIC) throw truncatedFile(source);
  const footerLength = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt32(footerEnd, true);
  if (footerLength <= 0 || footerLength > footerEnd - HEAD_BYTES) throw truncatedFile(source);
  const footerStart = footerEnd - footerLength;
  const messages = walkArrowMessages(bytes, { start: HEAD_BYTES, end: footerStart, hasSchema: true }, source);
  const { schema } = checkedFooter(bytes.subarray(footerStart, footerEnd), messages, source);
  assertBatchLayouts(bytes, messages, schema, source);
  await registerCodecs(messages.compressions, source);
  return tableOf(bytes, source);
}

/** The footer of a file, which lists each of its messages of batches and dictionaries once. */
function checkedFooter(bytes: Uint8Array, messages: ArrowMessages, source: string): ArrowFooter {
  try {
    const footer = readArrowFooter(bytes);
    assertSamePlaces('record batches', footer.recordBatches, messages.batches);
    assertSamePlaces('dictionaries', footer.dictionaries, messages.dictionaries);
    return footer;
  } catch (cause) {
    throw new FormatError({ subject: source, problem: 'has a corrupt Arrow footer', cause });
  }
}

function assertSamePlaces(what: string, listed: readonly MessageBlock[], there: readonly BatchPlace[]): void {
  const offsets = new Set(listed.map(({ offset }) => offset));
  if (offsets.size === listed.length && listed.length === there.length && there.every(({ at }) => offsets.has(at)))
    return;
  throw new RangeError(`the footer lists ${listed.length} ${what}, which are not the ${there.length} in the file`);
}

function truncatedFile(source: string): FormatError {
  return new FormatError({
    subject: source,
    problem: 'is a truncated Arrow file',
    allowed: 'a file that ends with its footer and ARROW1',
  });
}

function tableOf(bytes: Uint8Array, source: string): Table {
  const table = tableOfMessages(bytes, source);
  if (table.numRows > 0) return table;
  throw new DataError({ source, problem: 'has no rows', allowed: 'at least one row' });
}

/** The table of messages that have been walked over, schema first. Throws a FormatError where they are corrupt. */
export function tableOfMessages(bytes: Uint8Array, source: string): Table {
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
    if (refusesText(bytes)) {
      throw new FormatError({
        subject: source,
        problem: 'cannot be read in shared memory here: the TextDecoder of this runtime refuses it',
        allowed: 'Arrow data in ordinary memory; the values of columns can be put in shared memory one by one',
        cause,
      });
    }
    throw new FormatError({ subject: source, problem: 'holds corrupt Arrow data', cause });
  }
}

/** Browsers decode no text of shared memory. */
function refusesText({ buffer }: Uint8Array): boolean {
  if (typeof SharedArrayBuffer === 'undefined' || !(buffer instanceof SharedArrayBuffer)) return false;
  try {
    new TextDecoder().decode(new Uint8Array(buffer, 0, 0));
    return false;
  } catch {
    return true;
  }
}
