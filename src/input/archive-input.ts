import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { unreadable, unwritable } from '../disk/file-fault.js';
import { FileError, mentionOption, OptionError } from '../errors.js';
import { type Archive, assertRoot, type GribArchive, knownArchives, parseArchives } from '../files/archives/archive.js';
import {
  type FetchProgress,
  fetchMessages,
  type MessageFile,
  plannedBytes,
  plannedRequests,
} from '../files/archives/fetch-messages.node.js';
import { type ArchiveRequest, planRun, type RunPlan } from '../files/archives/plan-run.js';
import { runText } from '../files/archives/run-files.js';
import type { ArrayFile } from '../files/array/array-file.js';
import { openSelectedGrib } from '../files/grib/open-grib-files.node.js';
import type { RemoteOptions } from '../files/remote/remote-server.js';
import { usesCache } from '../files/remote/send-cached.js';
import { type ArchiveOptions, parseArchiveAddress, parseRun } from './archive-address.js';
import type { InputFile } from './input-of-files.js';
import { openStoreArchive } from './store-archive.js';
import { temporaryFolder } from './temporary-input.js';

/** Finds an archive by its name: a known one, or one of a file. Throws OptionError and FileError. */
export async function findArchive(name: string, { archives }: Pick<ArchiveOptions, 'archives'> = {}): Promise<Archive> {
  const all = new Map(knownArchives());
  if (archives !== undefined) {
    const text = await readFile(archives, 'utf8').catch((cause) => {
      throw unreadable(archives, cause, 'a file of JSON with archives');
    });
    for (const [own, archive] of parseArchives(text, archives)) all.set(own, archive);
  }
  const found = all.get(name);
  if (found !== undefined) return found;
  throw new OptionError({
    ...{ subject: 'archive', problem: 'is not known', received: name },
    allowed: `${[...all.keys()].join(', ')}; or one of ${mentionOption('archives')}`,
  });
}

/**
 * Opens an archive by its address: of one of GRIB, index files and the wanted messages are requested when arrays are
 * opened, and kept in temporary files until it is closed. Throws FileError and OptionError.
 */
export async function openArchiveInput(address: string): Promise<InputFile> {
  const { name, options } = parseArchiveAddress(address);
  const archive = await findArchive(name, options);
  if (options.mirror !== undefined) assertRoot(options.mirror, 'mirror');
  if (archive.kind === 'store') {
    return {
      ...{ path: address, source: name, texts: textsOf(archive), close: async () => {} },
      openArrays: async (selection, report) => {
        const { arrays, notes } = await openStoreArchive(archive, options, selection);
        for (const text of notes) report({ kind: 'note', source: name, text });
        return arrays;
      },
    };
  }
  const { parts, runs = archive.lagged ?? 1 } = options;
  const isLagged = runs > 1;
  if (parts !== undefined) {
    const openArrays = async () => openFiles(name, await listedFiles(parts));
    return { ...{ path: address, source: name, texts: textsOf(archive), isLagged }, openArrays, close: async () => {} };
  }
  const fetched = new FetchedRuns(archive, options);
  return {
    ...{ path: address, source: name, texts: textsOf(archive), isLagged },
    openArrays: async (selection, report) => {
      if (selection === undefined) throw noVariable(archive);
      const { plan, files } = await fetched.fetch((shortName) => selection.mayNeed(shortName, undefined));
      for (const text of planNotes(plan)) report({ kind: 'note', source: name, text });
      return openFiles(name, files);
    },
    close: () => fetched.close(),
  };
}

/** A run that is here: what was planned, and its messages. */
interface FetchedRun {
  readonly plan: RunPlan;
  readonly files: readonly MessageFile[];
}

/** Messages of one run of an archive in temporary files: what is there is not requested again. */
class FetchedRuns {
  readonly #archive: GribArchive;
  readonly #options: ArchiveOptions;
  readonly #fetched = new Map<readonly string[], Promise<FetchedRun>>();
  readonly #folders: (() => Promise<void>)[] = [];
  /** The run that was found first: all variables are of it. */
  #run: string | undefined;

  constructor(archive: GribArchive, options: ArchiveOptions) {
    this.#archive = archive;
    this.#options = options;
    this.#run = options.run;
  }

  fetch(wants: ArchiveRequest['wants']): Promise<FetchedRun> {
    const fields = Object.keys(this.#archive.fields).filter(wants);
    for (const [others, known] of this.#fetched) if (fields.every((field) => others.includes(field))) return known;
    const fetching = fromCacheFirst((remote) => this.#fetch(wants, remote));
    this.#fetched.set(fields, fetching);
    fetching.catch(() => this.#fetched.delete(fields));
    return fetching;
  }

  async close(): Promise<void> {
    for (const remove of this.#folders.splice(0)) await remove();
  }

  async #fetch(wants: ArchiveRequest['wants'], remote: RemoteOptions): Promise<FetchedRun> {
    const plan = await planArchive(this.#archive, { ...this.#options, run: this.#run }, wants, remote);
    const folder = await temporaryFolder();
    this.#folders.push(folder.remove);
    const files = await fetchMessages(plan, folder.path, remote);
    // Of several runs, all variables have the same.
    this.#run ??= new Date(1000 * plan.run).toISOString().slice(0, 13);
    return { plan, files };
  }
}

/** How long files of a run may count as unchanged, in milliseconds. */
const FRESH_MS = 3_600_000;

/**
 * Reads a run from the cache alone, where all of it is there and counts as unchanged; otherwise the server is asked for all
 * of it, so that parts of different times are never mixed. Where what is kept does not fit together, it is not used.
 */
async function fromCacheFirst<T>(read: (remote: RemoteOptions) => Promise<T>): Promise<T> {
  if (!usesCache()) return read({});
  const counts = { fresh: 0, unchanged: 0, new: 0 };
  const onAnswer = (kind: keyof typeof counts) => {
    counts[kind]++;
  };
  try {
    const found = await read({ cached: { freshMs: FRESH_MS, onAnswer } });
    if (counts.fresh === 0 || counts.unchanged + counts.new === 0) return found;
    return await read({ cached: { onAnswer } });
  } catch (error) {
    if (!(error instanceof FileError) || counts.fresh + counts.unchanged === 0) throw error;
    return read({ cached: { isReload: true } });
  }
}

/** The error for an archive of which a variable has to be named. */
export function noVariable(archive: GribArchive): OptionError {
  return new OptionError({
    ...{ subject: archive.name, problem: 'holds more than is read at once' },
    allowed: `one of its variables, by ${mentionOption('variable', 'temp_mean')}`,
  });
}

/**
 * Plans what to request of an archive, from its first mirror that answers. Throws FileError and OptionError as `planRun`
 * does.
 */
export async function planArchive(
  archive: GribArchive,
  { run, runs, leadHours: last, mirror }: ArchiveOptions,
  wants: ArchiveRequest['wants'],
  remote: RemoteOptions = {},
): Promise<RunPlan> {
  const request = { archive, last, runs, wants, ...(run !== undefined && { run: parseRun(run) }) };
  const roots = mirror === undefined ? archive.mirrors : [mirror];
  const failed: string[] = [];
  let first: unknown;
  for (const root of roots) {
    try {
      const plan = await planRun({ ...request, mirror: root.replace(/\/+$/, '') }, remote);
      return { ...plan, notes: [...failed, ...plan.notes] };
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      first ??= error;
      failed.push(`${root} is not read: ${error.message}`);
    }
  }
  throw first;
}

/** The list of files that a fetched run is made of. */
const LIST = 'files.json';

/**
 * Requests the messages of a plan into a folder, where those that came before stay. An address with this folder as `parts`
 * opens them. Throws FileError as `fetchMessages` does.
 */
export async function fetchRun(
  plan: RunPlan,
  folder: string,
  onProgress: (progress: FetchProgress) => void,
  remote: RemoteOptions = {},
): Promise<MessageFile[]> {
  const files = await fetchMessages(plan, folder, { onProgress, ...remote });
  const path = join(folder, LIST);
  await writeFile(path, JSON.stringify(files.map((file) => ({ ...file, path: basename(file.path) })))).catch(
    (cause) => {
      throw unwritable(path, cause);
    },
  );
  return files;
}

/** The files of a run that was fetched into a folder. */
async function listedFiles(folder: string): Promise<MessageFile[]> {
  const path = join(folder, LIST);
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw unreadable(path, cause, 'a run that was fetched');
  });
  return (JSON.parse(text) as MessageFile[]).map((file) => ({ ...file, path: join(folder, file.path) }));
}

function openFiles(source: string, files: readonly MessageFile[]): Promise<ArrayFile> {
  const paths = files.map(({ path }) => path);
  const members = files.map(({ member }) => member);
  return openSelectedGrib(paths, undefined, { path: source, members });
}

/** What people are told of a plan. */
export function planNotes(plan: RunPlan): string[] {
  const { run, runs, members, steps, notes, mirror, messages } = plan;
  const megabytes = (plannedBytes(plan) / 1e6).toFixed(1);
  const ofPath = messages.some(({ file }) => file.memberOfPath !== undefined);
  const ofControl = messages.every(({ file }) => (file.memberOfPath ?? 0) === 0);
  return [
    ...notes,
    `${runs.length > 1 ? `${runs.length} runs from ${runText(runs[runs.length - 1])} on as one lagged ensemble, the newest ` : ''}run of ${runText(run)}, ${members.length} ${members.length === 1 ? 'member' : 'members'}, ${steps.length} steps to ${steps[steps.length - 1]} hours, from ${mirror}`,
    `${messages.length} messages of ${megabytes} MB, by ${plannedRequests(plan)} requests`,
    ...(ofPath
      ? [
          ofControl
            ? 'messages of the control do not state a member: it is member 0, by their path'
            : 'messages do not state a member: it is the one of their path',
        ]
      : []),
    ...newerRuns(plan),
  ];
}

/** What a note says of newer runs, which are not complete. */
export function newerRuns({ incomplete }: RunPlan): string[] {
  return incomplete.slice(-1).map((next) => {
    const more = incomplete.length > 1 ? `, as are ${incomplete.length - 1} newer ones` : '';
    return `the run of ${runText(next.run)} is not complete${more}: ${next.problem}`;
  });
}

/** What results state of where their values come from. */
function textsOf({ title, institution, license, attribution, references }: Archive): ReadonlyMap<string, string> {
  const licence = [license, attribution].filter((text) => text !== '').join('. ');
  const texts = { title, institution, license: licence, references };
  return new Map(Object.entries(texts).filter(([, text]) => text !== ''));
}
