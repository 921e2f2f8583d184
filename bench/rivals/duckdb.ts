import type { Measured, Rival, RivalJob } from '../contestant.js';
import type { Members } from '../members.js';
import { loadPeer, peerVersions } from '../peers.js';
import { medianRun } from '../timing.js';
import { DAYS, MEMBERS, type QuantilePlace, quantilePlaces, type Workload, windowRows } from '../workloads.js';

/** The functions of DuckDB that are used. */
interface DuckDB {
  readonly DuckDBInstance: { create(path: string, options: Record<string, string>): Promise<Instance> };
  readonly DuckDBDataChunk: { create(types: readonly unknown[], rows: number): Chunk };
  readonly INTEGER: unknown;
  readonly FLOAT: unknown;
}
interface Instance {
  connect(): Promise<Connection>;
  closeSync(): void;
}
interface Connection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getColumns(): number[][] }>;
  createAppender(table: string): Promise<{ appendDataChunk(chunk: Chunk): void; closeSync(): void }>;
  closeSync(): void;
}
interface Chunk {
  rowCount: number;
  setColumnValues(column: number, values: ArrayLike<number>): void;
}

const CHUNK_ROWS = 2_048;
const CHECKED_CELLS = 500;
const names = Array.from({ length: MEMBERS }, (_, m) => `m${m}`);

/** DuckDB with one thread, on tables in its memory, into a table in its memory. */
export async function duckdbRival(): Promise<Rival> {
  const duckdb = await loadPeer<DuckDB>('@duckdb/node-api');
  return {
    name: 'DuckDB',
    kind: 'library',
    versions: { DuckDB: peerVersions['@duckdb/node-api'] },
    timed: 'from a table in its memory to a table of results in its memory',
    maxCells: () => 2_000,
    measure: (job) => measure(duckdb, job),
  };
}

async function measure(duckdb: DuckDB, { workload, cells, members, turns }: RivalJob): Promise<Measured[]> {
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await load(duckdb, connection, workload, members);
  const time = await medianRun(turns, () => connection.run(`CREATE OR REPLACE TABLE results AS ${query(workload)}`));
  const sorted = `SELECT * FROM results WHERE cell < ${CHECKED_CELLS} ORDER BY cell, w`;
  const columns = (await connection.runAndReadAll(sorted)).getColumns();
  const results = columns.slice(2).map((values) => Float32Array.from(values));
  const nanoseconds = time / (cells * workload.windows.count);
  connection.closeSync();
  instance.closeSync();
  return [{ name: 'DuckDB', formulation: 'wide table, list_sort', nanoseconds, order: 'cell-first', results }];
}

/** A table with a row for each cell and day of a window, a column for each member. */
async function load(duckdb: DuckDB, connection: Connection, { windows }: Workload, members: Members): Promise<void> {
  const { INTEGER, FLOAT, DuckDBDataChunk } = duckdb;
  await connection.run(
    `CREATE TABLE days (cell INTEGER, w INTEGER, ${names.map((name) => `${name} FLOAT`).join(', ')})`,
  );
  const appender = await connection.createAppender('days');
  const chunk = DuckDBDataChunk.create([INTEGER, INTEGER, ...names.map(() => FLOAT)], CHUNK_ROWS);
  const { row, window } = windowRows(windows, members[0].length / DAYS);
  for (let from = 0; from < row.length; from += CHUNK_ROWS) {
    const rows = row.subarray(from, from + CHUNK_ROWS);
    const cells = rows.map((at) => Math.floor(at / DAYS));
    chunk.rowCount = rows.length;
    chunk.setColumnValues(0, cells);
    chunk.setColumnValues(1, window.subarray(from, from + CHUNK_ROWS));
    members.forEach((values, m) => {
      const column = Float32Array.from(rows, (at) => values[at]);
      chunk.setColumnValues(m + 2, column);
    });
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

/** A query whose columns are cell, window, mean and quantiles. */
function query({ rule, windows }: Workload): string {
  const combine = rule === 'mean' ? 'avg' : 'sum';
  const totals = names.map((name) => `${combine}(${name}) AS ${name}`).join(', ');
  const table = windows.count === DAYS ? 'days' : `(SELECT cell, w, ${totals} FROM days GROUP BY cell, w)`;
  const mean = `(${names.join(' + ')}) / ${MEMBERS}::DOUBLE`;
  const quantiles = quantilePlaces(MEMBERS).map(between).join(', ');
  return `SELECT cell, w, ${mean}, ${quantiles} FROM (SELECT *, list_sort([${names.join(', ')}]) AS l FROM ${table})`;
}

/** Lists count from 1. */
function between({ low, high, weight }: QuantilePlace): string {
  const [a, b] = [`l[${low + 1}]::DOUBLE`, `l[${high + 1}]::DOUBLE`];
  return low === high ? a : `${a} + ${weight} * (${b} - ${a})`;
}
