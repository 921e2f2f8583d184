import picomatch from 'picomatch';
import { isAddress } from '../disk/local-path.js';
import { endingsOf, FORMATS } from '../files/formats.js';
import { icechunkAddress } from '../files/icechunk/icechunk-address.js';

/** A file or store to read. */
export interface BatchInput {
  /** As given, or within the folder that was given. */
  readonly path: string;
  /** Its name in names of outputs: without its ending, but with the folders below the given one. */
  readonly name: string;
  /** The ending of its path without the dot, such as `nc` or `csv.gz`; `none` where it has none of a data file. */
  readonly ending: string;
  /** The files that are one input, where they are several: `path` says how they are one. */
  readonly files?: readonly string[];
  /** Its only variable, where names of outputs need it and the plan does not say it. */
  readonly variable?: string;
}

/** What names of outputs have for the ending of an input that has none. */
const NO_ENDING = 'none';

/** The endings of data files. */
export const DATA_ENDING = endingsOf(FORMATS);

/** Whether a path that does not exist is a glob. */
export function isGlob(path: string): boolean {
  return picomatch.scan(path).isGlob;
}

/** Whether an input is at an address, an archive or a version of a repository, rather than a file or folder. */
export function isElsewhere(path: string): boolean {
  return isAddress(path) || icechunkAddress(path) !== undefined;
}

/** Whether the path of an address says that it is a store of arrays. */
export function isStoreAddress(address: string): boolean {
  return /(\.(zarr|icechunk)|\/)$/i.test(address);
}

/** A path below a folder as the name of an input, and its ending. */
export function splitEnding(path: string): Pick<BatchInput, 'name' | 'ending'> {
  const whole = path.replaceAll('\\', '/');
  const name = whole.replace(DATA_ENDING, '');
  return name === '' || name === whole
    ? { name: whole, ending: NO_ENDING }
    : { name, ending: whole.slice(name.length + 1) };
}
