import { createReadStream } from 'node:fs';
import { formatBytes } from '../../batch/byte-count.js';
import type { GribArchive } from '../../files/archives/archive.js';
import { type FetchProgress, plannedBytes } from '../../files/archives/fetch-messages.node.js';
import type { RunPlan } from '../../files/archives/plan-run.js';
import { hoursOfRuns, productFor, runText } from '../../files/archives/run-files.js';
import { selectArrays } from '../../files/cf/select-arrays.js';
import { archiveAddress } from '../../input/archive-address.js';
import { fetchRun, planArchive, planNotes } from '../../input/archive-input.js';
import { timeLeft } from '../progress-text.js';
import { writeOutput } from '../write-output.js';
import { type ArchiveRuns, type FetchOf, targetOf } from './fetch-flags.js';
import { partsOf, putRun, removeParts } from './put-run.js';

const HOUR = 3600;

/** The runs of an archive of GRIB: the wanted messages are requested one by one, and kept until all of them are there. */
export function gribRuns(fetch: FetchOf<GribArchive>): ArchiveRuns<RunPlan> {
  const { archive, flags, signal } = fetch;
  return {
    find: (run = flags.run) => {
      const selection = selectArrays(flags.variable.map((variable) => ({ variable })));
      const wants = (shortName: string) => selection?.mayNeed(shortName, undefined) ?? true;
      return planArchive(archive, { ...flags, run }, wants, { signal });
    },
    take: (plan) => takeRun(fetch, plan),
    between: async (after, before) => {
      const hours = hoursOfRuns({ product: productFor(archive, flags.leadHours), last: flags.leadHours });
      const count = Math.max(0, (before - after) / HOUR - 1);
      const all = Array.from({ length: count }, (_, i) => after + (i + 1) * HOUR);
      return all.filter((run) => hours.includes((run / HOUR) % 24));
    },
  };
}

async function takeRun(fetch: FetchOf<GribArchive>, plan: RunPlan): Promise<void> {
  const { name, flags, reporter, format, signal } = fetch;
  const target = targetOf(flags, plan.run);
  for (const text of planNotes(plan)) reporter.notice({ kind: 'note', source: name, text });
  const parts = partsOf(fetch, plan.run, [name, plan.run, plan.messages]);
  const progress = reporter.progress();
  const started = Date.now();
  let before = 0;
  const onProgress = (done: FetchProgress) => {
    before = done.requestsBefore;
    progress.report(`${name}: ${progressText(done, Date.now() - started)}`);
  };
  const files = await fetchRun(plan, parts.folder, onProgress, { signal }).finally(() => progress.end());
  if (before > 0) reporter.note(`${name}: ${before} of ${files.length} requests were made before`);
  if (format === undefined && flags.out !== undefined) {
    await writeOutput(target, joined(files.map(({ path }) => path)));
  } else {
    // A file is written of what the flags name; a store states the archive alone.
    const options = flags.out === undefined ? { archives: flags.archives } : { ...flags, run: undefined };
    if (!(await putRun(fetch, plan.run, archiveAddress(name, { ...options, parts: parts.folder })))) return;
  }
  await removeParts(parts);
  reporter.note(`${name}: run of ${runText(plan.run)}, ${formatBytes(plannedBytes(plan))}, is in ${target}`);
}

/** `420 MB of 1.2 GB, 310 of 2511 requests, 24 MB/s, 0:32 left` */
function progressText({ bytes, bytesInAll, bytesBefore, requests, requestsInAll }: FetchProgress, ms: number): string {
  const rate = `${formatBytes((1000 * (bytes - bytesBefore)) / Math.max(1, ms))}/s`;
  const rest = bytesInAll - bytesBefore;
  const left = rest > 0 ? timeLeft((bytes - bytesBefore) / rest, ms) : undefined;
  const of = [
    `${formatBytes(bytes)} of ${formatBytes(bytesInAll)}`,
    `${requests} of ${requestsInAll} requests`,
    rate,
    left,
  ];
  return of.filter(Boolean).join(', ');
}

async function* joined(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) yield* createReadStream(path);
}
