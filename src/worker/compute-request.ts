import type { Table } from 'apache-arrow';
import { isVerifying } from '../batch/check-plan.js';
import { openGivenFile } from '../batch/open-given-file.js';
import { PartShares } from '../batch/part-shares.js';
import type { Core } from '../core/load.js';
import { DataError, NoWindowError, OptionError } from '../errors.js';
import { encodeTables } from '../files/encode-tables.js';
import type { Input } from '../input/input.js';
import type { InputFile } from '../input/input-file.js';
import type { Notice, Report } from '../input/notice.js';
import { reportOnce } from '../input/notice.js';
import type { WantedOfArchive } from '../input/pinned-archive.js';
import { openStatistics, statisticsOfInput } from '../input/statistics-of-input.js';
import { openStream } from '../input/stream-input.js';
import { createTable, textDictionary, texts } from '../table/build/create-table.js';
import type { FrameReader } from './frames.js';
import { HeldBytes } from './held-bytes.js';
import type { PlannedRequestPart, WorkerRequest } from './worker-request.js';

/** How long results are computed before anything else has a turn, in milliseconds. */
const TURN_MS = 50;

/** The results of a request, and what was noticed about its data. */
export interface Results {
  readonly bytes: HeldBytes;
  readonly rows: number;
  readonly notices: readonly Notice[];
}

/**
 * Computes a request to its end: the results are an Arrow stream for each of its parts. Throws what reading and
 * computing throw, and DataError if the client sent another number of rows than it says.
 */
export async function computeRequest(core: Core, request: WorkerRequest, frames: FrameReader): Promise<Results> {
  const notices: Notice[] = [];
  const report = reportOnce((notice) => notices.push(notice));
  const bytes = new HeldBytes();
  const mark = core.memory.mark();
  try {
    const parts =
      request.file === undefined ? partsOfData(core, request, frames, report) : partsOfFile(core, request, report);
    if (request.file !== undefined) await assertNoData(frames);
    let rows = 0;
    for await (const tables of parts) {
      const encoded = encodeTables(
        counted(tables, (count) => (rows += count)),
        'arrow-stream',
      );
      for await (const block of isPart(request.parts[0]) ? withoutWindows(encoded) : encoded) bytes.add(block);
    }
    return { bytes, rows, notices };
  } catch (error) {
    bytes.close();
    throw error;
  } finally {
    core.memory.release(mark);
  }
}

/** The tables of each part of a request, from the data after it. */
async function* partsOfData(
  core: Core,
  { source, parts }: WorkerRequest,
  frames: FrameReader,
  report: Report,
): AsyncGenerator<AsyncIterable<Table>> {
  const [first] = parts;
  const isPlanned = 'plan' in first;
  const once = parts.length === 1 && (isPlanned || first.climatology === undefined);
  const { columns } = isPlanned ? first.plan.request : first.statistics;
  const { table, rows } = await openStream(frames.data(), { source, report, once, columns });
  try {
    for (const part of parts) {
      if ('plan' in part) yield planned(core, part, table, report);
      else {
        const statistics = await openStatistics(core, table, part);
        if (statistics.kind === 'table') yield statistics.tables();
      }
      assertRows(rows(), await frames.end(), source);
    }
  } finally {
    await table.close();
  }
}

/** The tables of each part of a request, from a file, or from files that are one. */
async function* partsOfFile(
  core: Core,
  { file = '', join, parts }: WorkerRequest,
  report: Report,
): AsyncGenerator<AsyncIterable<Table>> {
  const input = await openGivenFile(file, join, wantedOf(parts));
  const kept = { ...input, close: async () => {} };
  try {
    for (const part of parts)
      yield 'plan' in part ? planned(core, part, kept, report) : statisticsOfInput(core, kept, part, report);
  } finally {
    await input.close();
  }
}

/** What the parts of a request read of an archive. */
function wantedOf(parts: WorkerRequest['parts']): WantedOfArchive {
  const [first] = parts;
  const { values } = 'plan' in first ? first.plan : first;
  const { point, variables: definitions } = 'plan' in first ? first.plan.request : first.statistics;
  const named = parts.flatMap((part) =>
    'plan' in part ? (part.plan.joint ?? part.variable) : part.statistics.variable,
  );
  const own = named.filter((variable) => typeof variable === 'object');
  const slugs = named.map((variable) => (typeof variable === 'object' ? variable.slug : variable));
  const variables = [...new Set(slugs)].filter((variable) => variable !== undefined);
  return {
    ...(variables.length > 0 && { variables }),
    definitions: [...(definitions ?? []), ...own],
    ...{ point, bbox: values.bbox, choosesRuns: values.init !== undefined },
  };
}

/** The shares or scores of an input; or a row with the state of scores. */
async function* planned(
  core: Core,
  { plan, climatologies, variable, granularity }: PlannedRequestPart,
  input: string | InputFile | Input,
  report: Report,
): AsyncGenerator<Table> {
  if (!isVerifying(plan)) {
    yield* new PartShares(core, plan, { granularity, climatologies, report, open: async () => [input] }).tables();
    return;
  }
  // Loaded by requests that verify alone.
  const { verifyParts } = await import('../batch/verify-output.js');
  const part = { variable, granularity, input: sourceOf(input), open: async () => input };
  const result = await verifyParts(core, plan, [part], report);
  yield 'table' in result
    ? result.table
    : createTable([texts('state', new Int32Array(1), textDictionary([result.state]))], new Map());
}

function sourceOf(input: string | InputFile | Input): string {
  return typeof input === 'string' ? input : input.source;
}

function isPart(part: WorkerRequest['parts'][number]): boolean {
  return !('plan' in part) && part.part !== undefined;
}

/** The results of a part of a whole, or nothing where it has no complete window. */
async function* withoutWindows(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* blocks;
  } catch (error) {
    // It is thrown before the first result.
    if (!(error instanceof NoWindowError)) throw error;
  }
}

async function* counted(tables: AsyncIterable<Table>, add: (rows: number) => void): AsyncGenerator<Table> {
  let began = performance.now();
  for await (const table of tables) {
    add(table.numRows);
    yield table;
    if (performance.now() - began < TURN_MS) continue;
    // Signals and other clients come in between.
    await new Promise(setImmediate);
    began = performance.now();
  }
}

function assertRows(read: number, stated: number, source: string): void {
  if (read === stated) return;
  throw new DataError({
    source,
    problem: 'the end frame states another number of rows than the data have',
    received: stated,
    allowed: `${read}, the rows of the data`,
  });
}

async function assertNoData(frames: FrameReader): Promise<void> {
  for await (const _ of frames.data()) {
    throw new OptionError({ subject: 'file', problem: 'is given, and data follow', allowed: 'one of them' });
  }
  assertRows(0, await frames.end(), 'request');
}
