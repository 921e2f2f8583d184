import { stat } from 'node:fs/promises';
import { OptionError } from '../errors.js';
import { openUnited } from '../files/joined-paths.node.js';
import { isArchiveAddress, MAY_BE_ARCHIVE } from '../input/archive-address.js';
import { holdsArrays } from '../input/input.js';
import { arraysInput, type InputFile, openInputFile } from '../input/input-file.js';
import { joinFiles } from '../input/join-files.js';
import type { WantedOfArchive } from '../input/pinned-archive.js';
import { isElsewhere, isGlob } from './batch-input.js';
import { expandGlob } from './find-inputs.js';

/**
 * Opens what one argument names: a file, an address, an archive by its name, or a glob in quotes of files that are one input together, by what is
 * in them or by the pattern `join`. Throws as `openInputFile`, `expandGlob` and `joinFiles` do, and OptionError for a glob
 * of files that are several inputs, and for a pattern beside one file.
 */
export async function openGivenFile(path: string, join?: string, wanted: WantedOfArchive = {}): Promise<InputFile> {
  const isThere = await exists(path);
  const archive = isThere ? undefined : await archiveAddressOf(path, wanted);
  if (archive !== undefined || isElsewhere(path) || !isGlob(path) || isThere) {
    if (join !== undefined) await joinFiles([path], join);
    return openInputFile(archive ?? path);
  }
  return openFilesAsOne(await expandGlob(path), path, join);
}

/** The address of a run of the archive that a text names: all that is read is of it; undefined where it names none. */
async function archiveAddressOf(text: string, wanted: WantedOfArchive): Promise<string | undefined> {
  // An address was found before.
  if (!MAY_BE_ARCHIVE.test(text) || isArchiveAddress(text)) return undefined;
  const { archiveInput, archiveOfInput } = await import('./archive-inputs.js');
  const address = archiveOfInput(text);
  return address && (await archiveInput(address, wanted, () => {})).path;
}

/**
 * Opens files that are one input, which messages call `source`. Throws as `joinFiles` does, and OptionError where nothing
 * shows that they are one.
 */
export async function openFilesAsOne(files: readonly string[], source: string, join?: string): Promise<InputFile> {
  if (files.length === 1) return openInputFile(files[0]);
  let reason: string | undefined;
  const [input, ...others] = await joinFiles(files, join, ({ text }) => {
    reason = text;
  });
  if (others.length === 0) return typeof input === 'string' ? openInputFile(input) : { ...input, source };
  const united =
    join === undefined ? await unitedInput([input, ...others], source) : 'nothing shows that these files are one';
  if (typeof united === 'object') return united;
  throw new OptionError({
    ...{ subject: source, problem: `names several inputs: ${reason ?? united}`, received: files },
    allowed: 'files that complement each other, such as one for each member or month; or one file',
  });
}

/** One input of files of arrays that each have other variables; or why they are not one. */
async function unitedInput(inputs: readonly (string | InputFile)[], source: string): Promise<InputFile | string> {
  const groups = inputs.map((input) =>
    typeof input === 'string'
      ? { paths: [input], joined: undefined }
      : { paths: input.files ?? [input.path], joined: input.joined },
  );
  const areArrays = await Promise.all(
    groups.map(
      async ({ paths, joined }) => joined !== undefined || (paths.length === 1 && (await holdsArrays(paths[0]))),
    ),
  );
  if (areArrays.includes(false)) {
    for (const { joined } of groups) await joined?.close();
    return 'they do not all hold arrays';
  }
  const united = await openUnited(groups, source);
  if (typeof united === 'string') return united;
  const paths = groups.flatMap((group) => group.paths);
  return { ...arraysInput(paths, united), source };
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
