import { FormatError } from '../../errors.js';

/** A reference of an HDF5 file to other files. */
export interface Reference {
  readonly problem: string;
  readonly allowed: string;
}

/** How HDF5 files refer to others, of which nothing is read: what a file may read is up to who names it. */
export const REFERENCES = {
  link: {
    problem: 'is an external link: it leads to another file, which is not read',
    allowed: 'links within the file; `h5repack --merge` copies what external links lead to into a new file',
  },
  storage: {
    problem: 'has external storage: its values are in other files',
    allowed: 'values in the file itself; `h5repack -l CONTI` copies them into a new file',
  },
  virtual: {
    problem: 'is virtual: its values are in other files',
    allowed: 'values in the file itself; `h5repack -l CONTI` copies them into a new file',
  },
  views: {
    problem: 'is virtual: its values are in other arrays of the file',
    allowed: 'values of its own; `h5repack -l CONTI` copies them into a new file',
  },
  other: {
    problem: 'refers to another file, which is not read',
    allowed: 'values and links within the file',
  },
} as const satisfies Record<string, Reference>;

/** More names say no more. */
const MAX_NAMES = 4;

/** The FormatError for a reference to what has these names. */
export function refersElsewhere(
  subject: string,
  { problem, allowed }: Reference,
  names: readonly string[],
  cause?: unknown,
): FormatError {
  const different = [...new Set(names)];
  const received = different.length === 1 ? different[0] : different.slice(0, MAX_NAMES);
  return new FormatError({ subject, problem, received, allowed, ...(cause !== undefined && { cause }) });
}
