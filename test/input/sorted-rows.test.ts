import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Table } from 'apache-arrow';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { encodeTables } from '../../src/files/encode-tables.js';
import type { TableInput } from '../../src/input/input.js';
import { STANDARD } from '../../src/input/input-file.js';
import { FileStore } from '../../src/input/result-file.node.js';
import { ROW_LIMITS, type RowLimits } from '../../src/input/spilled-bytes.js';
import { TableStatistics } from '../../src/input/statistics-of-input.js';
import { builtEnsembles } from '../../src/input/table-ensembles.js';
import { statistics } from '../../src/statistics/statistics.js';
import { dailyTable } from '../../src/table/daily/daily-table.js';
import { findVariable } from '../../src/variable/find-variable.js';
import { seeded } from '../reference/fields.js';
import { categories, dates, table, typed } from '../table/tables.js';
import { collected, failureOf, locationTable, locationTables } from './location-tables.js';
import { inputOfTables, type LongRow, longTable } from './long-input.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const REQUEST = { variable: 'precipitation', granularity: 'weekly', partial: true, spread: true } as const;
/** So little memory that rows and locations come in several parts, and rows go to a file. */
const LITTLE: RowLimits = { ...ROW_LIMITS, runValues: 37, pivotBytes: 600, memoryBytes: 500 };

const text = async (tables: AsyncIterable<Table> | Iterable<Table>) =>
  Buffer.concat(await collected(encodeTables(tables, 'csv'))).toString();

/** The rows in another order. */
function shuffled<Row>(rows: readonly Row[], seed: number): Row[] {
  const random = seeded(seed);
  return rows
    .map((row) => ({ row, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row);
}

const rowsInOrder = (given: Table, order: readonly number[]) =>
  new Table(order.flatMap((row) => given.slice(row, row + 1).batches));

/** The parts of a table of `size` rows. */
function partsOf(all: Table, size: number): Table[] {
  return Array.from({ length: Math.ceil(all.numRows / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

interface Run {
  readonly gathering?: RowLimits;
  readonly request?: object;
  readonly change?: Partial<TableInput>;
  readonly sort?: boolean;
}

/** The statistics of parts that come one after the other, with their rows sorted, and the notices. */
async function sortedStatistics(
  parts: readonly Table[],
  { gathering = LITTLE, request = {}, change, sort = true }: Run = {},
) {
  const { input: all, notices } = inputOfTables(parts, () => Promise.reject(new Error('it is too long')));
  let readings = 0;
  const tables: TableInput['tables'] = (...given) => {
    readings++;
    return all.tables(...given);
  };
  const input = { ...all, tables, ...change };
  const run = new TableStatistics(
    core,
    input,
    { statistics: { ...REQUEST, ...request }, values: { sort, units: 'mm' } },
    gathering,
  );
  const found = await text(run.tables());
  // Days without a value are counted of a whole input, not by functions of tables.
  const texts = notices.flatMap(({ text: said }) => (/ no value | a value on /.test(said) ? [] : [said]));
  return { found, notices: [...new Set(texts)], readings };
}

/** The statistics of all rows together. */
async function together(all: Table, request: object = {}) {
  const { variable: _, ...options } = { ...REQUEST, ...request };
  const {
    table: sorted,
    columns,
    conversions,
  } = dailyTable(all, { variable: findVariable('precipitation'), sort: true });
  const found = await text([statistics(core, sorted, { variable: 'precipitation', ...options, columns } as never)]);
  return { found, notices: [...conversions] };
}

const limits = fc.record({
  size: fc.integer({ min: 2, max: 200 }),
  runValues: fc.integer({ min: 1, max: 100 }),
  pivotBytes: fc.integer({ min: 1, max: 5000 }),
  memoryBytes: fc.constantFrom(0, 1000, 1_000_000),
});

const LONG_ROWS: LongRow[] = [];
const random = seeded(9);
for (let place = 0; place < 5; place++)
  for (let member = 0; member < 3; member++)
    for (let day = place % 2; day < 12; day++)
      LONG_ROWS.push({ place, member, day, value: Math.round(random() * 300) / 10 });

describe('rows in any order that are to be sorted', () => {
  it('are those of a long table: its statistics are those of all rows together', async () => {
    await fc.assert(
      fc.asyncProperty(limits, fc.nat(), fc.constantFrom(0, 0.3), async ({ size, ...limit }, seed, gaps) => {
        const kept = seeded(seed);
        const all = await longTable(shuffled(LONG_ROWS, seed).filter(() => kept() >= gaps));
        const gathering = { ...ROW_LIMITS, ...limit };
        const expected = await together(all);
        const { found, notices, readings } = await sortedStatistics(partsOf(all, size), { gathering });
        expect(found).toBe(expected.found);
        expect(notices).toEqual(expected.notices);
        expect(readings).toBe(1);
      }),
      { numRuns: 20, seed: 20_261_125 },
    );
  });

  it('are those of a wide table, or of lists: its statistics are those of all rows together', async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(limits, locationTables, async ({ size, ...limit }, options) => {
        const inOrder = locationTable(options);
        fc.pre(inOrder.numRows > 1 && (options.form !== 'series' || options.spans.length === 1));
        const order = shuffled(
          Array.from({ length: inOrder.numRows }, (_, row) => row),
          options.seed,
        );
        const all = rowsInOrder(inOrder, order);
        const gathering = { ...ROW_LIMITS, ...limit };
        const expected = await together(all);
        const { found, notices } = await sortedStatistics(partsOf(all, size), { gathering });
        expect(found).toBe(expected.found);
        expect(notices).toEqual(expected.notices);
        seen++;
      }),
      { numRuns: 25, seed: 20_261_125 },
    );
    expect(seen).toBeGreaterThanOrEqual(25);
  });

  it('may be in order already, which is no notice', async () => {
    const { notices } = await sortedStatistics(partsOf(await longTable(LONG_ROWS), 20));
    expect(notices).toEqual([]);
  });

  const rows = shuffled(LONG_ROWS, 4);

  it('are sorted at a point', async () => {
    const all = await longTable(rows);
    for (const latitude of [50.1, 49.4, 20]) {
      const request = { point: { latitude, longitude: 8.1 } };
      const expected = await together(all, request).then(({ found }) => found, String);
      const found = await sortedStatistics(partsOf(all, 20), { request }).then(({ found }) => found, String);
      expect(found.replace('rain.csv, ', '')).toBe(expected);
    }
  });

  it.each([
    ['of several variables', (i: number) => ({ variable: i % 3 === 0 ? 'precipitation' : 'temp_mean' })],
    ['of a variable that has two names', (i: number) => ({ variable: i % 90 < 45 ? 'tp' : 'precipitation' })],
    ['with units in some of them', (i: number) => ({ units: i % 70 < 25 ? 'mm' : '' })],
  ])('may be %s', async (_, cellsOf) => {
    const all = await longTable(rows.map((row, i) => ({ ...row, cells: cellsOf(i) })));
    expect((await sortedStatistics(partsOf(all, 20))).found).toBe((await together(all)).found);
  });

  it('may have texts as values', async () => {
    const all = table({
      date: dates('2026-03-04', '2026-03-02', '2026-03-03', '2026-03-05'),
      m1: ['3', '1', '2', '1'],
      m2: ['4', '1', '2', '7'],
    });
    expect((await sortedStatistics(partsOf(all, 2))).found).toBe((await together(all)).found);
  });

  it('of standard input are read once, all together', async () => {
    const all = await longTable(rows);
    const { found, readings } = await sortedStatistics(partsOf(all, 20), { change: { path: STANDARD } });
    expect([found, readings]).toEqual([(await together(all)).found, 1]);
  });

  it.each<[string, () => Promise<Table>]>([
    ['a day that comes twice', () => longTable([...rows.slice(0, 100), rows[20], ...rows.slice(100)])],
    ['days that come twice', () => longTable([...rows, rows[7], rows[3]])],
    [
      'a day that comes twice, of two runs',
      () => longTable([...rows, rows[20]].map((row, i) => ({ ...row, cells: { run: i > 100 ? '12Z' : '00Z' } }))),
    ],
    ['a missing member', () => longTable(rows.map((row, i) => (i === 90 ? { ...row, member: '' } : row)))],
    ['an infinite value', () => longTable(rows.map((row, i) => (i === 90 ? { ...row, value: 'inf' } : row)))],
    ['a date far from the others', () => longTable(rows.map((row, i) => (i === 90 ? { ...row, day: 40_000 } : row)))],
    [
      'a day that comes twice, in a wide table',
      async () =>
        table({
          date: dates('2026-03-04', '2026-03-02', '2026-03-03', '2026-03-04'),
          station: categories('a', 'a', 'a', 'a'),
          m1: [1, 2, 3, 4],
          m2: [1, 2, 3, 4],
        }),
    ],
    [
      'an infinite value, in a wide table',
      async () =>
        table({
          date: dates('2026-03-04', '2026-03-02', '2026-03-03', '2026-03-05'),
          m1: [1, 2, 3, 4],
          m2: [1, 2, Number.POSITIVE_INFINITY, 4],
        }),
    ],
  ])('have the error of all rows together: %s', async (_, make) => {
    const all = await make();
    const expected = await failureOf(() => together(all));
    expect(expected).toMatch(/^DataError/);
    for (const size of [2, 30, 1000]) {
      const failure = await failureOf(() => sortedStatistics(partsOf(all, size)));
      expect(failure.replace('rain.csv, ', '').replace('rain.csv: ', 'input: ')).toBe(expected);
    }
  });

  it('are closed where the first of them show an error', async () => {
    const wrong = table({ date: dates('2026-03-04', '2026-03-02'), name: ['a', 'b'] });
    let isClosed = false;
    async function* tables() {
      try {
        yield wrong;
        yield wrong;
      } finally {
        isClosed = true;
      }
    }
    expect(await failureOf(() => sortedStatistics([], { change: { tables } }))).toMatch(/^(DataError|OptionError)/);
    expect(isClosed).toBe(true);
    isClosed = false;
    expect(await failureOf(() => collected(builtEnsembles(tables(), { sort: true }, {})))).toMatch(
      /^(DataError|OptionError)/,
    );
    expect(isClosed).toBe(true);
  });

  it('have an error that names the row of a list of another length', async () => {
    const { List, Field, Float64 } = await import('apache-arrow');
    const list = new List(new Field('item', new Float64()));
    const all = table({
      date: dates('2026-03-04', '2026-03-02', '2026-03-03', '2026-03-05'),
      precipitation: typed(list, [[1, 2], null, null, [1, 2, 3]]),
    });
    const failure = await failureOf(() => sortedStatistics(partsOf(all, 1)));
    expect(failure).toBe(
      'DataError: rain.csv, row 4, column precipitation: another number of members than in the rows before; received 3; allowed: a list of 2 in each row',
    );
  });

  it.skipIf(process.platform !== 'linux')('name the folder if the disk is full, and leave no file', async () => {
    const parts = partsOf(await longTable(rows), 50);
    const openFile = () => new FileStore('/dev/full');
    expect(await failureOf(() => sortedStatistics(parts, { gathering: { ...LITTLE, openFile } }))).toMatch(
      `FileError: temporary folder ${tmpdir()}: cannot hold the rows of rain.csv, which are not ordered by location: the disk is full`,
    );
    await sortedStatistics(parts);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`.plumecast.${process.pid}-`))).toEqual([]);
  });
});

describe('a wide table at a point', () => {
  it('has the statistics of all rows together, by location and by day, or their error', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        limits,
        locationTables,
        fc.constantFrom(...ORDERS),
        async ({ size, ...limit }, options, kind) => {
          const inOrder = locationTable({ ...options, form: options.form === 'series' ? 'wide' : options.form });
          fc.pre(inOrder.numRows > 1);
          const all = rowsInOrder(inOrder, orderOf(inOrder, kind));
          const request = { point: { latitude: 37.12, longitude: -80 } };
          const whole = async () => text([statistics(core, all, { ...REQUEST, ...request })]);
          const expected = await whole().catch(String);
          const gathering = { ...ROW_LIMITS, ...limit };
          const found = await sortedStatistics(partsOf(all, size), { gathering, request, sort: false }).then(
            ({ found }) => found,
            String,
          );
          expect(found.replace('rain.csv, ', '').replace('rain.csv: ', 'input: ')).toBe(expected);
          seen.add(`${kind}, ${expected.startsWith('DataError') ? 'wrong' : 'right'}`);
        },
      ),
      { numRuns: 60, seed: 20_261_125 },
    );
    const kinds = [
      'by day, right',
      'by day, wrong',
      'by location, right',
      'shuffled, right',
      'shuffled, wrong',
      'two rows swapped, wrong',
    ];
    expect([...seen]).toEqual(expect.arrayContaining(kinds));
  });
});

const ORDERS = ['by location', 'by day', 'shuffled', 'two rows swapped'] as const;

function orderOf(inOrder: Table, kind: (typeof ORDERS)[number]): number[] {
  const rows = Array.from({ length: inOrder.numRows }, (_, row) => row);
  if (kind === 'by location') return rows;
  if (kind === 'shuffled') return shuffled(rows, inOrder.numRows);
  const day = (row: number) => Number(inOrder.getChild('date')?.get(row));
  const byDay = rows.sort((a, b) => day(a) - day(b) || a - b);
  if (kind === 'by day') return byDay;
  const at = byDay.length >> 1;
  return [...byDay.slice(0, at - 1), byDay[at], byDay[at - 1], ...byDay.slice(at + 1)];
}
