import type { Members } from '../data.js';
import { loadPeer, peerVersions } from '../peers.js';
import { type QuantilePlace, quantilePlaces } from '../quantile-places.js';
import { DAYS, MEMBERS, PROBABILITIES, type Workload } from '../workloads.js';
import { medianRun } from './median-run.js';
import type { Measured, Rival, RivalJob } from './rival.js';
import { rowsOfWindows } from './rows-of-windows.js';

/** What is used of DuckDB. */
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
    mostCells: () => 2_000,
    measure: (job) => measure(duckdb, job),
  };
}

async function measure(duckdb: DuckDB, { workload, cells, members, turns }: RivalJob): Promise<Measured[]> {
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await load(duckdb, connection, workload, members);
  const outputs = cells * workload.windows.count;
  const found: Measured[] = [];
  for (const [formulation, select] of Object.entries(formulations(workload))) {
    const time = await medianRun(turns, () => connection.run(`CREATE OR REPLACE TABLE results AS ${select}`));
    const sorted = `SELECT * FROM results WHERE cell < ${CHECKED_CELLS} ORDER BY cell, w`;
    const columns = (await connection.runAndReadAll(sorted)).getColumns();
    const results = columns.slice(2).map((values) => Float32Array.from(values));
    found.push({ name: 'DuckDB', formulation, nanoseconds: time / outputs, order: 'cell-first', results });
  }
  connection.closeSync();
  instance.closeSync();
  return found;
}

/** `wide` has a row for each cell and day of a window, `long` one for each of their members. */
async function load(duckdb: DuckDB, connection: Connection, { windows }: Workload, members: Members): Promise<void> {
  const { INTEGER, FLOAT, DuckDBDataChunk } = duckdb;
  await connection.run(
    `CREATE TABLE wide (cell INTEGER, w INTEGER, ${names.map((name) => `${name} FLOAT`).join(', ')})`,
  );
  const appender = await connection.createAppender('wide');
  const chunk = DuckDBDataChunk.create([INTEGER, INTEGER, ...names.map(() => FLOAT)], CHUNK_ROWS);
  const rows = rowsOfWindows(windows, members[0].length / DAYS);
  for (let from = 0; from < rows.row.length; from += CHUNK_ROWS) {
    const here = rows.row.subarray(from, from + CHUNK_ROWS);
    chunk.rowCount = here.length;
    chunk.setColumnValues(
      0,
      here.map((row) => Math.floor(row / DAYS)),
    );
    chunk.setColumnValues(1, rows.window.subarray(from, from + CHUNK_ROWS));
    members.forEach((values, m) => {
      const column = Float32Array.from(here, (row) => values[row]);
      chunk.setColumnValues(m + 2, column);
    });
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  await connection.run(`CREATE TABLE long AS UNPIVOT wide ON ${names.join(', ')} INTO NAME member VALUE value`);
  await connection.run('ALTER TABLE long ALTER member TYPE UTINYINT USING substr(member, 2)::UTINYINT');
}

/** Queries whose columns are cell, w, mean and quantiles. */
function formulations({ rule, windows }: Workload): Record<string, string> {
  const combine = rule === 'mean' ? 'avg' : 'sum';
  const isRaw = windows.count === DAYS;
  const totals = names.map((name) => `${combine}(${name}) AS ${name}`).join(', ');
  const wide = isRaw ? 'wide' : `(SELECT cell, w, ${totals} FROM wide GROUP BY cell, w)`;
  const long = isRaw
    ? 'long'
    : `(SELECT cell, w, member, ${combine}(value) AS value FROM long GROUP BY cell, w, member)`;
  const places = quantilePlaces(MEMBERS);
  const list = `[${names.join(', ')}]`;
  const ofSorted = places.map(between).join(', ');
  const ofList = PROBABILITIES.map((p) => `list_aggregate(l, 'quantile_cont', ${p})`).join(', ');
  const quantiles = PROBABILITIES.map((_, k) => `q[${k + 1}]`).join(', ');
  return {
    'wide table, list_sort': `SELECT cell, w, (${names.join(' + ')}) / ${MEMBERS}::DOUBLE, ${ofSorted} FROM (SELECT *, list_sort(${list}) AS l FROM ${wide})`,
    'wide table, quantile_cont of lists': `SELECT cell, w, list_avg(l), ${ofList} FROM (SELECT cell, w, ${list} AS l FROM ${wide})`,
    'long table, quantile_cont': `SELECT cell, w, mean, ${quantiles} FROM (SELECT cell, w, avg(value) AS mean, quantile_cont(value, [${PROBABILITIES.join(', ')}]) AS q FROM ${long} GROUP BY cell, w)`,
  };
}

/** Lists count from 1. */
function between({ low, high, weight }: QuantilePlace): string {
  const [a, b] = [`l[${low + 1}]::DOUBLE`, `l[${high + 1}]::DOUBLE`];
  return low === high ? a : `${a} + ${weight} * (${b} - ${a})`;
}
