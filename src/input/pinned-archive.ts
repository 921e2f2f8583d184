import { createHash } from 'node:crypto';
import { FileError } from '../errors.js';
import type { GribArchive, StoreArchive } from '../files/archives/archive.js';
import type { RunPlan } from '../files/archives/plan-run.js';
import { icechunkAddress } from '../files/icechunk/icechunk-address.js';
import { snapshotOfAddress } from '../files/icechunk/open-icechunk.node.js';
import { type ArchiveOptions, archiveAddress, parseArchiveAddress, parseRun } from './archive-address.js';
import { findArchive, newerRuns, noVariable, planArchive } from './archive-input.js';
import type { WantedOfRun } from './common-run.js';
import { versionOfStore } from './version-of-store.js';

/** What is read of an archive. */
export interface WantedOfArchive extends WantedOfRun {
  /** Whether runs are chosen in another way, so that none is found. */
  readonly choosesRuns?: boolean;
}

/** An archive of which all reads give the same. */
export interface PinnedArchive {
  readonly name: string;
  /** With the run, and the version of its data: the snapshot of a repository, or `version`. */
  readonly address: string;
  /** The run, as an option of archives has it; undefined where there are none, or several are read. */
  readonly run: string | undefined;
  readonly notes: readonly string[];
}

/**
 * Finds what an address of an archive means now: the run that all variables are read of, and of a repository its snapshot.
 * Of GRIB, the version is a digest of where the wanted messages lie. Throws as `planArchive` and `newestCommonRun` do, and
 * OptionError where no variable of GRIB is named.
 */
export async function pinArchive(address: string, wanted: WantedOfArchive): Promise<PinnedArchive> {
  const { name, options } = parseArchiveAddress(address);
  const archive = await findArchive(name, options);
  return archive.kind === 'grib' ? pinGrib(archive, options, wanted) : pinStore(archive, options, wanted);
}

async function pinGrib(
  archive: GribArchive,
  options: ArchiveOptions,
  { variables, definitions }: WantedOfArchive,
): Promise<PinnedArchive> {
  // Both are loaded by what reads grids.
  const { selectArrays } = await import('./grid-door.js');
  const own = definitions && { variables: definitions };
  const selection = variables && selectArrays(variables.map((variable) => ({ variable, ...own })));
  if (selection === undefined) throw noVariable(archive);
  const plan = await planArchive(archive, options, (shortName) => selection.mayNeed(shortName, undefined));
  const run = textOf(plan.run);
  const address = archiveAddress(archive.name, { ...options, run, version: digestOf(plan) });
  // Who reads the run says the rest of it.
  return { name: archive.name, address, run, notes: [...plan.notes, ...newerRuns(plan)] };
}

/** The digest of where the messages of a run lie. */
function digestOf({ messages }: RunPlan): string {
  const hash = createHash('sha256');
  for (const { file, offset, length } of messages) hash.update(`${file.path} ${offset} ${length}\n`);
  return hash.digest('hex').slice(0, 16);
}

async function pinStore(
  archive: StoreArchive,
  options: ArchiveOptions,
  { choosesRuns = false, ...wanted }: WantedOfArchive,
): Promise<PinnedArchive> {
  const { mirror, version, failed } = await pinMirror(archive, options.mirror);
  const pinned = { ...options, mirror };
  const given = options.run === undefined ? undefined : textOf(parseRun(options.run));
  const { newestCommonRun } = await import('./grid-door.js');
  const found = choosesRuns || given !== undefined ? undefined : await newestCommonRun(archive, pinned, wanted);
  const run = found === undefined ? given : textOf(found.run);
  const address = archiveAddress(archive.name, { ...pinned, run, version });
  return { name: archive.name, address, run, notes: [...failed, ...(found?.notes ?? [])] };
}

/** The first mirror that answers: of a repository with its snapshot, of another store with the version of its content. */
async function pinMirror(
  { name, mirrors }: StoreArchive,
  given: string | undefined,
): Promise<Pick<ArchiveOptions, 'mirror' | 'version'> & { readonly failed: readonly string[] }> {
  const failed: string[] = [];
  let first: unknown;
  for (const root of given === undefined ? mirrors : [given]) {
    const repository = icechunkAddress(root);
    try {
      if (repository === undefined) {
        const { version } = await versionOfStore(root);
        return { mirror: root, version: version.slice(0, 16), failed };
      }
      const snapshot = await snapshotOfAddress(repository);
      if (snapshot !== undefined) return { mirror: `icechunk:${repository.address}@${snapshot}`, failed };
      const problem = 'there is no repository of Icechunk';
      throw new FileError({ subject: name, problem, received: root, allowed: 'the address of one' });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      first ??= error;
      failed.push(`${root} is not read: ${error.message}`);
    }
  }
  throw first;
}

function textOf(seconds: number): string {
  return new Date(1000 * seconds).toISOString().slice(0, 13);
}

/**
 * The address of an archive with the run that all variables are read of, if it is a store of several and none is named; and
 * what people should know of it. Throws as `newestCommonRun` does.
 */
export async function withCommonRun(
  address: string,
  wanted: WantedOfRun,
): Promise<{ readonly address: string; readonly source: string; readonly notes: readonly string[] }> {
  const { name, options } = parseArchiveAddress(address);
  const archive = await findArchive(name, options);
  const isOpen = archive.kind === 'store' && options.run === undefined;
  const found = isOpen ? await (await import('./grid-door.js')).newestCommonRun(archive, options, wanted) : undefined;
  if (found === undefined) return { address, source: name, notes: [] };
  return { address: archiveAddress(name, { ...options, run: textOf(found.run) }), source: name, notes: found.notes };
}
