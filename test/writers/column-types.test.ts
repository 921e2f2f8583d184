import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Table } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { readTable } from '../../src/files/read-table.js';
import { readTables } from '../../src/files/read-tables.node.js';
import { statisticsOfInput } from '../../src/input/statistics-of-input.js';
import { hasPython, pythonFile, usableModules } from '../reference/foreign-programs.js';

/*
 * One ensemble with the column types that pyarrow, pandas, Polars and DuckDB write: as values, members, dates and
 * coordinates.
 * `write_types.py` writes the files.
 */

interface Written {
  readonly files: readonly {
    readonly name: string;
    readonly form: string;
    readonly path: string;
    /** The values are so many times those of the ensemble. */
    readonly scale: number;
    /** What the error says, for files that are not read. */
    readonly problem: string | null;
  }[];
  readonly absent: readonly string[];
}

const folder = mkdtempSync(join(tmpdir(), 'plumecast-types-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written = writeAll();
const of = (isRejected: boolean) => (written?.files ?? []).filter(({ problem }) => (problem !== null) === isRejected);

describe.skipIf(written === undefined)('columns of the types that writers use', () => {
  let core: Core;
  beforeAll(async () => {
    core = await loadCore();
  });

  it.each(of(false))('give the statistics of the ensemble: $name, $form', async ({ path, scale }) => {
    const rows = await statisticsOf(core, path);
    expect(rows).toHaveLength(4);
    rows.forEach(({ latitude, longitude, mean, q50 }, index) => {
      const [place, week] = [Math.floor(index / 2), index % 2];
      expect([latitude, longitude]).toEqual(PLACES[place]);
      const sums = weeklySums(place, week);
      expect(mean / scale).toBeCloseTo(sums.reduce((sum, value) => sum + value, 0) / MEMBERS, 10);
      expect(q50 / scale).toBeCloseTo((sums[1] + sums[2]) / 2, 10);
    });
  });

  it.each(of(true))('are errors that name their type: $name, $form', async ({ path, problem }) => {
    const failure = await statisticsOf(core, path).catch((error: Error) => error);
    expect(failure).toMatchObject({ name: expect.stringMatching(/^(Format|Data)Error$/) });
    expect((failure as Error).message).toMatch(new RegExp((problem as string).replaceAll('+', '\\+')));
  });

  it('are the nearest numbers where they are decimals in Parquet', async () => {
    const table = await readTable(new Uint8Array(readFileSync(join(folder, 'exact.parquet'))));
    const expected = [0.35, 1.1, -0.07, 123456.78];
    for (const name of ['int32', 'int64', 'bytes', 'long']) {
      expect(Array.from(table.getChild(name) ?? []), name).toEqual(expected);
    }
  });

  // apache-arrow gives no rows of dictionaries whose indices have 64 bits.
  const inRows = of(false).filter(({ name }) => !/dictionary-by-u?int64/.test(name));
  it.each(inRows)('have the same rows whole and part by part: $name, $form', async ({ path }) => {
    const parts: Row[] = [];
    for await (const part of readTables(core, path)) parts.push(...rowsOf(part));
    expect(parts).toEqual(rowsOf(await readTable(new Uint8Array(readFileSync(path)))));
  });
});

const MEMBERS = 4;
const PLACES = [
  [50.5, 7.25],
  [-51.125, -8.5],
];

function weeklySums(place: number, week: number): number[] {
  const sums = Array.from({ length: MEMBERS }, (_, member) => {
    const days = Array.from({ length: 7 }, (_, day) => 7 * week + day);
    return days.reduce((sum, day) => sum + (((17 * place + 7 * day + 5 * member * member) % 41) - 4) / 4, 0);
  });
  return sums.sort((a, b) => a - b);
}

type Row = Record<string, unknown>;

async function statisticsOf(core: Core, path: string): Promise<Record<string, number>[]> {
  const request = {
    statistics: { variable: 'precipitation', granularity: 'weekly', quantiles: [0.5] } as const,
    values: { units: 'mm' },
  };
  const rows: Record<string, number>[] = [];
  for await (const table of statisticsOfInput(core, path, request, () => {})) {
    for (const row of table) rows.push({ ...row } as unknown as Record<string, number>);
  }
  return rows;
}

function rowsOf(table: Table): Row[] {
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
  return table.toArray().map((row) => JSON.parse(JSON.stringify(row, text)));
}

function writeAll(): Written | undefined {
  if (!hasPython('pyarrow')) return undefined;
  const tools = usableModules('pyarrow', 'polars', 'duckdb', 'pandas').join();
  const script = resolve(import.meta.dirname, 'write_types.py');
  const { files, absent } = JSON.parse(pythonFile(script, [folder, tools])) as Written;
  for (const tool of absent) console.log(`skipped: column types that ${tool} writes, which is not there`);
  return { files, absent };
}
