import type { FolderAccess } from '../format.js';

/** A repository of Icechunk, and the version of it that is meant. */
export interface IcechunkAddress {
  /** A path or a web address. */
  readonly address: string;
  /** A branch, a tag or a snapshot; undefined for the branch main. */
  readonly version: string | undefined;
}

/** Objects that show a repository: the first is there in format 2, the second in format 1. */
export const REPOSITORY_FILES: readonly string[] = ['repo', 'refs/branch.main/ref.json'];

/** Reads `icechunk:ADDRESS` or `icechunk:ADDRESS@VERSION`; undefined for other texts. */
export function icechunkAddress(text: string): IcechunkAddress | undefined {
  const [, address, version] = /^icechunk:(.+?)(?:@([^/@]+))?$/is.exec(text) ?? [];
  return address === undefined ? undefined : { address, version };
}

/** Whether the folder of a repository, of either version. */
export function isIcechunkFolder({ files, folders }: Pick<FolderAccess, 'files' | 'folders'>): boolean {
  return folders.includes('snapshots') && (files.includes('repo') || folders.includes('refs'));
}

/** Whether the path of an address says that it is a repository. */
export function isIcechunkPath(path: string): boolean {
  return /\.icechunk\/*$/i.test(path);
}
