import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Table } from 'apache-arrow';
import type { Ensemble } from '../arrow/ensemble.js';
import type { StatisticsAgainstOptions } from '../climate/against-options.js';
import type { Climatology } from '../climate/climatology.js';
import type { Core } from '../core/load.js';
import { readTable } from '../formats/read-table.js';
import { checkStatisticsOptions } from '../statistics/options.js';
import { readArrowFileInto } from '../stream/read-arrow-file-into.node.js';
import { statisticsInParts } from '../stream/statistics-of-arrow-file.node.js';
import { statisticsOfStream } from '../stream/statistics-of-arrow-stream.js';
import { allBytes, readInput, STANDARD, sourceName, standardInput } from './read-input.js';
import { statisticsOfFile, statisticsOfStreamedFile } from './statistics-of-file.js';

/** Files from this size on are not read as a whole where that can be helped. */
const LONG_BYTES = 33_554_432;
/** Bytes of a stream that are read at a time. */
const PIECE_BYTES = 4_194_304;

/**
 * Statistics of a file or of standard input, as `statisticsOfFile` gives them: part by part as they are read, where that is a long
 * Arrow file or an Arrow stream, its rows go by location, and there is no climatology; else of the whole file.
 */
export async function* statisticsOfInput(
  core: Core,
  path: string,
  request: StatisticsAgainstOptions,
  climatology?: Climatology,
): AsyncGenerator<Table> {
  const options = { ...request, source: sourceName(path) };
  const whole = async function* (bytes: Uint8Array) {
    yield* statisticsOfFile(core, await readTable(bytes, options), options, climatology);
  };
  if (climatology !== undefined) return yield* whole(await readInput(path));
  const streamed = (pieces: AsyncIterable<Uint8Array>) => {
    const checked = checkStatisticsOptions(options);
    return statisticsOfStreamedFile((seen) => statisticsOfStream(core, pieces, checked, seen), checked);
  };
  if (path === STANDARD) {
    const { isArrowStream, pieces } = await standardInput();
    if (isArrowStream) yield* streamed(pieces);
    else yield* whole(await allBytes(pieces));
    return;
  }
  const form = await longArrowForm(path);
  if (form === 'stream') yield* streamed(createReadStream(path, { highWaterMark: PIECE_BYTES }));
  else if (form === undefined) yield* whole(await readInput(path));
  else yield* statisticsOfLongFile(core, path, options);
}

async function* statisticsOfLongFile(
  core: Core,
  path: string,
  options: StatisticsAgainstOptions & { source: string },
): AsyncGenerator<Table> {
  const checked = checkStatisticsOptions(options);
  const inParts = (seen: (ensemble: Ensemble) => void) => statisticsInParts(core, path, checked, seen);
  if (yield* statisticsOfStreamedFile(inParts, checked)) return;
  const inCore = await readArrowFileInto(core, path, options);
  try {
    yield* statisticsOfFile(core, inCore.table, options);
  } finally {
    inCore.release();
  }
}

/** Whether a path is a long Arrow file or stream; undefined where it is neither, or cannot be read. */
async function longArrowForm(path: string): Promise<'file' | 'stream' | undefined> {
  const handle = await open(path).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    if (size < LONG_BYTES) return undefined;
    const { buffer } = await handle.read(Buffer.alloc(6), 0, 6, 0);
    if (buffer.toString('latin1') === 'ARROW1') return 'file';
    return buffer.readUInt32LE(0) === 0xffffffff ? 'stream' : undefined;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
