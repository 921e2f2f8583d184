import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { plumecastHere } from '../cli/run-here.js';
import { casePath } from '../reference/data-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-unpacked-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
const STATS = ['--variable', 'precipitation', '--units', 'mm', '--format', 'csv', '-q'];

/** CSV of days of two members. */
function csvOf(days: readonly number[]): Uint8Array {
  const rows = days.flatMap((day) =>
    [0, 1].map((member) => `2026-03-${String(day).padStart(2, '0')},${member},${day + member}\n`),
  );
  return new TextEncoder().encode(`date,member,precipitation\n${rows.join('')}`);
}

/** An archive whose first entry is stored, the others deflated. */
function archive(name: string, files: Readonly<Record<string, Uint8Array>>): string {
  const levels = Object.entries(files).map(([entry, bytes], i) => [entry, [bytes, { level: i === 0 ? 0 : 6 }]]);
  writeFileSync(at(name), zipSync(Object.fromEntries(levels)));
  return at(name);
}

const members = casePath('files/members.zip');

describe.skipIf(members === undefined)('an archive of GRIB, stored and deflated', () => {
  it('has all four members', async () => {
    const { out, code } = await plumecastHere('stats', members as string, '--format', 'csv', '-q');
    expect(code).toBe(0);
    expect(out.split('\n')[1].split(',').slice(4, 10)).toEqual([
      '2026-03-02',
      '2026-03-02',
      '2026-03-02',
      '1',
      '1',
      '4',
    ]);
  });
});

describe('an archive', () => {
  const whole = at('whole.csv');
  beforeAll(() => writeFileSync(whole, csvOf([2, 3, 4])));

  it('of one file is that file, of parts of a table that table', async () => {
    const wanted = await plumecastHere('stats', whole, ...STATS);
    expect(wanted.out.split('\n')).toHaveLength(5);
    const one = archive('one.zip', { 'folder/whole.csv': csvOf([2, 3, 4]), '__MACOSX/._whole.csv': new Uint8Array(9) });
    expect(await plumecastHere('stats', one, ...STATS)).toEqual(wanted);
    const parts = archive('parts.zip', { 'part-0.csv': csvOf([2]), 'part-1.csv': csvOf([3, 4]) });
    expect(await plumecastHere('stats', parts, ...STATS)).toEqual(wanted);
    const { out } = await plumecastHere('inspect', parts);
    expect(out).toContain(`plumecast stats ${parts} `);
  });

  it('leaves nothing behind', async () => {
    const temporary = at('temporary');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    try {
      expect(await plumecastHere('stats', at('one.zip'), ...STATS)).toMatchObject({ code: 0 });
      const both = archive('both.zip', { 'a.csv': csvOf([2]), 'b.csv': csvOf([3]) });
      expect((await plumecastHere('stats', both, ...STATS)).code).toBe(1);
      expect(readdirSync(temporary)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.each([
    [
      'of several inputs',
      () => archive('several.zip', { 'a.csv': csvOf([2]), 'b.csv': csvOf([3]) }),
      'is an archive of several inputs; received "a.csv", "b.csv"; allowed: one of them, unpacked first: unzip ',
    ],
    [
      'that climbs out of its folder',
      () => archive('climb.zip', { 'x/../../y.csv': csvOf([2]) }),
      'is an archive without files',
    ],
    ['that is cut', () => cutTo('cut.zip', -40), 'is a cut or damaged zip archive; allowed: the whole archive'],
    [
      'whose bytes are damaged',
      () => changed('bad.zip', 60),
      'has a damaged entry; received "part-0.csv"; allowed: an archive whose checksums are right',
    ],
  ])('%s is an error', async (_, make, message) => {
    const { err, code } = await plumecastHere('stats', make(), ...STATS);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });

  function cutTo(name: string, end: number): string {
    writeFileSync(at(name), readFileSync(at('parts.zip')).subarray(0, end));
    return at(name);
  }

  function changed(name: string, place: number): string {
    const bytes = readFileSync(at('parts.zip'));
    bytes[place] ^= 1;
    writeFileSync(at(name), bytes);
    return at(name);
  }
});

describe('other ways to name bytes', () => {
  it('arrays in gzip are read', async () => {
    const made = await plumecastHere(
      'convert',
      at('whole.csv'),
      at('whole.nc'),
      '--variable',
      'precipitation',
      '--units',
      'mm',
      '-q',
    );
    expect(made).toMatchObject({ code: 0 });
    writeFileSync(at('packed.nc.gz'), gzipSync(readFileSync(at('whole.nc'))));
    const wanted = await plumecastHere('stats', at('whole.nc'), '--format', 'csv', '-q');
    expect(wanted.out.split('\n')).toHaveLength(5);
    expect(await plumecastHere('stats', at('packed.nc.gz'), '--format', 'csv', '-q')).toEqual(wanted);
  });

  it('file: URLs are paths', async () => {
    const wanted = await plumecastHere('stats', at('whole.csv'), ...STATS);
    expect(await plumecastHere('stats', pathToFileURL(at('whole.csv')).href, ...STATS)).toEqual(wanted);
    const absent = await plumecastHere('stats', 'file://elsewhere/a.nc');
    expect([absent.code, absent.err]).toEqual([1, expect.stringContaining('file://elsewhere/a.nc')]);
  });
});
