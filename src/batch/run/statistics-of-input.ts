import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import { removeLeftTemporaries, removeWhenStopped, temporaryPath } from '../../disk/temporary-file.node.js';
import { readTables } from '../../files/arrow/message-reader.js';
import { messageRuns } from '../../files/arrow/message-runs.js';
import { readArrowFileInto } from '../../files/arrow/read-arrow-file-into.node.js';
import { readPieces } from '../../files/byte-source.js';
import { isGzip } from '../../files/codecs/gzip.js';
import { readTable } from '../../files/read-table.js';
import { tablesOfFile } from '../../files/tables-of-file.node.js';
import { tablesOfGzip } from '../../files/tables-of-gzip.node.js';
import { computeResults } from './compute-grid.js';
import { openGridStatistics } from './grid-statistics.js';
import { joinPieces, openStandardInput, readInput, STANDARD, sourceName } from './input-file.js';
import { type InputRequest, InputStatistics } from './input-statistics.js';
import type { Report } from './notice.js';
import { isGridPath, openGridFile } from './open-grid-file.js';
import { warnIfImplausible } from './statistics-of-file.js';

/** Files from this size on are read part by part if possible. */
const LONG_BYTES = 33_554_432;
/** Parquet files need several times their size in memory. */
const LONG_PARQUET_BYTES = 4_194_304;

/**
 * Computes statistics of a file or of standard input, as `statisticsOfFile` does for its daily values: part by part for
 * a long file or an Arrow stream with rows by location, else of the complete file; for files of arrays block by block.
 */
export async function* statisticsOfInput(
  core: Core,
  path: string,
  request: InputRequest,
  report: Report,
): AsyncGenerator<Table> {
  const source = sourceName(path);
  if (path !== STANDARD && (await isGridPath(path))) return yield* statisticsOfGridFile(core, path, request, report);
  const statistics = new InputStatistics(core, source, request, report);
  const ofBytes = async (bytes: Uint8Array) => statistics.ofTable(await readTable(bytes, statistics.reading));
  if (path === STANDARD) {
    const { isArrowStream, isPacked, pieces } = await openStandardInput();
    if (isPacked) {
      const packed = await joinPieces(pieces);
      const unpacked = () => tablesOfGzip(readPieces(packed), source, statistics.reading);
      return yield* statistics.ofTables({ tables: unpacked, areViews: false });
    }
    const tables = () => readTables(messageRuns(core, pieces, source), source);
    if (isArrowStream && !statistics.needsTwoPasses) yield* statistics.ofTables({ tables, areViews: true });
    else yield* await ofBytes(await joinPieces(pieces));
    return;
  }
  const kind = await longFileKind(path);
  const tables = () => tablesOfFile(core, path, statistics.reading);
  if (kind === undefined) yield* await ofBytes(await readInput(path));
  else if (kind !== 'arrow-file') yield* statistics.ofTables({ tables, areViews: kind === 'arrow-stream' });
  else if (!(yield* statistics.ofStreamableTables({ tables, areViews: true }))) {
    const inCore = await readArrowFileInto(core, path, { source });
    try {
      yield* statistics.ofTable(inCore.table);
    } finally {
      inCore.release();
    }
  }
}

/** The maximum number of bytes of values of a file of arrays held at a time. */
const GRID_BYTES = 536_870_912;

async function* statisticsOfGridFile(
  core: Core,
  path: string,
  request: InputRequest,
  report: Report,
): AsyncGenerator<Table> {
  const file = await openGridFile(path);
  await removeLeftTemporaries(tmpdir(), 'plumecast');
  const resultsPath = temporaryPath(tmpdir(), 'plumecast');
  const stop = removeWhenStopped(resultsPath);
  try {
    const statistics = await openGridStatistics(core, file, request, report);
    const work = { core, bytes: GRID_BYTES, results: resultsPath, progress: () => {} };
    const { results, close } = await computeResults(statistics, work);
    try {
      yield* warnIfImplausible(statistics.tables(results), statistics.ensemble, file.source, report);
    } finally {
      close();
    }
  } finally {
    await file.close();
    await rm(resultsPath, { force: true });
    stop();
  }
}

/**
 * The kind of a long file, or of one that may be long after unpacking; undefined for others, and files that cannot be
 * read.
 */
async function longFileKind(path: string): Promise<'arrow-file' | 'arrow-stream' | 'other' | undefined> {
  const handle = await open(path).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(6), 0, 6, 0);
    if (isGzip(buffer)) return 'other';
    if (size < LONG_PARQUET_BYTES) return undefined;
    const begin = buffer.toString('latin1');
    if (begin.startsWith('PAR1')) return 'other';
    if (size < LONG_BYTES) return undefined;
    if (begin === 'ARROW1') return 'arrow-file';
    return buffer.readUInt32LE(0) === 0xffffffff ? 'arrow-stream' : 'other';
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
