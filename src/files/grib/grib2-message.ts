import { MessageDamage } from './message-error.js';
import type { ByteRange, GribField, MessagePlace } from './messages.js';
import type { SlidingWindow } from './sliding-window.js';

/** The bytes of section 0 and of section 8. */
const [START, END] = [16, 4];
/** The bytes that each section has, whatever its template. */
const MIN_BYTES = [START, 21, 5, 14, 9, 11, 6, 5];
/** What may follow each section; 8 is the end. */
const NEXT = [[1], [2, 3], [3], [4], [5], [6], [7], [2, 3, 4, 8]];
/** More than any section of headers has: lists of the points of each row, of levels, of members. */
const MAX_HEADER = 16_777_216;
const PREVIOUS_BITMAP = 254;
const NO_BITMAP = 255;

/** Where a message of edition 2 ends, by its length. Throws MessageDamage where the file ends earlier. */
export async function grib2End(window: SlidingWindow, offset: number): Promise<number> {
  const left = window.size - offset;
  if (left < START) throw truncated(START, left);
  const header = viewOf(await window.bytes(offset, START));
  const length = Number(header.getBigUint64(8));
  const least = MIN_BYTES.reduce((sum, bytes) => sum + bytes, END - MIN_BYTES[2]);
  if (length < least) throw shortMessage(length, least);
  if (length > left) throw truncated(length, left);
  return offset + length;
}

export function shortMessage(length: number, least: number): MessageDamage {
  return new MessageDamage(0, {
    problem: 'says that the message is shorter than its sections can be',
    received: length,
    allowed: `at least ${least} bytes`,
  });
}

export function truncated(needed: number, left: number): MessageDamage {
  return new MessageDamage(0, {
    problem: `the message is truncated: it needs ${needed} bytes, and the file has ${left} from here on`,
    allowed: 'a complete file',
  });
}

/** The fields of a message of edition 2 that ends at `end`. Throws MessageDamage. */
export async function* readGrib2(window: SlidingWindow, place: MessagePlace, end: number): AsyncGenerator<GribField> {
  const discipline = (await window.bytes(place.offset, START))[6];
  const headers: Uint8Array[] = [];
  let bitmapIndicator = NO_BITMAP;
  let section6: ByteRange = { offset: 0, length: 0 };
  let ownBitmap: ByteRange | undefined;
  let field = 0;
  let before = 0;
  for (let at = place.offset + START; ; ) {
    const { number, length } = await readHead(window, at, end, before);
    if (number === 8) return;
    if (number === 6) {
      bitmapIndicator = (await window.bytes(at, 6))[5];
      section6 = { offset: at, length };
      if (bitmapIndicator === 0) ownBitmap = section6;
      if (bitmapIndicator === PREVIOUS_BITMAP) {
        if (ownBitmap === undefined) throw noPreviousBitmap();
        bitmapIndicator = 0;
        section6 = ownBitmap;
      }
    } else if (number === 7) {
      yield {
        ...{ kind: 'field', edition: 2, ...place, field: ++field, length: end - place.offset, discipline },
        ...{ section1: headers[1], section3: headers[3], section4: headers[4], section5: headers[5] },
        ...{ bitmapIndicator, section6, section7: { offset: at, length } },
      };
    } else if (number !== 2) {
      if (length > MAX_HEADER) {
        const allowed = `at most ${MAX_HEADER}`;
        throw new MessageDamage(number, { problem: 'has more bytes than are read', received: length, allowed });
      }
      headers[number] = await window.copy(at, length);
    }
    before = number;
    at += length;
  }
}

/** The number and the length of the section at `at`, which follows section `before`; number 8 is the end. */
async function readHead(window: SlidingWindow, at: number, end: number, before: number) {
  const expected = NEXT[before];
  const bytes = await window.bytes(at, Math.min(5, end - at));
  if (before === 7 && bytes.length >= END && bytes.subarray(0, END).every((byte) => byte === 0x37)) {
    if (at + END === end) return { number: 8, length: END };
    const parts = {
      problem: 'stands before the end that the length of the message says',
      received: `byte ${at}`,
      allowed: `byte ${end - END}`,
    };
    throw new MessageDamage(8, parts, at + END);
  }
  if (bytes.length < 5)
    throw new MessageDamage(before, {
      problem: 'is followed by fewer bytes than a section has',
      allowed: names(expected),
    });
  const number = bytes[4];
  if (!expected.includes(number))
    throw new MessageDamage(before, {
      problem: 'is followed by another section',
      received: number,
      allowed: names(expected),
    });
  const length = viewOf(bytes).getUint32(0);
  const most = end - END - at;
  if (length < MIN_BYTES[number] || length > most) {
    const problem = 'has a length that is shorter than its fixed part or reaches beyond the message';
    throw new MessageDamage(number, { problem, received: length, allowed: `${MIN_BYTES[number]} to ${most}` });
  }
  return { number, length };
}

function names(sections: readonly number[]): string {
  return sections.map((number) => (number === 8 ? 'the end of the message' : `section ${number}`)).join(' or ');
}

function noPreviousBitmap(): MessageDamage {
  return new MessageDamage(6, {
    problem: 'refers to a previous bitmap (indicator 254), and the message has none before it',
    allowed: 'a bitmap of an earlier field of the same message',
  });
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
