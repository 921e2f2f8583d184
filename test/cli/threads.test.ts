import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTable } from '../../src/files/index.js';
import { isFullCheck } from '../full-check.js';
import { plumecast } from './run-command.js';

/** Long enough to be read by a thread of its own. */
const PLACES = 640;
const DAYS = 60;
const MEMBERS = 31;

let folder: string;
let text: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumecast-threads-'));
  const lines = ['latitude,longitude,date,member,precipitation'];
  const dates = Array.from({ length: DAYS }, (_, day) =>
    new Date(Date.UTC(2026, 2, 2 + day)).toISOString().slice(0, 10),
  );
  for (let place = 0; place < PLACES; place++) {
    for (const [day, date] of dates.entries()) {
      for (let member = 0; member < MEMBERS; member++) {
        const value = ((place * 7919 + day * 104_729 + member * 31_337) % 997) / 10;
        lines.push(`${50 - place / 8},8.25,${date},${member},${value}`);
      }
    }
  }
  text = `${lines.join('\n')}\n`;
  await writeFile(join(folder, 'rain.csv'), text);
});
afterAll(() => rm(folder, { recursive: true }));

const weekly = (file: string, ...args: string[]) =>
  plumecast(['stats', file, '--variable', 'precipitation', '--granularity', 'weekly', '--quiet', ...args], {
    cwd: folder,
  });

describe('a long CSV file', () => {
  it('gives the same bytes with one thread and with two', async () => {
    const outs = ['1', '2'].map((threads) => {
      const { code, err } = weekly('rain.csv', '--threads', threads, '--out', `weeks-${threads}.arrow`);
      expect([code, err]).toEqual([0, '']);
      return readFile(join(folder, `weeks-${threads}.arrow`));
    });
    const [one, two] = await Promise.all(outs);
    expect(one.length).toBeGreaterThan(100_000);
    expect(two.equals(one)).toBe(true);
  });

  it('gives the same error, with row, column and value, and no output', async () => {
    const end = text.indexOf('\n', text.length - 200_000);
    const at = text.lastIndexOf(',', end) + 1;
    await writeFile(join(folder, 'wrong.csv'), `${text.slice(0, at)}much${text.slice(end)}`);
    const outcomes = ['1', '2'].map((threads) => weekly('wrong.csv', '--threads', threads, '--out', 'wrong.arrow'));
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(outcomes[0].err).toMatch(/^error: wrong.csv, row \d{7}, column precipitation: text in a column/);
    await expect(readFile(join(folder, 'wrong.arrow'))).rejects.toThrow('ENOENT');
  });

  it('may have a first column without a name', async () => {
    const numbered = text.split('\n').map((line, i) => (i === 0 ? `,${line}` : `${i},${line}`));
    await writeFile(join(folder, 'numbered.csv'), numbered.slice(0, -1).join('\n'));
    const args = ['--variable', 'precipitation', '--granularity', 'weekly', '--threads', '2', '--format', 'csv'];
    const { code, out, err } = plumecast(['stats', 'numbered.csv', ...args], { cwd: folder });
    expect([code, err]).toEqual([0, '']);
    const weeks = tableFromIPC(await readFile(join(folder, 'weeks-1.arrow')));
    expect(out).toBe(new TextDecoder().decode(await writeTable(weeks, 'csv')));
  });

  it('is converted to Arrow with its texts', async () => {
    const { code, err } = plumecast(['convert', 'rain.csv', 'rain.arrow', '--quiet'], { cwd: folder });
    expect([code, err]).toEqual([0, '']);
    const table = tableFromIPC(await readFile(join(folder, 'rain.arrow')));
    expect(table.numRows).toBe(PLACES * DAYS * MEMBERS);
    expect(String(table.schema.fields[2])).toBe('date: Utf8');
    expect(table.get(MEMBERS)?.toJSON()).toEqual({
      ...{ latitude: 50, longitude: 8.25, date: '2026-03-03', member: 0 },
      precipitation: (104_729 % 997) / 10,
    });
  });

  if (isFullCheck) {
    it('may be gzipped', async () => {
      await writeFile(join(folder, 'rain.csv.gz'), gzipSync(text, { level: 0 }));
      expect(weekly('rain.csv.gz', '--threads', '2', '--out', 'unpacked.arrow').code).toBe(0);
      const unpacked = await readFile(join(folder, 'unpacked.arrow'));
      expect(unpacked.equals(await readFile(join(folder, 'weeks-1.arrow')))).toBe(true);
    });
  }

  it.each(['0', '1.5', 'many'])('rejects %s threads', (threads) => {
    const { code, err } = weekly('rain.csv', '--threads', threads);
    expect([code, err.split('\n')[0]]).toEqual([
      2,
      `error: option '--threads <number>' argument '${threads}' is invalid. Expected a number from 1 to 999.`,
    ]);
  });
});
