import { shortMessage, truncated } from './grib2-message.js';
import { MessageDamage } from './message-error.js';
import type { ByteRange, Grib1Field, MessagePlace } from './messages.js';
import type { SlidingWindow } from './sliding-window.js';

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
export async function grib1End(window: SlidingWindow, offset: number): Promise<number> {
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
export async function readGrib1(window: SlidingWindow, place: MessagePlace, end: number): Promise<Grib1Field> {
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
