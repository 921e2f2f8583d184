import { describe, expect, it } from 'vitest';
import { bytesAccess } from '../../../src/files/array/random-access.js';
import { scanMessages } from '../../../src/files/grib/scan-messages.js';
import { fieldMessage, joined, section5, UNSCALED, uint } from '../../reference/grib-message.js';
import { openGribBytes } from './grib-bytes.js';

const one = fieldMessage(2, section5(0, 2, UNSCALED, 8, []), [1, 2]);
const text = (letters: string) => Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
const noise = Uint8Array.from({ length: 300 }, (_, i) => (i * 89 + 131) % 251);

/** The number of fields, the texts of faults, and the bytes that were read. */
async function scanned(bytes: Uint8Array) {
  let read = 0;
  const access = bytesAccess(bytes, 'a.grib2');
  const counted = {
    ...access,
    read: (at: number, into: Uint8Array) => {
      read += into.length;
      return access.read(at, into);
    },
  };
  const faults: string[] = [];
  const gaps: string[] = [];
  let fields = 0;
  for await (const each of scanMessages(counted)) {
    if (each.kind === 'fault') faults.push(each.error.message);
    else if (each.kind === 'gap') gaps.push(`${each.bytes} ${each.what}`);
    else fields++;
  }
  return { fields, faults, gaps, read };
}

describe('bytes between GRIB messages', () => {
  it.each([
    ['nothing', text('')],
    ['padding', new Uint8Array(1_000_000)],
    ['blanks', text(' '.repeat(600))],
    ['the heading of a bulletin', text(`\x01\r\r\n123\r\r\nHTXA85 ECMF 150000\r\r\n${' '.repeat(40)}\x03`)],
    ['lengths of records', uint(one.length, 4)],
  ])('are no fault where they are %s', async (_, between) => {
    const bytes = joined(between, one, between, one, between);
    expect(await scanned(bytes)).toMatchObject({ fields: 2, faults: [] });
  });

  it('are counted where they are anything else, between and behind messages; in front of the first they may be the head of a file', async () => {
    const fault = (from: number) =>
      `a.grib2, bytes ${from} to ${from + 300}: 300 bytes lie between messages; allowed: GRIB messages one after the other, with padding or headings between them`;
    const { fields, faults } = await scanned(joined(noise, one, noise, one, noise));
    expect(fields).toBe(2);
    expect(faults).toEqual([300 + one.length, 600 + 2 * one.length].map(fault));
  });

  it.each(['XRIB', 'GRIX', '\0\0\0\0'])(
    'say that they hide a message whose first word is damaged: %j',
    async (word) => {
      const hidden = joined(text(word), one.subarray(4));
      const { fields, faults } = await scanned(joined(one, hidden, one));
      expect(fields).toBe(2);
      expect((await scanned(joined(hidden, one))).faults).toHaveLength(1);
      expect(faults).toEqual([
        expect.stringContaining(
          `${one.length} bytes lie between messages, and hold the end of one (7777) before byte ${2 * one.length}: its beginning is damaged`,
        ),
      ]);
    },
  );

  it('are counted where they are a message or more of zeros, a head of the file, or a rest that is no heading', async () => {
    const head = noise.subarray(0, 50);
    const gapsOf = async (...parts: Uint8Array[]) => {
      const { fields, faults, gaps } = await scanned(joined(...parts));
      expect([fields, faults]).toEqual([2, []]);
      return gaps;
    };
    expect(await gapsOf(one, new Uint8Array(one.length), one)).toEqual([`${one.length} zeros`]);
    expect(await gapsOf(one, one, new Uint8Array(512))).toEqual(['512 zeros']);
    expect(await gapsOf(one, new Uint8Array(51), one, new Uint8Array(51))).toEqual([]);
    expect(await gapsOf(noise, one, one)).toEqual(['300 head']);
    expect(await gapsOf(one, one, head)).toEqual(['50 rest']);
    expect(await gapsOf(one, one, head.subarray(0, 8))).toEqual([]);
    expect((await scanned(joined(one, text('GRIB'), uint(0, 3)))).faults).toEqual([
      `a.grib2, bytes ${one.length} to ${one.length + 7}: a message is cut: it has 7 bytes; allowed: whole GRIB messages`,
    ]);
    const zeros = new Uint8Array(300);
    const { notes, notices } = await openGribBytes(joined(zeros, one, zeros, head), { source: 'a.grib2' });
    expect(notices).toEqual([expect.stringContaining('bytes lie between messages')]);
    expect(notes).toEqual([
      '300 zero bytes lie between, before or behind messages: padding, or messages that were never written',
    ]);
  });

  it('are noticed of a file whose other messages are read', async () => {
    const { notices } = await openGribBytes(joined(one, noise, one), { source: 'a.grib2' });
    expect(notices).toContainEqual(expect.stringMatching(/^bytes \d+ to \d+: 300 bytes lie between messages/));
  });
});

describe('heads without messages', () => {
  const head = joined(text('GRIB'), [0, 0, 0, 2], uint(0, 4), uint(120, 4));

  it.each([20_000, 40_000])('are read a limited number of times each, and soon no more (%d of them)', async (count) => {
    const bytes = joined(one, ...Array.from({ length: count }, () => head));
    const { fields, faults, read } = await scanned(bytes);
    expect(fields).toBe(1);
    expect(faults.at(-1)).toMatch(
      /^a.grib2, from byte \d+ on: nothing is read, as too many messages before are damaged/,
    );
    expect(faults.at(-1)).toMatch(/\(the first: message 2 at byte \d+, section .*received "1/);
    await expect(openGribBytes(bytes.subarray(one.length), { source: 'a.grib2' })).rejects.toThrow(
      'on: nothing is read, as too many',
    );
    expect((await openGribBytes(bytes, { source: 'a.grib2' })).notices?.[0]).toMatch(
      /^from byte \d+ on: nothing is read/,
    );
    expect(faults.length).toBeLessThan(110);
    expect(read).toBeLessThan(4 * bytes.length);
  });
});
