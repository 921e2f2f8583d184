import { setMaxListeners } from 'node:events';
import { stat } from 'node:fs/promises';
import { isAddress } from '../../disk/local-path.js';
import { FileError, isPlumecastError, OptionError, type PlumecastError } from '../../errors.js';
import { runText } from '../../files/archives/run-files.js';
import { describeStore } from '../../service/source/folder/index.node.js';
import { isInBucket } from '../bucket-output.js';
import { stopSignal } from '../stop-signal.js';
import { type ArchiveRuns, type Fetch, type FoundRun, hourOf, targetOf } from './fetch-flags.js';

const MINUTE = 60_000;
const DEFAULT_MINUTES = 10;
/** The longest pause after failures, in milliseconds, unless the usual one is longer. */
const MAX_PAUSE = 60 * MINUTE;

/**
 * Takes the newest complete run, and then each new one, until a signal ends it. A failure is reported, and followed by a pause
 * that doubles from one to the next, up to an hour. Throws OptionError for what no later run changes.
 */
export async function watchRuns<Found extends FoundRun>(
  given: Fetch,
  minutes: number | undefined,
  runsOf: (signal: AbortSignal) => ArchiveRuns<Found>,
): Promise<void> {
  const { name, reporter, flags } = given;
  const ending = new AbortController();
  const { signal } = ending;
  // Each request listens to it.
  setMaxListeners(0, signal);
  void stopSignal().then(() => ending.abort());
  const runs = runsOf(signal);
  let last = flags.store === undefined ? undefined : await runOfStore(given);
  let failures = 0;
  while (!signal.aborted) {
    try {
      const newest = await runs.find();
      const missed = flags.store === undefined && last !== undefined ? await runs.between(last, newest.run) : [];
      for (const run of missed) await takeMissed(run);
      if (newest.run > (last ?? 0)) await take(newest);
      last = Math.max(last ?? 0, newest.run);
      failures = 0;
    } catch (error) {
      if (signal.aborted) break;
      if (!isPlumecastError(error) || error instanceof OptionError) throw error;
      reporter.error(error);
      failures++;
    }
    const usual = (minutes ?? DEFAULT_MINUTES) * MINUTE;
    const ms = failures < 2 ? usual : Math.max(usual, Math.min(MAX_PAUSE, usual * 2 ** (failures - 1)));
    if (failures > 0) reporter.note(`${name}: looks again in ${Math.ceil(ms / MINUTE)} minutes`);
    await pause(ms, signal);
  }
  reporter.note(`${name}: stopped`);

  async function take(found: Found): Promise<void> {
    const target = targetOf(flags, found.run);
    // It was written before this program began.
    if (flags.out !== undefined && (await isThere(target))) return;
    process.exitCode = undefined;
    await runs.take(found);
    if (process.exitCode === undefined) return;
    process.exitCode = undefined;
    throw new FileError({ subject: target, problem: 'did not take the run', allowed: 'a run that ingest takes' });
  }

  /** Takes a run between the last one and the newest; a note where it is not complete. */
  async function takeMissed(run: number): Promise<void> {
    const found = await runs.find(hourOf(run)).catch((error: PlumecastError) => {
      if (signal.aborted || error instanceof OptionError) throw error;
      reporter.note(`${name}: the run of ${runText(run)} is left out: ${error.message}`);
      return undefined;
    });
    if (found !== undefined) await take(found);
  }
}

/** Whether an output was written before. Throws FileError for a bucket that does not say it. */
function isThere(path: string): Promise<boolean> {
  if (isAddress(path)) return isInBucket(path);
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The run that a horizon of a store has, in seconds; undefined where there is none yet. */
async function runOfStore({ flags: { store = '', horizon = 'short-term' } }: Fetch): Promise<number | undefined> {
  const found = await describeStore(store).catch(() => undefined);
  const time = found?.forecast?.horizonInitTimes[horizon];
  return time === undefined ? undefined : Date.parse(time) / 1000;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
