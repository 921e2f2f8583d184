import { describe, expect, it } from 'vitest';
import { bytesAccess, type RandomAccess } from '../../../src/files/array/random-access.js';
import type { GribField } from '../../../src/files/grib/messages.js';
import { type Scanned, scanMessages } from '../../../src/files/grib/scan-messages.js';
import {
  bitmapSection,
  fieldMessage,
  joined,
  message,
  NO_BITMAP,
  SECTION_1,
  SECTION_4,
  section,
  section3,
  section5,
  UNSCALED,
  uint,
} from '../../reference/grib-message.js';

const packing = section5(0, 2, UNSCALED, 8, []);
const data = section(7, [1, 2]);
const simple = fieldMessage(2, packing, [1, 2]);
const JUNK = joined(
  [0, 71, 82, 73, 66],
  Array.from('\r\r\nSXUS40 KWBC GRIB\n', (letter) => letter.charCodeAt(0)),
  uint(0, 30),
);

async function scan(bytes: Uint8Array | RandomAccess): Promise<Scanned[]> {
  const all: Scanned[] = [];
  const access = bytes instanceof Uint8Array ? bytesAccess(bytes, 'a.grib2') : bytes;
  for await (const each of scanMessages(access)) all.push(each);
  return all;
}

async function fieldsOf(bytes: Uint8Array): Promise<GribField[]> {
  return (await scan(bytes)).map((each) => {
    if (each.kind === 'fault') throw each.error;
    if (each.kind === 'gap' || each.edition === 1) throw new Error('not of edition 2');
    return each;
  });
}

/** The places of fields, and the texts of faults. */
async function outline(bytes: Uint8Array): Promise<string[]> {
  return (await scan(bytes)).map((each) =>
    each.kind === 'gap'
      ? each.what
      : each.kind === 'fault'
        ? each.error.message
        : `message ${each.message} at ${each.offset}, field ${each.field}`,
  );
}

/** A message of edition 1 with a grid description and a bitmap. */
function message1(dataBytes: number, large = false): Uint8Array {
  const pds = joined(uint(28, 3), uint(0, 4), [0xc0], uint(0, 20));
  const gds = joined(uint(32, 3), uint(0, 29));
  const bms = joined(uint(7, 3), [0, 0, 0, 0xff]);
  const rest = 8 + 28 + 32 + 7 + 4;
  const units = Math.ceil((rest + dataBytes) / 120);
  const bds = joined(uint(large ? units * 120 - rest - dataBytes + 4 : dataBytes, 3), uint(0, dataBytes - 3));
  const length = large ? 0x80_0000 + units : rest + dataBytes;
  return joined([0x47, 0x52, 0x49, 0x42], uint(length, 3), [1], pds, gds, bms, bds, [0x37, 0x37, 0x37, 0x37]);
}

describe('scanMessages', () => {
  it('gives sections complete, and the ranges of those that it does not read', async () => {
    const [field] = await fieldsOf(joined([9, 9], simple));
    expect(field).toMatchObject({ edition: 2, message: 1, field: 1, offset: 2, length: simple.length, discipline: 0 });
    expect(field).toMatchObject({ section1: SECTION_1, section3: section3(2), section4: SECTION_4, section5: packing });
    const end = 2 + simple.length - 4;
    expect(field).toMatchObject({ bitmapIndicator: 255, section6: { offset: end - 7 - 6, length: 6 } });
    expect(field.section7).toEqual({ offset: end - 7, length: 7 });
  });

  it('gives all messages of a file, whatever is between them', async () => {
    const bytes = joined(JUNK, simple, JUNK, simple, simple, JUNK);
    const [first, second] = [JUNK.length, 2 * JUNK.length + simple.length];
    expect(await outline(bytes)).toEqual([
      `message 1 at ${first}, field 1`,
      `message 2 at ${second}, field 1`,
      `message 3 at ${second + simple.length}, field 1`,
    ]);
    expect(await outline(new Uint8Array(0))).toEqual([]);
    expect(await outline(JUNK)).toEqual([]);
  });

  it('finds a message behind a long piece of something else, wherever its first bytes lie', async () => {
    for (const length of [262_136, 262_137, 262_140, 262_144, 300_000]) {
      expect(await outline(joined(new Uint8Array(length), simple))).toEqual([
        'zeros',
        `message 1 at ${length}, field 1`,
      ]);
    }
  });

  it('gives the fields of a message that repeats sections from 2, 3 or 4 on', async () => {
    const other = section5(0, 3, UNSCALED, 8, []);
    const local = section(2, [1, 2, 3]);
    const fields = await fieldsOf(
      message(
        ...[SECTION_1, local, section3(2), SECTION_4, packing, NO_BITMAP, data],
        ...[SECTION_4, packing, NO_BITMAP, data],
        ...[section3(3), SECTION_4, other, NO_BITMAP, section(7, [1, 2, 3])],
        ...[local, section3(2), SECTION_4, packing, NO_BITMAP, data],
      ),
    );
    expect(fields.map(({ field }) => field)).toEqual([1, 2, 3, 4]);
    expect(fields[1].section3).toBe(fields[0].section3);
    expect(fields[2].section3).toEqual(section3(3));
    expect(fields[2].section1).toBe(fields[0].section1);
    expect(fields[3].section3).toEqual(section3(2));
  });

  it('resolves a previous bitmap to the one before it in the message', async () => {
    const bitmap = bitmapSection([true, true]);
    const again = [SECTION_4, packing, section(6, [254]), data];
    const fields = await fieldsOf(
      message(
        ...[SECTION_1, section3(2), SECTION_4, packing, bitmap, data, ...again],
        ...[SECTION_4, packing, NO_BITMAP, data, ...again],
      ),
    );
    expect(fields.map(({ bitmapIndicator }) => bitmapIndicator)).toEqual([0, 0, 255, 0]);
    expect(fields[1].section6).toEqual(fields[0].section6);
    expect(fields[3].section6).toEqual(fields[0].section6);
    const lonely = message(SECTION_1, section3(2), ...again);
    expect(await outline(joined(lonely, simple))).toEqual([
      'a.grib2, message 1 at byte 0, section 6: refers to a previous bitmap (indicator 254), and the message has none ' +
        'before it; allowed: a bitmap of an earlier field of the same message',
      `message 2 at ${lonely.length}, field 1`,
    ]);
  });

  it('reads headers only: a few thousand bytes of each message, however long its data are', async () => {
    const long = fieldMessage(1_000_000, section5(0, 1_000_000, UNSCALED, 8, []), new Uint8Array(1_000_000));
    const access = bytesAccess(joined(long, long), 'a.grib2');
    let read = 0;
    const counting: RandomAccess = {
      ...access,
      read: (at, into) => {
        read += into.length;
        return access.read(at, into);
      },
    };
    expect(await scan(counting)).toHaveLength(2);
    expect(read).toBeLessThan(20_000);
  });

  it('gives messages of edition 1, and large ones, whose lengths count units of 120 bytes', async () => {
    const [small, large] = [message1(50), message1(1234, true)];
    const fields = await scan(joined(small, JUNK, large, simple));
    expect(fields.map((each) => each.kind === 'field' && each.edition)).toEqual([1, 1, 2]);
    const at = small.length + JUNK.length;
    expect(fields[0]).toMatchObject({
      length: small.length,
      section3: { offset: 68, length: 7 },
      section4: { offset: 75, length: 50 },
    });
    expect(fields[1]).toMatchObject({ offset: at, length: large.length, section4: { offset: at + 75, length: 1234 } });
  });
});

describe('damaged messages', () => {
  /** The first message with some bytes changed, and a good one behind it. */
  const withBytes = (at: number, ...bytes: number[]) => {
    const changed = simple.slice();
    changed.set(bytes, at);
    return joined(changed, simple);
  };
  const FOUND = `message 2 at ${simple.length}, field 1`;

  it.each([
    ['has a section of no length', withBytes(16, 0, 0, 0, 0), 'section 1: has a length that is shorter than'],
    ['has a section beyond its end', withBytes(16, 255, 255, 255, 255), 'section 1: has a length that is shorter than'],
    ['has sections out of order', withBytes(41, 5), 'section 1: is followed by another section; received 5'],
    ['is shorter than it says', withBytes(8, 0, 0, 0, 0, 0, 0, 2, 0), 'section 0: the message is truncated'],
    ['says more than 2^53 bytes', withBytes(8, 255, 255, 255, 255), 'section 0: the message is truncated'],
    ['says no bytes', withBytes(8, 0, 0, 0, 0, 0, 0, 0, 0), 'section 0: says that the message is shorter'],
  ])('a message that %s is a fault, and the next one is found', async (_, bytes, text) => {
    const [fault, ...others] = await outline(bytes);
    expect(fault).toContain(`a.grib2, message 1 at byte 0, ${text}`);
    expect(others.at(-1)).toBe(FOUND);
  });

  it('a message without its end gives its fields and a fault, and the next one is found', async () => {
    expect(await outline(withBytes(simple.length - 1, 0x38))).toEqual([
      'message 1 at 0, field 1',
      'a.grib2, message 1 at byte 0, section 7: is followed by fewer bytes than a section has; ' +
        'allowed: section 2 or section 3 or section 4 or the end of the message',
      FOUND,
    ]);
  });

  it('a message that claims the one behind it is a fault, and the one behind it is found', async () => {
    const bytes = withBytes(8, ...uint(2 * simple.length, 8));
    expect((await outline(bytes)).slice(1)).toEqual([
      `a.grib2, message 1 at byte 0, section 8: stands before the end that the length of the message says; received "byte ${simple.length - 4}"; allowed: byte ${2 * simple.length - 4}`,
      FOUND,
    ]);
  });

  it('a file that is cut anywhere gives whole fields and a fault', async () => {
    const bytes = joined(simple, simple);
    for (let length = simple.length + 8; length < bytes.length; length++) {
      const scanned = await scan(bytes.slice(0, length));
      expect(scanned.map(({ kind }) => kind)).toEqual(['field', 'fault']);
    }
  });

  it('messages of edition 1 whose lengths lie are faults, and the next one is found', async () => {
    const good = message1(50);
    const lies: [number, number[]][] = [
      [4, [0, 0, 9]],
      [4, [255, 255, 255]],
      [8, [0, 0, 0]],
      [36, [0, 1, 255]],
      [75, [0, 0, 2]],
      [75, [0, 255, 255]],
    ];
    for (const [at, lie] of lies) {
      const bytes = good.slice();
      bytes.set(lie, at);
      const scanned = await scan(joined(bytes, good));
      expect(scanned.map(({ kind }) => kind)).toEqual(['fault', 'field']);
    }
  });

  it('many beginnings without messages are read in time that grows as the file does', async () => {
    const beginnings = Array.from({ length: 20_000 }, () => [0x47, 0x52, 0x49, 0x42, 0, 0, 0, 2, ...uint(200, 8)]);
    expect((await scan(joined(...beginnings))).length).toBeLessThan(110);
  });
});
