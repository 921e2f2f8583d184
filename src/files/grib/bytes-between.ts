import { FormatError } from '../../errors.js';
import type { SlidingWindow } from './sliding-window.js';

/** A message has at least so many bytes: fewer can hide none, such as the lengths of records in files of Fortran. */
const MIN_MESSAGE = 52;
/** Bytes that are looked at together. */
const PIECE = 262_144;
/** The heading of a bulletin, with lines before and after it, is not longer. */
const MAX_HEADING = 512;
const END = '7777';

/**
 * The fault of the bytes between two messages, before the first one or behind the last one; undefined where they are
 * none, or what tools put there: padding, headings and lines around the bulletins of the WMO, lengths of records, and in
 * front of the first message a head of the file without the end of a message, as HIRLAM writes it.
 */
export async function bytesBetween(window: SlidingWindow, from: number, to: number): Promise<FormatError | undefined> {
  const length = to - from;
  if (length < MIN_MESSAGE) return undefined;
  let isPadding = true;
  let isHeading = length <= MAX_HEADING;
  let end: number | undefined;
  for (let at = from; at < to; at += PIECE) {
    // An end may lie across two pieces.
    const start = Math.max(from, at - END.length + 1);
    const bytes = await window.bytes(start, Math.min(at + PIECE, to) - start, Math.min(at + PIECE, to) - start);
    isPadding &&= bytes.every((byte) => byte === 0 || byte === 0x20);
    if (isPadding) continue;
    isHeading &&= bytes.every(isOfHeading);
    if (isHeading) continue;
    const found = latin1.decode(bytes).indexOf(END);
    if (found >= 0) end ??= start + found + END.length;
  }
  if (isPadding || isHeading || (from === 0 && end === undefined)) return undefined;
  const hidden =
    end === undefined ? '' : `, and hold the end of one (${END}) before byte ${end}: its beginning is damaged`;
  return new FormatError({
    subject: `${window.source}, bytes ${from} to ${to}`,
    problem: `${length} bytes lie between messages${hidden}`,
    allowed: 'GRIB messages one after the other, with padding or headings between them',
  });
}

/** Text, blanks, and the controls around bulletins: `SMVX21 EGRR 150000` between \\x01 and \\x03. */
function isOfHeading(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d) || [0, 1, 3].includes(byte);
}

const latin1 = new TextDecoder('latin1');
