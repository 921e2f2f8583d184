import type { Table } from 'apache-arrow';
import { beginWork } from '../check/work.js';
import type { ByteSource } from './byte-source.js';
import { givenPath } from './given-path.node.js';
import { withTable } from './open-source.node.js';
import { checkReadTableOptions, type ReadTableOptions, readTable as readTableOfBytes } from './read-table.js';

/**
 * Reads an ensemble file at a path or a `file:` URL, or a folder of Parquet files partitioned by keys, as `readTable` of `plumecast/files` reads
 * bytes, which it takes, too. Messages begin with `source`, by default the path. Throws FileError if the file cannot be
 * read or changes meanwhile, and as that function does.
 *
 * @example
 * ```js
 * import { readTable } from 'plumecast/files/node';
 * import { writeFile } from 'node:fs/promises';
 *
 * await writeFile('rain.csv', 'date,member_0,member_1\n2026-03-02,0,1.5\n');
 * const table = await readTable('rain.csv'); // or Parquet, Arrow, Excel, also at an address
 * console.log(table.schema.names, table.numRows);
 * ```
 *
 * ```text
 * [ 'date', 'member_0', 'member_1' ] 1
 * ```
 */
export async function readTable(source: string | URL | ByteSource, options: ReadTableOptions = {}): Promise<Table> {
  const path = givenPath(source);
  if (path === undefined) return readTableOfBytes(source as ByteSource, options);
  const { work, others } = beginWork(options, 'bytes');
  const reading = checkReadTableOptions(others);
  return work.run(async () => {
    const tables = withTable(path, { ...reading, work }, async function* ({ read }) {
      yield await read();
    });
    let table: Table | undefined;
    // It is closed at its end.
    for await (const read of tables) table = read;
    return table as Table;
  });
}
