import { stat } from 'node:fs/promises';
import { OptionError } from '../errors.js';
import { type InputFile, isAddress, openInputFile } from '../input/input-file.js';
import { joinFiles } from '../input/join-files.js';
import { expandGlob, isGlob } from './find-inputs.js';

/**
 * Opens what one argument names: a file, an address, or a glob in quotes of files that are one input together, by what is
 * in them or by the pattern `join`. Throws as `openInputFile`, `expandGlob` and `joinFiles` do, and OptionError for a glob
 * of files that are several inputs, and for a pattern beside one file.
 */
export async function openGivenFile(path: string, join?: string): Promise<InputFile> {
  if (isAddress(path) || !isGlob(path) || (await exists(path))) {
    if (join !== undefined) await joinFiles([path], join);
    return openInputFile(path);
  }
  return openFilesAsOne(await expandGlob(path), path, join);
}

/**
 * Opens files that are one input, which messages call `source`. Throws as `joinFiles` does, and OptionError where nothing
 * shows that they are one.
 */
export async function openFilesAsOne(files: readonly string[], source: string, join?: string): Promise<InputFile> {
  if (files.length === 1) return openInputFile(files[0]);
  let reason = 'nothing shows that these files are one';
  const [input, ...others] = await joinFiles(files, join, ({ text }) => {
    reason = text;
  });
  if (others.length === 0) return typeof input === 'string' ? openInputFile(input) : { ...input, source };
  throw new OptionError({
    ...{ subject: source, problem: `names several inputs: ${reason}`, received: files },
    allowed: 'files that complement each other, such as one for each member or month; or one file',
  });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
