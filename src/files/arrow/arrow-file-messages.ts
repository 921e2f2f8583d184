import { FormatError } from '../../errors.js';
import { type ArrowFooter, HEAD_BYTES } from './arrow-footer.js';
import { type ArrowMessages, type BatchPlace, messagePrefix, noMessages, readMessage } from './arrow-messages.js';
import { type MessageBlock, messageKind } from './flatbuffer-vectors.js';

/** Padding may make a block longer than its message and body, by less than this. */
const MAX_PADDING = 64;
const ALIGNMENT = 8;
const CONTINUATION = 0xffffffff;

/** The messages of a file, as its footer lists them. */
export interface FileMessages extends ArrowMessages {
  /** Whether each body begins where its message says; false if only the footer counts the padding before it. */
  arePacked: boolean;
}

/**
 * The dictionaries and record batches that the footer of a file lists, in its order; `end` is where the footer begins.
 * Other content of the file does not matter, unless it is a batch or a dictionary. Throws a FormatError if a block of
 * the footer is not a message, if two overlap, or if a batch is not listed.
 */
export function readFileMessages(bytes: Uint8Array, footer: ArrowFooter, end: number, source: string): FileMessages {
  const found: FileMessages = { ...noMessages(HEAD_BYTES), hasSchema: true, arePacked: true };
  const places: BatchPlace[] = [];
  for (const kind of ['dictionary', 'record batch'] as const) {
    const blocks = kind === 'dictionary' ? footer.dictionaries : footer.recordBatches;
    blocks.forEach((block, index) => {
      const name = `${kind} ${index + 1}`;
      const corrupt = (problem: string) => corruptFooter(source, `${name}, at byte ${block.offset}, ${problem}`);
      if (!isInFile(block, end)) throw corrupt('does not lie before the footer');
      const { prefix, length } = messagePrefix(bytes, block.offset);
      const own = prefix + length;
      const bodyAt = block.offset + bodyOffset(bytes, block, own, corrupt);
      if (own <= prefix || bodyAt > end) throw corrupt('is not a message');
      const metadata = bytes.subarray(block.offset + prefix, Math.min(block.offset + own, end));
      const { bodyLength, header, dictionary } = readMessage(metadata, found, source);
      if (header === undefined || (dictionary !== undefined) !== (kind === 'dictionary')) {
        throw corrupt('is a message of another kind');
      }
      const padding = block.bodyBytes - bodyLength;
      if (!(padding >= 0 && padding < MAX_PADDING) || bodyAt + bodyLength > end) {
        throw corrupt(`has ${block.bodyBytes} bytes by the footer, but says ${bodyLength} itself`);
      }
      if (bodyAt !== block.offset + own) found.arePacked = false;
      const place = { header, at: block.offset, start: bodyAt, end: bodyAt + bodyLength };
      places.push(place);
      if (dictionary === undefined) found.batches.push(place);
      else found.dictionaries.push({ ...place, id: dictionary });
    });
  }
  assertAllListed(bytes, places, end, source);
  return found;
}

function isInFile({ offset, metadataBytes, bodyBytes }: MessageBlock, end: number): boolean {
  return offset >= HEAD_BYTES && metadataBytes > 0 && bodyBytes >= 0 && offset + metadataBytes + ALIGNMENT <= end;
}

/**
 * The offset of the body in a block: after the message, whose length `own` may not count the padding that the footer
 * counts.
 */
function bodyOffset(
  bytes: Uint8Array,
  { offset, metadataBytes }: MessageBlock,
  own: number,
  corrupt: (problem: string) => FormatError,
): number {
  if (Math.abs(metadataBytes - own) >= MAX_PADDING) {
    throw corrupt(`has ${metadataBytes} bytes of metadata by the footer, but says ${own} itself`);
  }
  if (metadataBytes <= own) return own;
  if (bytes.subarray(offset + own, offset + metadataBytes).every((byte) => byte === 0)) return metadataBytes;
  throw corrupt(`has ${metadataBytes} bytes of metadata by the footer, but says ${own} itself`);
}

function assertAllListed(bytes: Uint8Array, places: BatchPlace[], end: number, source: string): void {
  let at = HEAD_BYTES;
  const limit = { at: end, end };
  for (const place of [...places.sort((a, b) => a.at - b.at), limit]) {
    if (place.at < at) throw corruptFooter(source, `two messages overlap at byte ${place.at}`);
    const unlisted = findBatch(bytes, at, place.at);
    if (unlisted !== undefined) throw corruptFooter(source, `it leaves out what lies at byte ${unlisted}`);
    at = place.end;
  }
}

/**
 * The place of a batch or a dictionary between two places of a file; undefined if there is none. There may be the
 * message of the schema, an end-of-stream marker, padding, and a schema without a message, as Polars writes it.
 */
export function findBatch(bytes: Uint8Array, from: number, to: number): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = from; at + ALIGNMENT <= to; ) {
    const mayBegin = at === from || view.getUint32(at, true) === CONTINUATION;
    const message = mayBegin ? messageAt(bytes, at, to) : undefined;
    if (message !== undefined && message.kind !== 'schema') return at;
    at = message === undefined ? nextAligned(at) : message.end;
  }
  return undefined;
}

function nextAligned(at: number): number {
  return (Math.floor(at / ALIGNMENT) + 1) * ALIGNMENT;
}

function messageAt(bytes: Uint8Array, at: number, to: number): { kind: string; end: number } | undefined {
  const { prefix, length } = messagePrefix(bytes, at);
  const end = at + prefix + length;
  if (length === 0 || end > to) return undefined;
  const kind = messageKind(bytes.subarray(at + prefix, end));
  return kind && { kind, end };
}

function corruptFooter(source: string, problem: string): FormatError {
  return new FormatError({ subject: source, problem: `has a corrupt Arrow footer: ${problem}` });
}
