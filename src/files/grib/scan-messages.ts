import { FormatError } from '../../errors.js';
import type { RandomAccess } from '../array/random-access.js';
import { grib2End, readGrib2, shortMessage, truncated } from './grib2-message.js';
import { MessageDamage, messageError, tooManyDamaged } from './message-error.js';
import type { ByteRange, Grib1Field, GribFault, GribField, GribGap, MessagePlace } from './messages.js';
import { SlidingWindow } from './sliding-window.js';

/** So many damaged messages are read in any file, and one more for each of so many bytes. */
const MAX_DAMAGED = 100;
const BYTES_OF_DAMAGED = 8192;
/** A message has at least so many bytes: fewer can hide none, such as the lengths of records in files of Fortran. */
const MIN_MESSAGE = 52;
/** A rest of so many bytes may be the length of a record. */
const RECORD_LENGTH = 8;
/** Bytes that are looked at together. */
const PART_BYTES = 262_144;
/** The heading of a bulletin, with lines before and after it, is not longer. */
const MAX_HEADING = 512;
const END_TEXT = '7777';

/** A field of a file, a message that is damaged, or bytes outside of messages. */
export type Scanned = GribField | Grib1Field | GribFault | GribGap;

/**
 * The fields of a GRIB file in the order in which they are stored, with what their headers say; packed values are not
 * read. A damaged message gives a fault, and the file is read on behind it; its fields before the damage have been given
 * by then. What lies between messages is skipped, and gives a fault or a gap if it may hide a message, see
 * `bytesBetween`. Where damaged messages are so many that they cannot be messages, the last fault says so, and the rest
 * is not read. A file without any message gives nothing.
 *
 * Reads about 4 KiB for each message, where its sections begin and where it ends, unless there is something between
 * messages. Throws FileError where the file cannot be read.
 */
export async function* scanMessages(access: RandomAccess): AsyncGenerator<Scanned> {
  const window = new SlidingWindow(access);
  // After a message without an end, messages are read only after their end is found: the time stays linear.
  let isBroken = false;
  let message = 0;
  let damaged = 0;
  let firstDamage = '';
  // What follows a damaged message may belong to it.
  let isAfterDamage = false;
  for (let from = 0; ; ) {
    const found = await window.find(from);
    if (!isAfterDamage && (found !== undefined || message > 0)) {
      const between = await bytesBetween(window, from, found ?? window.size);
      if (between instanceof FormatError)
        yield { kind: 'fault', source: access.source, message, offset: from, error: between };
      else if (between !== undefined) yield { kind: 'gap', ...between };
    }
    if (found === undefined) return;
    const at = found;
    isAfterDamage = false;
    const place = { source: access.source, message: ++message, offset: at };
    let end: number | undefined;
    try {
      const isFirst = await isEdition1(window, at);
      end = isFirst ? await grib1End(window, at) : await grib2End(window, at);
      if (isBroken && !(await hasEnd(window, end))) throw missingEnd();
      if (isFirst) yield await readGrib1(window, place, end);
      else yield* readGrib2(window, place, end);
      if (!(await hasEnd(window, end))) throw missingEnd();
      from = end;
    } catch (error) {
      if (!(error instanceof MessageDamage)) throw error;
      const fault = messageError(place, error.section, error.parts);
      yield { kind: 'fault', ...place, error: fault };
      if (damaged === 0) firstDamage = fault.message.slice(`${access.source}, `.length);
      const isEnclosed = end !== undefined && (await hasEnd(window, end));
      isBroken ||= !isEnclosed && error.end === undefined;
      isAfterDamage = !isEnclosed && error.end === undefined;
      from = error.end ?? (isEnclosed ? end! : at + 4);
      if (++damaged <= MAX_DAMAGED + from / BYTES_OF_DAMAGED) continue;
      yield { kind: 'fault', ...place, error: tooManyDamaged(place, damaged, firstDamage), isEnd: true };
      return;
    }
  }
}

/**
 * The fields of the message at a place of a file, and where it ends; undefined where none begins there, or it is
 * damaged. Throws FileError where the file cannot be read.
 */
export async function readMessageAt(
  window: SlidingWindow,
  place: MessagePlace,
): Promise<{ readonly fields: readonly (GribField | Grib1Field)[]; readonly end: number } | undefined> {
  const { offset } = place;
  if (!(await window.startsAt(offset))) return undefined;
  try {
    const isFirst = await isEdition1(window, offset);
    const end = isFirst ? await grib1End(window, offset) : await grib2End(window, offset);
    const fields: (GribField | Grib1Field)[] = [];
    if (isFirst) fields.push(await readGrib1(window, place, end));
    else for await (const field of readGrib2(window, place, end)) fields.push(field);
    return (await hasEnd(window, end)) ? { fields, end } : undefined;
  } catch (error) {
    if (error instanceof MessageDamage) return undefined;
    throw error;
  }
}

async function isEdition1(window: SlidingWindow, at: number): Promise<boolean> {
  return (await window.bytes(at, 8))[7] === 1;
}

async function hasEnd(window: SlidingWindow, end: number): Promise<boolean> {
  return (await window.bytes(end - 4, 4)).every((byte) => byte === 0x37);
}

function missingEnd(): MessageDamage {
  return new MessageDamage(8, { problem: 'is not where the length of the message says', allowed: 'the text 7777' });
}

/**
 * What is to be said of the bytes between two messages, before the first one or behind the last one; undefined where
 * they are none, or what tools put there: blanks, headings and lines around the bulletins of the WMO, lengths of records.
 * A fault where they may hide a message. A gap where they are usual, too, but may be a lost message: a run of zeros, as
 * long as a message or longer, in front of the first message a head of the file without the end of a message, like HIRLAM
 * writes it, and behind the last one a rest that is shorter than a message.
 */
async function bytesBetween(
  window: SlidingWindow,
  from: number,
  to: number,
): Promise<FormatError | Omit<GribGap, 'kind'> | undefined> {
  const length = to - from;
  if (length < MIN_MESSAGE) return to < window.size ? undefined : restOfFile(window, from);
  let areZeros = true;
  let isPadding = true;
  let isHeading = length <= MAX_HEADING;
  let end: number | undefined;
  for (let at = from; at < to; at += PART_BYTES) {
    // An end may lie across two parts.
    const start = Math.max(from, at - END_TEXT.length + 1);
    const count = Math.min(at + PART_BYTES, to) - start;
    const bytes = await window.bytes(start, count, count);
    areZeros &&= bytes.every((byte) => byte === 0);
    if (areZeros) continue;
    isPadding &&= bytes.every((byte) => byte === 0 || byte === 0x20);
    if (isPadding) continue;
    isHeading &&= bytes.every(isOfHeading);
    if (isHeading) continue;
    const found = latin1.decode(bytes).indexOf(END_TEXT);
    if (found >= 0) end ??= start + found + END_TEXT.length;
  }
  if (areZeros) return { bytes: length, what: 'zeros' };
  if (isPadding || isHeading) return undefined;
  if (from === 0 && end === undefined) return { bytes: length, what: 'head' };
  const hidden =
    end === undefined ? '' : `, and hold the end of one (${END_TEXT}) before byte ${end}: its beginning is damaged`;
  return new FormatError({
    subject: `${window.source}, bytes ${from} to ${to}`,
    problem: `${length} bytes lie between messages${hidden}`,
    allowed: 'GRIB messages one after the other, with padding or headings between them',
  });
}

/** What is to be said of less than a message at the end of a file. */
async function restOfFile(
  window: SlidingWindow,
  from: number,
): Promise<FormatError | Omit<GribGap, 'kind'> | undefined> {
  const length = window.size - from;
  if (length === 0) return undefined;
  const bytes = await window.bytes(from, length);
  if (length >= 4 && latin1.decode(bytes.subarray(0, 4)) === 'GRIB') {
    return new FormatError({
      subject: `${window.source}, bytes ${from} to ${window.size}`,
      problem: `a message is cut: it has ${length} bytes`,
      allowed: 'whole GRIB messages',
    });
  }
  return length <= RECORD_LENGTH || bytes.every(isOfHeading) ? undefined : { bytes: length, what: 'rest' };
}

/** Text, blanks, and the controls around bulletins: `SMVX21 EGRR 150000` between \\x01 and \\x03. */
function isOfHeading(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d) || [0, 1, 3].includes(byte);
}

const latin1 = new TextDecoder('latin1');

/** The bytes of section 0 and of section 5, the end. */
const [START, END] = [8, 4];
/** The bytes that each section has, whatever is in it. */
const MIN_BYTES = [START, 28, 6, 6, 11];
/** A length with this bit counts units of 120 bytes, if section 4 says that it has fewer bytes than such a unit. */
const LARGE = 0x80_0000;
const UNIT = 120;

interface Sections {
  readonly section1: ByteRange;
  readonly section2: ByteRange | undefined;
  readonly section3: ByteRange | undefined;
  readonly section4: ByteRange;
}

/**
 * Where a message of edition 1 ends, by its length. Messages of more than 8 MB count in units of 120 bytes, and section
 * 4 has the number of bytes by which these are too many (the rule of ECMWF, which all software follows). Throws
 * MessageDamage where the file ends earlier.
 */
async function grib1End(window: SlidingWindow, offset: number): Promise<number> {
  const stated = uint24(await window.bytes(offset, START), 4);
  const least = START + MIN_BYTES[1] + MIN_BYTES[4] + END;
  let length = stated;
  if (stated >= LARGE) {
    const { section4 } = await findSections(window, offset, window.size);
    if (section4.length < UNIT) length = (stated - LARGE) * UNIT - section4.length + END;
  }
  if (length < least) throw shortMessage(length, least);
  if (length > window.size - offset) throw truncated(length, window.size - offset);
  return offset + length;
}

/** The field of a message of edition 1 that ends at `end`. Throws MessageDamage. */
async function readGrib1(window: SlidingWindow, place: MessagePlace, end: number): Promise<Grib1Field> {
  const sections = await findSections(window, place.offset, end);
  const { offset, length } = sections.section4;
  const most = end - END - offset;
  const isLarge = uint24(await window.bytes(place.offset, START), 4) >= LARGE && length < UNIT;
  if (length > most || most < MIN_BYTES[4] || (length < MIN_BYTES[4] && !isLarge)) throw wrongLength(4, length, most);
  return {
    ...{ kind: 'field', edition: 1, ...place, field: 1, length: end - place.offset },
    section1: await window.copy(sections.section1.offset, sections.section1.length),
    section2: sections.section2 && (await window.copy(sections.section2.offset, sections.section2.length)),
    section3: sections.section3,
    section4: { offset, length: isLarge ? most : length },
  };
}

/** Where the sections are; section 4 with the length that it states. */
async function findSections(window: SlidingWindow, start: number, end: number): Promise<Sections> {
  let at = start + START;
  const next = async (section: number): Promise<ByteRange> => {
    const most = end - END - at;
    if (most < 3) throw wrongLength(section, 0, most);
    const range = { offset: at, length: uint24(await window.bytes(at, 3), 0) };
    if (section < 4 && (range.length < MIN_BYTES[section] || range.length > most))
      throw wrongLength(section, range.length, most);
    at += range.length;
    return range;
  };
  const section1 = await next(1);
  const flags = (await window.bytes(section1.offset, 8))[7];
  const section2 = flags & 0x80 ? await next(2) : undefined;
  const section3 = flags & 0x40 ? await next(3) : undefined;
  return { section1, section2, section3, section4: await next(4) };
}

function wrongLength(section: number, length: number, most: number): MessageDamage {
  return new MessageDamage(section, {
    problem: 'has a length that is shorter than its fixed part or reaches beyond the message',
    received: length,
    allowed: `${MIN_BYTES[section]} to ${most}`,
  });
}

function uint24(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2];
}
