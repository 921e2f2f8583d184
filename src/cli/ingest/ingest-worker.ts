import { parentPort, workerData } from 'node:worker_threads';
import { Work } from '../../check/work.js';
import { loadCore } from '../../core/load.js';
import { isPlumecastError } from '../../errors.js';
import { seriesOfTimeline } from '../../service/ingest/blend-stored.js';
import { pairedTimeline } from '../../service/ingest/blended-dataset.js';
import { writeVariable } from '../../service/ingest/write-variable.js';
import type { FinishedFile, TakesFinished } from '../../service/source/folder/stopped-work.node.js';
import { ThreadUpdate, type WrittenSeries } from '../../service/source/folder/thread-update.node.js';
import { FetchedFiles } from '../fetched-files.js';
import { dataFile } from './ingest-files.js';
import type {
  TakenReply,
  ThreadFault,
  ThreadReply,
  ThreadSettings,
  ThreadTask,
  TimelineTask,
  VariableTask,
} from './thread-messages.js';

/*
 * A thread of an ingest: it writes files of the update of the thread that started it, one variable at a time.
 */

const { store, update: handover, reading, writing } = workerData as ThreadSettings;
const core = await loadCore();

let answer: ((taken: TakenReply) => void) | undefined;
/** What updates that were stopped have finished is the other thread's to give. */
const stopped: TakesFinished = {
  take: (wanted: Omit<FinishedFile, 'object'>, folder: string) => {
    post({ kind: 'take', wanted, folder });
    return new Promise((resolve) => {
      answer = resolve;
    });
  },
};
const update = new ThreadUpdate(store, handover, stopped);
/** Files that were joined, by the paths that they were given with. */
const joined = new Map<string, FetchedFiles>();

parentPort?.on('message', async (message: ThreadTask | TakenReply) => {
  if (message.kind === 'taken') {
    answer?.(message);
    return;
  }
  try {
    const written = message.kind === 'variable' ? await writeOfRun(message) : await writeTimeline(message);
    post({ kind: 'done', written });
  } catch (error) {
    post({ kind: 'failed', fault: faultOf(error as Error) });
  }
});

async function writeOfRun({ given, source, of, state, fine, run, variable }: VariableTask): Promise<WrittenSeries> {
  const progress = { report: () => {}, end: () => {} };
  const report = (notice: Extract<ThreadReply, { kind: 'notice' }>['notice']) => post({ kind: 'notice', notice });
  const fetched = await filesOf(given);
  const file = dataFile(source, of, { ...reading, core, progress, report, fetched, use: undefined });
  const onNotice = (text: string) => post({ kind: 'note', text });
  const work = new Work({ onProgress: ({ done }) => post({ kind: 'values', done }) }, 'values');
  let written: WrittenSeries | undefined;
  const writer: Parameters<typeof writeVariable>[0] = {
    storedBefore: (part) => update.storedBefore(part),
    write: async (part, series) => {
      written = await update.write(part, series);
    },
  };
  const entry = { file: { ...file, state, fine, horizon: run.horizon }, variable };
  await writeVariable(writer, run, entry, { ...writing, onNotice }, work);
  return written as WrittenSeries;
}

async function writeTimeline({ timeline, horizons }: TimelineTask): Promise<WrittenSeries> {
  const datasets = await Promise.all(
    horizons.map(async ([name, entry]) => [name, await update.stored(entry)] as const),
  );
  const paired = await pairedTimeline(new Map(datasets), undefined, timeline.pairing);
  return update.write(timeline.part, seriesOfTimeline(timeline, paired));
}

async function filesOf(given: readonly string[]): Promise<FetchedFiles> {
  const key = JSON.stringify(given);
  const known = joined.get(key);
  if (known !== undefined) return known;
  const files = new FetchedFiles(reading.pattern);
  await files.join(given);
  joined.set(key, files);
  return files;
}

function faultOf(error: Error): ThreadFault {
  const { message, stack } = error;
  const code = (error.cause as NodeJS.ErrnoException | undefined)?.code;
  if (!isPlumecastError(error)) return { message, stack, code, known: undefined };
  const { tag, subject, problem, received, allowed } = error;
  return { message, stack, code, known: { tag, subject, problem, received, allowed } };
}

function post(reply: ThreadReply): void {
  parentPort?.postMessage(reply);
}
