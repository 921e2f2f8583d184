import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  DateDay,
  Dictionary,
  Float64,
  Int32,
  makeVector,
  Table,
  tableFromIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { findInputs } from '../../../src/batch/find-inputs.js';
import { encodeTable } from '../../../src/files/encode-tables.js';
import { plumecastHere } from '../../cli/run-here.js';
import { casePath } from '../../reference/data-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-parts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DAYS = ['--units', 'mm', '--variable', 'precipitation', '--quantiles', '0.5', '--format', 'csv', '-q'];
const HEADER = 'date,member,precipitation\n';

/** A folder with files of given content. */
function made(name: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  const path = join(folder, name);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(path, file, '..'), { recursive: true });
    writeFileSync(join(path, file), content);
  }
  return path;
}

const delta = casePath('files/delta-table');
const parts = casePath('files/parts-of-one-table');

describe.skipIf(parts === undefined)('parts of one table', () => {
  const weekly = [...DAYS, '--granularity', 'weekly'];

  it('have five weeks together, also the one on their border', async () => {
    const { out, err } = await plumecastHere('stats', parts as string, ...weekly);
    expect(err).not.toContain('error');
    const rows = out.trim().split('\n').slice(1);
    expect(rows.map((row) => row.split(',')[4])).toEqual(['2026-W10', '2026-W11', '2026-W12', '2026-W13', '2026-W14']);
    expect(rows.map((row) => row.split(',')[9])).toEqual(Array(5).fill('5'));
  });

  it('are one table also as a list of files, in any order', async () => {
    const whole = await plumecastHere('stats', parts as string, ...weekly);
    const names = [1, 0].map((part) => join(parts as string, `part-${part}.parquet`));
    expect((await plumecastHere('stats', ...names, ...weekly)).out).toBe(whole.out);
    expect((await plumecastHere('stats', join(parts as string, '*.parquet'), ...weekly)).out).toBe(whole.out);
  });

  it('are one input of a batch', async () => {
    const fault = (error: Error) => expect.fail(error.message);
    expect(await findInputs([parts as string], fault)).toEqual([
      { path: parts, name: 'parts-of-one-table', ending: 'none' },
    ]);
  });
});

describe.skipIf(delta === undefined)('a Delta table', () => {
  it('is an error with the line that exports it: its files hold deleted rows', async () => {
    const { code, err } = await plumecastHere('stats', delta as string);
    expect(code).toBe(1);
    expect(err).toContain(': is a Delta table, whose log says which rows of its files count; allowed: its rows in one');
    expect(err).toContain(`deltalake.DeltaTable('${delta}').to_pyarrow_table()`);
  });

  it('is the same error by one of its folders or files, and in a batch', async () => {
    const key = join(delta as string, 'region=r1');
    for (const path of [key, join(key, '*.parquet')]) {
      expect((await plumecastHere('stats', path)).err).toContain(': is a Delta table,');
    }
    const batch = await plumecastHere('batch', delta as string, '--out', join(folder, 'delta'));
    expect([batch.code, batch.err]).toEqual([1, expect.stringContaining(': is a Delta table,')]);
  });
});

describe('many short parts', () => {
  const MEMBERS = 20;
  const PLACES = Array.from({ length: 30 }, (_, i) => `place ${i}`);

  type Row = { readonly place: string; readonly part: number; readonly member: number };

  /** The rows of a part: a day of some places. */
  function rowsOf(part: number, places: readonly string[]): Row[] {
    return places.flatMap((place) => Array.from({ length: MEMBERS }, (_, member) => ({ place, part, member })));
  }

  /** Texts are a dictionary in the order of their first rows. */
  function tableOf(rows: readonly Row[]): Table {
    const value = ({ place, part, member }: Row) =>
      (part + member) % 17 === 0 ? null : ((7 * part + 3 * member + 5 * PLACES.indexOf(place)) % 23) / 4;
    return new Table({
      location_id: vectorFromArray(
        rows.map(({ place }) => place),
        new Dictionary(new Utf8(), new Int32()),
      ),
      date: vectorFromArray(
        rows.map(({ part }) => new Date(86_400_000 * (20_000 + part))),
        new DateDay(),
      ),
      member: makeVector(Int32Array.from(rows, ({ member }) => member)),
      precipitation: vectorFromArray(rows.map(value), new Float64()),
    });
  }

  /** The same rows as parts and as one file. */
  async function written(name: string, placesOf: (part: number) => readonly string[]): Promise<[string, string]> {
    const parts = Array.from({ length: 40 }, (_, part) => rowsOf(part, placesOf(part)));
    const files: Record<string, Uint8Array> = {};
    for (const [part, rows] of parts.entries())
      files[`part-${part}.parquet`] = await encodeTable(tableOf(rows), 'parquet');
    const file = made(`${name}-whole`, { 'all.parquet': await encodeTable(tableOf(parts.flat()), 'parquet') });
    return [made(name, files), join(file, 'all.parquet')];
  }

  const turned = (by: number) => [...PLACES.slice(by), ...PLACES.slice(0, by)];
  it.each<[string, (part: number) => readonly string[]]>([
    ['the same texts in all of them', () => PLACES],
    ['the same texts in another order in each', (part) => turned(part % 30)],
    ['other texts in some', (part) => (part % 3 === 0 ? PLACES.slice(0, 20) : PLACES.slice(0, 20 + (part % 2) * 10))],
    ['as many texts, and others', (part) => PLACES.slice(part % 2, 29 + (part % 2))],
  ])('have the results of one file with %s', async (name, placesOf) => {
    const [parts, file] = await written(name.replaceAll(' ', '-').replace(',', ''), placesOf);
    const options = [...DAYS, '--partial', '--granularity', 'weekly'];
    const whole = await plumecastHere('stats', file, '--sort', ...options);
    expect(whole.out.split('\n').length).toBeGreaterThan(150);
    expect((await plumecastHere('stats', parts, ...options)).out).toBe(whole.out);
    // Part 10 comes before part 2 here.
    expect((await plumecastHere('stats', join(parts, '*.parquet'), ...options)).out).toBe(whole.out);
  });
});

describe('parts whose members come in any order', () => {
  it.each([
    ['of a folder', ''],
    ['of a pattern', '*.csv'],
  ])('have the means of members in their natural order, to the last bit: %s', async (name, pattern) => {
    const members = Array.from({ length: 23 }, (_, member) => member);
    const days = Array.from({ length: 14 }, (_, day) => day);
    const value = (member: number, day: number) => Math.abs(Math.sin(100 * member + day)) * 10;
    const csvOf = (some: readonly number[], ofDays: readonly number[]) =>
      [
        'date,member,precipitation',
        ...some.flatMap((m) =>
          ofDays.map((day) => `2026-03-${String(day + 2).padStart(2, '0')},${m},${value(m, day)}`),
        ),
      ].join('\n');
    const whole = made(`members whole ${name}`, { 'all.csv': csvOf(members, days) });
    const turned = members.toReversed();
    const parts = made(`members ${name}`, {
      'part-0.csv': csvOf(turned.slice(0, 9), days.slice(7)),
      'part-1.csv': csvOf(turned, days.slice(0, 7)),
      'part-2.csv': csvOf(turned.slice(9), days.slice(7)),
    });
    const means: (readonly number[])[] = [];
    for (const input of [join(whole, 'all.csv'), join(parts, pattern)]) {
      const out = join(whole, `${means.length}.arrow`);
      await plumecastHere('stats', input, '--granularity', 'weekly', '--variable', 'precipitation', '--out', out);
      means.push([...(tableFromIPC(readFileSync(out)).getChild('mean') ?? [])]);
    }
    expect(means[0]).toHaveLength(2);
    expect(means[1]).toEqual(means[0]);
  });
});

describe('parts whose rows are in no order', () => {
  const DAY_MS = 86_400_000;
  /** Rows of some days, place by place; texts of places only where there are several. */
  function wideOf(days: readonly number[], places: readonly string[]): Table {
    const rows = places.flatMap((place, p) => days.map((day) => ({ place, p, day })));
    const member = (m: number) =>
      makeVector(Float64Array.from(rows, ({ p, day }) => ((7 * day + 3 * m + 5 * p) % 23) / 4));
    return new Table({
      ...(places.length > 1 && { location_id: vectorFromArray(rows.map(({ place }) => place)) }),
      date: vectorFromArray(
        rows.map(({ day }) => new Date(DAY_MS * (20_000 + day))),
        new DateDay(),
      ),
      precipitation_member0: member(0),
      precipitation_member1: member(1),
      precipitation_member2: member(2),
    });
  }

  const weeks = [3, 0, 4, 1, 2].map((week) => Array.from({ length: 7 }, (_, day) => 7 * week + day));
  it.each<[string, readonly string[]]>([
    ['one place', ['here']],
    ['places, each of several days in a part', ['a', 'b', 'c']],
  ])('have the results of one file that is in order: %s', async (name, places) => {
    const files: Record<string, Uint8Array> = {};
    for (const [part, days] of weeks.entries())
      files[`part-${part}.parquet`] = await encodeTable(wideOf(days, places), 'parquet');
    const parts = made(`unordered ${name}`, files);
    const days = weeks.flat().sort((a, b) => a - b);
    const whole = made(`ordered ${name}`, { 'all.parquet': await encodeTable(wideOf(days, places), 'parquet') });
    const { out } = await plumecastHere('stats', join(whole, 'all.parquet'), ...DAYS);
    expect(out.split('\n')).toHaveLength(2 + 35 * places.length);
    const { err: _, ...found } = await plumecastHere('stats', parts, ...DAYS);
    expect(found).toEqual({ code: 0, out });
    expect((await plumecastHere('stats', join(parts, '*.parquet'), ...DAYS)).out).toBe(out);
  });

  it('are an error where a day comes twice, not rows that are sorted', async () => {
    const files = { 'part-0.parquet': [0, 1, 2], 'part-1.parquet': [2, 3, 4] };
    const encoded: Record<string, Uint8Array> = {};
    for (const [file, days] of Object.entries(files))
      encoded[file] = await encodeTable(wideOf(days, ['a', 'b']), 'parquet');
    const { code, err } = await plumecastHere('stats', made('day twice', encoded), ...DAYS);
    expect([code, err]).toEqual([1, expect.stringContaining('column date')]);
    expect(err).toMatch(/twice|duplicate|2024-10-06/);
  });
});

describe('parts of CSV', () => {
  it('are read as one file: columns of numbers are found in all of them', async () => {
    const path = made('csv', {
      'part-00000.csv': `${HEADER}2026-03-02,0,1\n2026-03-02,1,2`,
      'part-00001.csv.gz': gzipSync(`${HEADER}2026-03-03,0,1.5\n2026-03-03,1,2\n`),
      'part-00002.csv': '',
      'part-00010.csv': `\uFEFF${HEADER.trim()}\r\n2026-03-04,0,3\r\n2026-03-04,1,5\r\n`,
      _SUCCESS: '',
    });
    const whole = made('whole', {
      'all.csv': `${HEADER}2026-03-02,0,1\n2026-03-02,1,2\n2026-03-03,0,1.5\n2026-03-03,1,2\n2026-03-04,0,3\n2026-03-04,1,5\n`,
    });
    const all = await plumecastHere('stats', join(whole, 'all.csv'), ...DAYS);
    expect(all.out.split('\n')).toHaveLength(5);
    expect(await plumecastHere('stats', path, ...DAYS)).toEqual(all);
  });

  it('are an error where their headers differ, which names both', async () => {
    const path = made('headers', { 'part-0.csv': `${HEADER}2026-03-02,0,1\n`, 'part-1.csv': 'date,member,rain\n' });
    expect((await plumecastHere('stats', path, ...DAYS)).err).toBe(
      `error: ${join(path, 'part-1.csv')}: has another header than ${join(path, 'part-0.csv')}, with which it makes one table; received "date,member,rain"; allowed: date,member,precipitation\n`,
    );
  });

  it('are not files of other names: years, days, places', async () => {
    const row = '2026-03-02,0,1\n';
    for (const [i, names] of [
      ['2025.csv', '2026.csv'],
      ['20260301.csv', '20260302.csv'],
      ['a.csv', 'b.csv'],
      ['0.csv', '1.csv'],
    ].entries()) {
      const path = made(`others-${i}`, Object.fromEntries(names.map((name) => [name, HEADER + row])));
      expect((await plumecastHere('stats', path)).err).toContain('is a folder of files');
      const { out } = await plumecastHere('stats', ...names.map((name) => join(path, name)), ...DAYS);
      expect(out.split('\n')[0]).toMatch(/^source,/);
    }
  });
});

describe('parts of CSV in UTF-16', () => {
  it('are one table, in either order of bytes', async () => {
    const [first, second] = ['2026-03-02,0,1\n2026-03-02,1,2\n', '2026-03-03,0,1.5\n2026-03-03,1,2\n'];
    const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
    const path = made('utf16', {
      'part-00000.csv': utf16(HEADER + first),
      'part-00001.csv': utf16(HEADER + second).swap16(),
    });
    const whole = made('utf8', { 'all.csv': HEADER + first + second });
    const all = await plumecastHere('stats', join(whole, 'all.csv'), ...DAYS);
    expect(all.out.split('\n')).toHaveLength(4);
    expect(await plumecastHere('stats', path, ...DAYS)).toEqual(all);
    const cut = made('cut', {
      'part-00000.csv': utf16(HEADER + first),
      'part-00001.csv': utf16(HEADER + second).subarray(0, -1),
    });
    expect((await plumecastHere('stats', cut, ...DAYS)).err).toContain('is damaged text in UTF-16');
  });
});

describe('tables of a member each', () => {
  it('are one ensemble by a pattern of their names', async () => {
    const rows = (add: number) => `date,precipitation\n2026-03-02,${1 + add}\n2026-03-03,${2 + add / 2}\n`;
    const path = made('members', {
      'mem01.csv': rows(0),
      'mem02.csv': rows(1),
      'mem10.csv.gz': gzipSync(rows(2)),
    });
    const names = ['mem10.csv.gz', 'mem01.csv', 'mem02.csv'].map((name) => join(path, name));
    const { out, err } = await plumecastHere('stats', ...names, '--join', 'mem{member}.', ...DAYS);
    expect(err).toBe('');
    const found = out
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(',').slice(4, 12).join());
    expect(found).toEqual([
      '2026-03-02,2026-03-02,2026-03-02,1,1,3,2,2',
      '2026-03-03,2026-03-03,2026-03-03,1,1,3,2.5,2.5',
    ]);
    const wrong = await plumecastHere('stats', ...names, '--join', 'mem{lead}', ...DAYS);
    expect(wrong.err).toBe(
      'error: --join: is no pattern for tables, which have columns of days; received "mem{lead}"; allowed: names with {member} alone, such as "mem{member}.csv"\n',
    );
  });
});

const runs = casePath('files/two-forecasts-in-a-folder');
const real = casePath('files/real.nc');

describe.skipIf(runs === undefined)('two forecasts in a folder', () => {
  it('are an error that lists the runs and asks', async () => {
    const { code, err } = await plumecastHere('stats', runs as string, '--granularity', 'monthly', '--partial');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('allowed: the time of one of them: 2026-03-02T00:00:00Z, 2026-03-16T00:00:00Z; or all'),
    ]);
  });
});

describe.skipIf(real === undefined)('a link to a file', () => {
  it('is read as the file', async () => {
    const link = join(folder, 'link.nc');
    symlinkSync(real as string, link);
    const ofFile = await plumecastHere('stats', real as string, '--format', 'csv', '-q');
    const ofLink = await plumecastHere('stats', link, '--format', 'csv', '-q');
    expect(ofFile.out.split('\n').length).toBeGreaterThan(2);
    expect(ofLink).toEqual(ofFile);
  });
});

describe('an Iceberg table', () => {
  it('is an error with the line that exports it', async () => {
    const path = made('iceberg', { 'metadata/v1.metadata.json': '{}', 'data/part-0.parquet': 'PAR1' });
    expect((await plumecastHere('stats', join(path, 'data/part-0.parquet'))).err).toContain('is an Iceberg table');
    const others = made('project', { 'metadata/notes.txt': '', 'data/part-0.csv': `${HEADER}2026-03-02,0,1\n` });
    expect((await plumecastHere('inspect', others)).err).toContain('is a folder of files');
    expect((await plumecastHere('inspect', path)).err).toContain(
      `is an Iceberg table, whose log says which rows of its files count; allowed: its rows in one file, as made by: duckdb -c "install iceberg; load iceberg; copy (from iceberg_scan('${path}')) to 'table.parquet'"`,
    );
  });
});

describe('CSV in folders of keys', () => {
  const days = (member: number) =>
    Array.from({ length: 14 }, (_, day) => [`2026-03-${String(day + 2).padStart(2, '0')}`, member, day * member + 0.5]);
  const line = (cells: readonly unknown[]) => `${cells.join(',')}\n`;
  const ofMember = (member: number) =>
    days(member)
      .map(([date, , rain]) => line([date, rain]))
      .join('');
  const whole = made('keys-as-columns', { 'all.csv': HEADER + [1, 2, 3].flatMap(days).map(line).join('') });
  const weekly = [...DAYS, '--granularity', 'weekly'];

  it('is one table, as with the keys as columns', async () => {
    const wanted = await plumecastHere('stats', join(whole, 'all.csv'), ...weekly);
    expect(wanted.out).toContain('2026-W11');
    const files = {
      'member=1/part-0.csv': `date,precipitation\n${ofMember(1)}`,
      'member=2/part-0.csv': `date,precipitation\n${ofMember(2)}`.replaceAll('\n', '\r\n'),
      'member=3/part-0.csv.gz': gzipSync(`date,precipitation\n${ofMember(3).trimEnd()}`),
      'member=3/_SUCCESS': '',
    };
    expect((await plumecastHere('stats', made('by-member', files), ...weekly)).out).toBe(wanted.out);
  });

  it('has keys of any text, and cells of several lines', async () => {
    const rows = (note: string) => `date,remark,precipitation\n2026-03-02,"${note}",1\n2026-03-03,,2\n`;
    const path = made('by-model', {
      'model=a%2Cb/part-0.csv': rows('first ""line""\nsecond'),
      'model=c/part-0.csv': rows('one'),
    });
    const { out } = await plumecastHere('stats', path, ...DAYS, '--columns', 'member=model', '--granularity', 'daily');
    expect(
      out
        .trim()
        .split('\n')
        .map((row) => row.split(',')[9]),
    ).toEqual(['n_members', '2', '2']);
  });

  it('is rejected where a column has the name of a key', async () => {
    const path = made('both', { 'member=1/part-0.csv': `${HEADER}2026-03-02,2,1\n` });
    const { code, err } = await plumecastHere('stats', path, ...DAYS, '--granularity', 'daily');
    expect(code).not.toBe(0);
    expect(err).toContain('has a column of the name of a key in its path');
  });
});
