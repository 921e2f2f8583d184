import { stat } from 'node:fs/promises';
import { OptionError } from '../errors.js';
import { type InputFile, isAddress, openInputFile } from '../input/input-file.js';
import { joinFiles } from '../input/join-files.js';
import { expandGlob, isGlob } from './find-inputs.js';

/**
 * Opens what one argument names: a file, an address, or a glob in quotes of files that are one input together. Throws as
 * `openInputFile` and `inputPaths` do, and OptionError for a glob of files that are several inputs.
 */
export async function openGivenFile(path: string): Promise<InputFile> {
  if (isAddress(path) || !isGlob(path) || (await exists(path))) return openInputFile(path);
  const files = await expandGlob(path);
  const [input, ...others] = await joinFiles(files);
  if (others.length === 0) return typeof input === 'string' ? openInputFile(input) : { ...input, source: path };
  throw new OptionError({
    ...{ subject: path, problem: 'names several inputs: nothing shows that these files are one', received: files },
    allowed: 'files that complement each other, such as one for each member or month; or one file',
  });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
