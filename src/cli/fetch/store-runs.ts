import { mkdir } from 'node:fs/promises';
import { unwritable } from '../../disk/file-fault.js';
import { FileError } from '../../errors.js';
import type { StoreArchive } from '../../files/archives/archive.js';
import { runText } from '../../files/archives/run-files.js';
import { archiveAddress } from '../../input/archive-address.js';
import { type CommonRun, newestCommonRun, runsBetween } from '../../input/common-run.js';
import { type ArchiveRuns, type FetchOf, hourOf, targetOf } from './fetch-flags.js';
import { partsOf, putRun, removeParts } from './put-run.js';

/**
 * The runs of an archive that is a store of Zarr or Icechunk: only the chunks of what is wanted are requested, and kept
 * beside the output, or in the cache where there is one, until all of them are there.
 */
export function storeRuns(fetch: FetchOf<StoreArchive>): ArchiveRuns<CommonRun> {
  const { name, archive, flags } = fetch;
  return {
    find: async (run = flags.run) => {
      const found = await newestCommonRun(archive, { ...flags, run }, { variables: flags.variable, bbox: flags.bbox });
      if (found !== undefined) return found;
      throw new FileError({
        ...{ subject: name, problem: 'has no runs: it is one series of times' },
        allowed: 'an archive of runs; of others convert and ingest read what is needed',
      });
    },
    take: (found) => takeRun(fetch, found),
    between: (after, before) => runsBetween(archive, flags, [after, before]),
  };
}

async function takeRun(fetch: FetchOf<StoreArchive>, { run, notes }: CommonRun): Promise<void> {
  const { name, flags, reporter } = fetch;
  const { variable, bbox, leadHours, mirror, archives } = flags;
  for (const text of notes) reporter.notice({ kind: 'note', source: name, text });
  const parts = partsOf(fetch, run, [name, run, variable, bbox, leadHours, mirror]);
  const address = archiveAddress(name, { run: hourOf(run), leadHours, mirror, archives });
  if (!(await keepingRequests(parts.folder, () => putRun(fetch, run, address)))) return;
  await removeParts(parts);
  reporter.note(`${name}: run of ${runText(run)} is in ${targetOf(flags, run)}`);
}

/** Runs `action`, in which what comes from servers is kept in a folder, whatever its size, unless there is a cache already. */
async function keepingRequests<T>(folder: string, action: () => Promise<T>): Promise<T> {
  const { env } = process;
  if (env.PLUMECAST_CACHE) return action();
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw unwritable(folder, cause);
  });
  const { PLUMECAST_CACHE_BYTES: bytes } = env;
  env.PLUMECAST_CACHE = folder;
  env.PLUMECAST_CACHE_BYTES = String(Number.MAX_SAFE_INTEGER);
  try {
    return await action();
  } finally {
    delete env.PLUMECAST_CACHE;
    if (bytes === undefined) delete env.PLUMECAST_CACHE_BYTES;
    else env.PLUMECAST_CACHE_BYTES = bytes;
  }
}
