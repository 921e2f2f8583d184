import type { Table } from 'apache-arrow';
import { beginWork } from '../check/work.js';
import type { ByteSource } from './byte-source.js';
import { withTable } from './open-source.node.js';
import { checkReadTableOptions, type ReadTableOptions, readTable as readTableOfBytes } from './read-table.js';

/**
 * Reads an ensemble file, or a folder of Parquet files partitioned by keys, as `readTable` of `plumecast/files` reads
 * bytes, which it takes, too. Messages begin with `source`, by default the path. Throws FileError if the file cannot be
 * read or changes meanwhile, and as that function does.
 */
export async function readTable(source: string | ByteSource, options: ReadTableOptions = {}): Promise<Table> {
  if (typeof source !== 'string') return readTableOfBytes(source, options);
  const { work, others } = beginWork(options, 'bytes');
  const reading = checkReadTableOptions(others);
  return work.run(async () => {
    const tables = withTable(source, { ...reading, work }, async function* ({ read }) {
      yield await read();
    });
    let table: Table | undefined;
    // It is closed at its end.
    for await (const read of tables) table = read;
    return table as Table;
  });
}
