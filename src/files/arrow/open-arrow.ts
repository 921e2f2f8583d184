import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { FileAccess } from '../file-access.js';
import type { OpenedTable, TableOptions } from '../format.js';
import { doubleBufferedParts, openArrowFile, PART_BYTES } from './arrow-file.js';
import { noRows, readArrowFile, readArrowStream } from './arrow-read.js';
import { readTables } from './message-reader.js';
import { type MessageRun, messageRuns } from './message-runs.js';

/** Opens an Arrow IPC file; one on the disk is read part by part. */
export function openArrowFileTables(file: FileAccess, { areKept = false }: TableOptions): OpenedTable {
  const { source, random } = file;
  const read = async () => readArrowFile(await file.bytes(), source);
  return {
    read,
    async *tables(core) {
      const parts = random === undefined || areKept ? undefined : await openArrowFile(random, PART_BYTES);
      // Files without batches, and those whose faults only the reader of entire files can name.
      if (parts === undefined) yield await read();
      else yield* tablesOfRuns(doubleBufferedParts(core, parts), source);
    },
  };
}

/** Opens an Arrow IPC stream. */
export function openArrowStreamTables(file: FileAccess, { areKept = false }: TableOptions): OpenedTable {
  const { source } = file;
  return {
    read: async () => readArrowStream(await file.bytes(), source),
    tables: (core: Core) => {
      const runs = messageRuns(core, file.pieces(), source);
      return tablesOfRuns(areKept ? copies(runs) : runs, source);
    },
  };
}

async function* tablesOfRuns(runs: AsyncIterable<MessageRun>, source: string): AsyncGenerator<Table> {
  let hasRows = false;
  for await (const table of readTables(runs, source)) {
    hasRows = true;
    yield table;
  }
  if (!hasRows) throw noRows(source);
}

/** Messages outside of the core's memory, where they are gone with the next ones. */
async function* copies(runs: AsyncIterable<MessageRun>): AsyncGenerator<MessageRun> {
  for await (const run of runs) {
    const copy = run().slice();
    yield () => copy;
  }
}
