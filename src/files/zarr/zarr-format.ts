import { FormatError } from '../../errors.js';
import type { ArrayFileFormat } from '../format.js';
import { isIcechunkFolder } from '../icechunk/icechunk-address.js';

/** Names of files at the top of a store; one of them is enough. */
export const STORE_FILES: readonly string[] = ['zarr.json', '.zmetadata', '.zgroup', '.zarray'];

/** Zarr stores of version 2 or 3, which are folders or lie at web addresses. */
export const zarr = {
  kind: 'arrays',
  name: 'zarr',
  words: 'Zarr',
  endings: ['zarr'],
  matches: () => false,
  matchesFolder: (folder) => folder.files.some((name) => STORE_FILES.includes(name)) || isIcechunkFolder(folder),
  open: ({ source }) => {
    throw new FormatError({ subject: source, problem: 'is a file', allowed: 'the folder of a Zarr store' });
  },
} as const satisfies ArrayFileFormat;

/** Whether the path of a file is at the top of a store. */
export function isStoreFile(path: string): boolean {
  return STORE_FILES.includes(path.replace(/^.*\//s, ''));
}
