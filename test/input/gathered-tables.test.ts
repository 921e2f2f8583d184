import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { temporaryPath } from '../../src/disk/temporary-file.node.js';
import { FileError } from '../../src/errors.js';
import { encodeTables } from '../../src/files/encode-tables.js';
import type { InputRequest } from '../../src/input/input-request.js';
import { FileStore } from '../../src/input/result-file.node.js';
import { ROW_LIMITS, type RowLimits } from '../../src/input/spilled-bytes.js';
import { statisticsOfInput, TableStatistics } from '../../src/input/statistics-of-input.js';
import { statistics } from '../../src/statistics/statistics.js';
import { seeded } from '../reference/fields.js';
import { collected, failureOf } from './location-tables.js';
import { type LongRow, longInput, longTable } from './long-input.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const REQUEST = { variable: 'precipitation', granularity: 'weekly', partial: true, spread: true } as const;
/** So little memory that rows and locations come in several parts, and rows go to a file. */
const LITTLE: RowLimits = { ...ROW_LIMITS, runValues: 37, pivotBytes: 600, memoryBytes: 500 };

const text = async (tables: AsyncIterable<Table> | Iterable<Table>) =>
  Buffer.concat(await collected(encodeTables(tables, 'csv'))).toString();

async function gathered(
  rows: readonly LongRow[],
  size: number,
  gathering = LITTLE,
  request: InputRequest['statistics'] = REQUEST,
) {
  const { input } = await longInput(rows, size);
  return text(new TableStatistics(core, input, { statistics: request, values: {} }, gathering).tables());
}

const together = async (rows: readonly LongRow[], request: typeof REQUEST & { point?: object } = REQUEST) =>
  text([statistics(core, await longTable(rows), request as typeof REQUEST)]);

/** The rows of generated tables have numbers as members. */
type Row = LongRow & { readonly member: number };

interface Shape {
  readonly seed: number;
  readonly places: number;
  readonly members: number;
  readonly days: number;
  /** Whether the days of places differ. */
  readonly isShifted: boolean;
  readonly gaps: number;
}

/** Rows of places, days and members in this order, but for gaps. */
function rowsOf({ seed, places, members, days, isShifted, gaps }: Shape): Row[] {
  const random = seeded(seed);
  const rows: Row[] = [];
  for (let place = 0; place < places; place++)
    for (let day = 0; day < days; day++)
      for (let member = 0; member < members; member++) {
        const value = random() < gaps ? '' : Math.round(random() * 300) / 10;
        if (random() >= gaps) rows.push({ place, day: day + (isShifted ? place % 3 : 0), member, value });
      }
  return rows;
}

const sorted = (rows: readonly Row[], key: (row: Row) => number) => [...rows].sort((a, b) => key(a) - key(b));

/** Shuffled but for the days of each place and member, which stay in order. */
function shuffled(rows: readonly Row[]): Row[] {
  const random = seeded(rows.length);
  const seriesOf = ({ place, member }: Row) => place * 100 + member;
  const series = new Map<number, Row[]>();
  for (const row of rows) series.set(seriesOf(row), [...(series.get(seriesOf(row)) ?? []), row]);
  const keys = rows.map((row) => ({ at: random(), of: seriesOf(row) })).sort((a, b) => a.at - b.at);
  return keys.map(({ of }) => series.get(of)?.shift() as Row);
}

const ORDERS: readonly [string, (rows: readonly Row[]) => readonly Row[]][] = [
  ['by day', (rows) => sorted(rows, ({ day }) => day)],
  ['by day and member', (rows) => sorted(rows, ({ day, member }) => day * 100 + member)],
  ['by member', (rows) => sorted(rows, ({ member }) => member)],
  ['by member and day', (rows) => sorted(rows, ({ member, day }) => member * 100 + day)],
  ['shuffled', shuffled],
  [
    'by place, then by day',
    (rows) => {
      const half = Math.floor(rows.length / 2);
      return [...rows.slice(0, half), ...sorted(rows.slice(half), ({ day }) => day)];
    },
  ],
  ['of the last member in the end', (rows) => sorted(rows, ({ member }) => Math.floor(member / 2))],
];

const shapes = fc.record<
  Shape & {
    order: number;
    size: number;
    runValues: number;
    pivotBytes: number;
    memoryBytes: number;
    heldBytes: number;
  }
>({
  seed: fc.nat(),
  places: fc.integer({ min: 1, max: 9 }),
  members: fc.integer({ min: 1, max: 5 }),
  days: fc.integer({ min: 2, max: 16 }),
  isShifted: fc.boolean(),
  gaps: fc.constantFrom(0, 0.3),
  order: fc.nat(ORDERS.length - 1),
  size: fc.integer({ min: 2, max: 300 }),
  runValues: fc.integer({ min: 1, max: 100 }),
  pivotBytes: fc.integer({ min: 1, max: 5000 }),
  memoryBytes: fc.constantFrom(0, 1000, 1_000_000),
  heldBytes: fc.constantFrom(0, 300, 1_000_000),
});

describe('a long table whose rows are not by location', () => {
  it('has the statistics of all rows together, whatever its order, parts and memory', async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(shapes, async ({ order, size, runValues, pivotBytes, memoryBytes, heldBytes, ...shape }) => {
        const rows = ORDERS[order][1](rowsOf(shape));
        // A table without any value has no column of numbers.
        fc.pre(rows.length > 2 && rows.slice(0, 2).every(({ value }) => value !== ''));
        const gathering = { ...ROW_LIMITS, runValues, pivotBytes, memoryBytes, heldBytes };
        expect(await gathered(rows, size, gathering)).toBe(await together(rows));
        seen++;
      }),
      { numRuns: 25, seed: 20_261_123 },
    );
    expect(seen).toBeGreaterThanOrEqual(25);
  });

  const rows = rowsOf({ seed: 3, places: 6, members: 3, days: 12, isShifted: false, gaps: 0 });
  const byDay = sorted(rows, ({ day }) => day);

  it('has the same results by place, wherever they are held until all rows have shown their order', async () => {
    const { input } = await longInput(rows, 20);
    const full = () => {
      throw new FileError({ subject: 'temporary folder', problem: 'is full' });
    };
    const write = async (format: 'arrow' | 'parquet' | 'csv', limits: Partial<RowLimits>) => {
      const request = { statistics: REQUEST, values: {} };
      const tables = new TableStatistics(core, input, request, { ...ROW_LIMITS, ...limits }).tables();
      return Buffer.concat(await collected(encodeTables(tables, format)));
    };
    for (const format of ['arrow', 'parquet', 'csv'] as const) {
      const expected = await write(format, {});
      for (const heldBytes of [0, 2000]) {
        expect(await write(format, { heldBytes })).toEqual(expected);
        expect(await write(format, { heldBytes, maxHeldBytes: 4000 })).toEqual(expected);
        expect(await write(format, { heldBytes, openFile: full })).toEqual(expected);
      }
    }
  });

  it.each([
    ['little memory', LITTLE, true],
    ['much memory', ROW_LIMITS, false],
  ])('needs a temporary file with %s: %s', async (_, gathering, isExpected) => {
    let files = 0;
    const openFile = () => {
      files++;
      return gathering.openFile();
    };
    expect(await gathered(byDay, 50, { ...gathering, openFile })).toBe(await together(byDay));
    expect(files).toBe(isExpected ? 1 : 0);
  });

  it('is read from a file by day as from one by place', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumecast-gathered-'));
    const ofFile = async (name: string, given: readonly LongRow[]) => {
      const path = join(folder, name);
      const bytes = await collected(encodeTables([await longTable(given)], 'csv'));
      writeFileSync(path, gzipSync(Buffer.concat(bytes)));
      const request = { statistics: REQUEST, values: {} };
      return text(statisticsOfInput(core, path, request, () => {}));
    };
    expect(await ofFile('day.csv.gz', byDay)).toBe(await together(byDay));
    expect(await ofFile('place.csv.gz', rows)).toBe(await together(byDay));
    rmSync(folder, { recursive: true });
  });

  it('has no place', async () => {
    const unplaced = sorted(rows, ({ member }) => member).filter(({ place }) => place === 0);
    const given = unplaced.map((row) => ({ ...row, place: Number.NaN }));
    expect(await gathered(given, 7)).toBe(await together(given));
  });

  it('has rows of other variables', async () => {
    const of = (variable: string, factor: number) =>
      byDay.map((row) => ({ ...row, value: Number(row.value) * factor, cells: { variable } }));
    const [rain, heat] = [of('precipitation', 1), of('temp_mean', 2)];
    const mixed = rain.flatMap((row, i) => [row, heat[i]]);
    for (const given of [[...rain, ...heat], mixed, [...rain.slice(0, 100), ...heat, ...rain.slice(100)]]) {
      expect(await gathered(given, 40)).toBe(await together(given));
    }
  });

  it('has units in its rows, in some parts none', async () => {
    const given = byDay.map((row, i) => ({ ...row, cells: { units: i % 70 < 25 ? 'mm' : '' } }));
    expect(await gathered(given, 20)).toBe(await together(given));
  });

  it.each([
    ['little memory', LITTLE],
    ['much memory', ROW_LIMITS],
  ])('is read at a point with %s', async (_, gathering) => {
    const twice = [...byDay, byDay[200]];
    for (const given of [byDay, rows, twice]) {
      for (const latitude of [50.1, 49.4, 48.7, 20]) {
        const request = { ...REQUEST, point: { latitude, longitude: 8.1 } };
        const [expected, found] = await Promise.all([
          together(given, request).catch(String),
          gathered(given, 20, gathering, request).catch(String),
        ]);
        expect(found.replace('rain.csv, ', '').replace('rain.csv: ', 'input: ')).toBe(expected);
      }
    }
  });

  const broken = (at: number, change: Partial<LongRow>) =>
    byDay.map((row, i) => (i === at ? { ...row, ...change } : row));
  const runs = byDay.map((row, i) => ({ ...row, cells: { run: i === 150 ? '12Z' : '00Z' } }));
  it.each<[string, readonly LongRow[]]>([
    ['a day that comes twice', [...byDay.slice(0, 150), byDay[140], ...byDay.slice(150)]],
    ['days that come twice at several places', [...byDay.slice(0, 150), byDay[149], byDay[132], ...byDay.slice(100)]],
    [
      'a day that comes twice, of two runs',
      [...runs.slice(0, 151), { ...runs[150], cells: { run: '06Z' } }, ...runs.slice(151)],
    ],
    ['days that are out of order', [...byDay.slice(100), ...byDay.slice(0, 100)]],
    ['a date far from the others', broken(211, { day: 40_000 })],
    [
      'days scattered over many places',
      Array.from({ length: 300 }, (_, i) => ({ place: i % 150, day: i < 150 ? 0 : 3600, member: i % 50, value: 1 })),
    ],
    ['a missing member', broken(130, { member: '' })],
    ['an infinite value', broken(130, { value: 'inf' })],
    ['units that change', byDay.map((row, i) => ({ ...row, cells: { units: i < 150 ? 'mm' : 'inch' } }))],
  ])('has the error of all rows together: %s', async (_, given) => {
    const expected = await failureOf(() => together(given));
    expect(expected).toMatch(/Error/);
    for (const size of [30, 1000])
      expect((await failureOf(() => gathered(given, size))).replace('rain.csv, ', '')).toBe(expected);
  });

  it('has several variables, of which none is requested', async () => {
    const request = { granularity: 'weekly', partial: true } as const;
    for (const names of [
      ['precipitation', 'temp_mean'],
      ['foo', 'bar'],
    ]) {
      const given = byDay.map((row, i) => ({ ...row, cells: { variable: names[i < 150 ? 0 : 1] } }));
      const expected = await failureOf(async () => statistics(core, await longTable(given), request));
      expect(expected).toMatch(/the table holds several/);
      const failure = await failureOf(() => gathered(given, 30, LITTLE, request));
      expect(failure.replace('rain.csv, ', '')).toBe(expected);
    }
  });

  it('is not read if it changes before a fault is described', async () => {
    const given = [...byDay, byDay[0]];
    const { input } = await longInput(given, 30);
    let readings = 0;
    async function* tables() {
      let count = 0;
      for await (const table of input.tables(core)) if (readings === 0 || count++ < 2) yield table;
      readings++;
    }
    const changing = { ...input, tables };
    expect(
      await failureOf(() =>
        text(new TableStatistics(core, changing, { statistics: REQUEST, values: {} }, LITTLE).tables()),
      ),
    ).toMatch('rain.csv: was changed while it was read; allowed: a file that stays as it is until it is read');
  });
});

describe('the temporary file of rows', () => {
  const rows = sorted(
    rowsOf({ seed: 3, places: 6, members: 3, days: 12, isShifted: false, gaps: 0 }),
    ({ day }) => day,
  );
  const path = temporaryPath(tmpdir(), 'plumecast-test');

  it('has no name while it is used, and no trace afterwards', async () => {
    const own = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`.plumecast.${process.pid}-`));
    const during: string[] = [];
    const openFile = () => {
      const file = ROW_LIMITS.openFile();
      during.push(...own());
      return file;
    };
    await gathered(rows, 50, { ...LITTLE, openFile });
    expect([during, own()]).toEqual([[], []]);
  });

  it.skipIf(process.platform !== 'linux')('names the folder if the disk is full', async () => {
    const openFile = () => new FileStore('/dev/full');
    expect(await failureOf(() => gathered(rows, 50, { ...LITTLE, openFile }))).toBe(
      `FileError: temporary folder ${tmpdir()}: cannot hold the rows of rain.csv, which are not ordered by location: the disk is full; received "620 bytes so far"; allowed: space for 8 bytes a row and 4 or 8 for each of its values; another folder, by the environment variable TMPDIR; or rows ordered by location`,
    );
  });

  it('is an error if it is cut', async () => {
    const openFile = () => {
      const file = new FileStore(path);
      return {
        write: file.write.bind(file),
        close: file.close.bind(file),
        read: (into: Uint8Array, at: number) => {
          truncateSync(path, 1000);
          file.read(into, at);
        },
      };
    };
    const failure = await failureOf(() => gathered(rows, 50, { ...LITTLE, openFile }));
    rmSync(path);
    expect(failure).toBe(
      `FileError: ${path}: cannot be read: it ends too early; allowed: the bytes that were written to it`,
    );
  });

  it.each([0, 255])('is an error if its numbers change to bytes of %d', async (byte) => {
    for (let changed = 1; changed <= 8; changed++) {
      let reads = 0;
      const openFile = () => {
        const file = new FileStore(path);
        return {
          write: file.write.bind(file),
          close: file.close.bind(file),
          read: (into: Uint8Array, at: number) => {
            file.read(into, at);
            // Every fourth read is of where locations begin, of values, of series, and of rows.
            if (++reads === changed && reads % 4 !== 2 && reads % 4 !== 0) into.fill(byte);
          },
        };
      };
      const failure = await failureOf(() => gathered(rows, 50, { ...LITTLE, openFile }));
      rmSync(path);
      const problem = 'FileError: temporary file of rows: was changed while it was used';
      expect(failure).toMatch(changed % 2 === 1 ? problem : 'no error');
    }
  });
});
