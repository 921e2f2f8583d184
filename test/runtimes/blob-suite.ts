import { RecordBatch, Table, tableFromArrays, tableToIPC } from 'apache-arrow';
import { loadCore } from 'plumecast';
import { encodeTables, readTables } from 'plumecast/files';

/** What reading a Blob by some threads gives. */
export interface Reading {
  /** A digest of each table. */
  readonly tables: string[];
  readonly error?: string;
  /** The parts that other threads have read. */
  readonly parts: number;
}

let parts = 0;
/** Workers that were started and are not ready yet, nor failed. */
let starting = 0;

/** Counts the parts that workers read. */
class CountingWorker extends Worker {
  constructor(...given: ConstructorParameters<typeof Worker>) {
    super(...given);
    starting++;
    this.addEventListener('message', ({ data }) => {
      if (data === 'ready') starting--;
      else if (data.tables !== undefined) parts++;
    });
    this.addEventListener('error', () => starting--);
  }
}

/** Called by the page: reads the Blobs, or those of these names, by so many threads each. */
export async function run(
  threadCounts: readonly number[],
  names?: readonly string[],
): Promise<Record<string, Reading[]>> {
  globalThis.Worker = CountingWorker;
  const csv = new TextEncoder().encode(longCsv());
  const cellTooMany = csv.slice();
  // A slice in the middle: a line end becomes a comma.
  cellTooMany[cellTooMany.indexOf(10, 13_000_000)] = 44;
  const lateEncoding = csv.slice();
  // Bytes that are not UTF-8 in a text far behind.
  lateEncoding.fill(0xff, lateEncoding.lastIndexOf(98) - 1, lateEncoding.lastIndexOf(98) + 1);
  const parquet = await bytesOf(encodeTables(parquetTables(), 'parquet'));
  const damaged = parquet.slice();
  damaged.fill(0xab, damaged.length / 2, damaged.length / 2 + 4000);
  const blobs = { csv, cellTooMany, lateEncoding, parquet, damaged };
  const readings: Record<string, Reading[]> = {};
  for (const [name, bytes] of Object.entries(blobs)) {
    if (names?.includes(name) === false) continue;
    readings[name] = [];
    for (const threads of threadCounts) readings[name].push(await read(new Blob([bytes]), name, threads));
  }
  return readings;
}

async function read(blob: Blob, source: string, threads: number): Promise<Reading> {
  const tables: string[] = [];
  parts = 0;
  starting = 0;
  try {
    for await (const table of readTables(await loadCore(), blob, { source, threads })) {
      const bytes = tableToIPC(table, 'stream');
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice()));
      tables.push(`${table.numRows} ${digest.join(' ')}`);
      // Until then the calling thread reads all parts.
      while (starting > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return { tables, parts };
  } catch (error) {
    return { tables, error: String(error), parts };
  }
}

/** More bytes than CSV is cut into slices from, in several slices. */
function longCsv(): string {
  const lines = ['place,date,member_0,member_1,member_2'];
  for (let row = 0; row < 500_000; row++) {
    const day = String(1 + (row % 28)).padStart(2, '0');
    const missing = row % 11 === 0 ? '' : `${(row * 7) % 1013}.${row % 10}`;
    lines.push(`place ${row >> 8}b,2026-03-${day},${(row * 31) % 977},${missing},-${row % 89}.25`);
  }
  return `${lines.join('\n')}\n`;
}

/** Tables of several row groups. */
function parquetTables(): Table[] {
  const rows = 50_000;
  return Array.from({ length: 4 }, (_, group) => {
    const columns: Record<string, Float64Array> = {};
    for (let member = 0; member < 8; member++)
      columns[`member_${member}`] = Float64Array.from(
        { length: rows },
        (_, row) => ((row * 7919 + member * 31 + group) % 104729) / 8,
      );
    return new Table(tableFromArrays(columns).batches.map(({ schema, data }) => new RecordBatch(schema, data)));
  });
}

async function bytesOf(blocks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const block of blocks) pieces.push(block.slice());
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
