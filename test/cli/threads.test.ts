import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DateDay, makeData, makeVector, Table, tableFromIPC, tableToIPC, type Vector } from 'apache-arrow';
import { parquetMetadata } from 'hyparquet';
import { loadCore } from 'plumecast';
import { readTables } from 'plumecast/files/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeTable } from '../../src/files/index.js';
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
  plumecast(['stats', file, '-v', 'precipitation', '--units', 'mm', '--granularity', 'weekly', '--quiet', ...args], {
    cwd: folder,
  });

/** The rows of an Arrow file as CSV. */
async function textOf(name: string): Promise<string> {
  return new TextDecoder().decode(await encodeTable(tableFromIPC(await readFile(join(folder, name))), 'csv'));
}

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

  if (isFullCheck) {
    it('may have a first column without a name', async () => {
      const numbered = text.split('\n').map((line, i) => (i === 0 ? `,${line}` : `${i},${line}`));
      await writeFile(join(folder, 'numbered.csv'), numbered.slice(0, -1).join('\n'));
      const rain = ['--variable', 'precipitation', '--units', 'mm'];
      const args = [...rain, '--granularity', 'weekly', '--threads', '2', '--format', 'csv'];
      const { code, out, err } = plumecast(['stats', 'numbered.csv', ...args], { cwd: folder });
      expect([code, err]).toEqual([0, '']);
      expect(out).toBe(await textOf('weeks-1.arrow'));
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

    it('may be gzipped', async () => {
      await writeFile(join(folder, 'rain.csv.gz'), gzipSync(text, { level: 0 }));
      expect(weekly('rain.csv.gz', '--threads', '2', '--out', 'unpacked.arrow').code).toBe(0);
      expect(await textOf('unpacked.arrow')).toBe(await textOf('weeks-1.arrow'));
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

describe('a long Parquet file', () => {
  /** 9 places of 14,000 days each, and the values of nine members, which are all different: 9 MB. */
  const columns = () => {
    const rows = 126_000;
    const place = (row: number) => Math.floor(row / 14_000);
    const table: Record<string, Float64Array | Vector> = {
      latitude: Float64Array.from({ length: rows }, (_, row) => 50 - place(row) / 4),
      longitude: new Float64Array(rows).fill(8.25),
      date: makeVector(
        makeData({ type: new DateDay(), length: rows, data: Int32Array.from({ length: rows }, (_, r) => r % 14_000) }),
      ),
    };
    for (let member = 0; member < 9; member++) {
      table[`member_0${member}`] = Float64Array.from({ length: rows }, (_, row) =>
        Math.abs(Math.sin(row * 9 + member)),
      );
    }
    return new Table(
      Object.fromEntries(
        Object.entries(table).map(([name, values]) => [
          name,
          values instanceof Float64Array ? makeVector(values) : values,
        ]),
      ),
    );
  };
  /** The hashes of its tables as Arrow data; or their number, and the error that ends them. */
  async function read(threads: number) {
    const tables: Table[] = [];
    const options = { source: 'wide.parquet', bytes: 1_000_000, threads };
    try {
      for await (const table of readTables(await loadCore(), join(folder, 'wide.parquet'), options)) tables.push(table);
    } catch (error) {
      return [tables.length, String(error)];
    }
    return tables.map((table) => createHash('sha256').update(tableToIPC(table)).digest('hex'));
  }

  it('gives the same tables with one thread and with several, and the same error', async () => {
    const good = await encodeTable(columns(), 'parquet', { compression: 'none' });
    await writeFile(join(folder, 'wide.parquet'), good);
    const one = await read(1);
    expect(one.length).toBeGreaterThan(8);
    expect([await read(2), await read(3)]).toEqual([one, one]);
    // Pages of later row groups that cannot be read.
    const bad = new Uint8Array(await encodeTable(columns(), 'parquet', { compression: 'none' }));
    const { row_groups: groups } = parquetMetadata(bad.buffer as ArrayBuffer);
    for (const group of groups.slice(1)) {
      const at = Number(group.columns[5].meta_data?.data_page_offset);
      bad.fill(0xff, at, at + 8);
    }
    await writeFile(join(folder, 'wide.parquet'), bad);
    const [tables, error] = await read(1);
    expect([Number(tables) > 0, String(error)]).toEqual([true, expect.stringContaining('row group 2')]);
    expect([await read(2), await read(3)]).toEqual([
      [tables, error],
      [tables, error],
    ]);
  });
});
