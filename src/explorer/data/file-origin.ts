import type { ZarrStore } from '../../files/zarr/zarr-store.js';

/** A file that the reader opens. */
export interface GivenFile {
  /** Its path where that is known, else its name: for messages and commands. */
  readonly path: string;
  readonly url?: string;
  readonly content: Blob;
}

/** A Zarr store that the reader opens: its values are read when they are shown. */
export interface GivenStore {
  readonly path: string;
  readonly url?: string;
  readonly store: ZarrStore;
  /** The paths of its arrays, where whoever offers it knows them. */
  readonly arrays?: readonly string[];
  /** The files in it, where it is a folder: it may be one of GRIB files. */
  readonly files?: () => Promise<readonly GivenFile[]>;
}

export type Given = GivenFile | GivenStore;

/** An address to open. */
export interface GivenAddress {
  readonly url: string;
  /** Its path as commands name it. */
  readonly path: string;
  /** The paths of the arrays of a store, where whoever offers it knows them. */
  readonly arrays?: readonly string[];
}

/** The last part of a path or of an address. */
export function fileName(path: string): string {
  const [address] = path.split(/[?#]/, 1);
  return address.replace(/\/+$/, '').split('/').pop() || path;
}

/** More names than this would fill the page. */
const MAX_NAMES = 4;

/** The names of files in one text. */
export function nameList(names: readonly string[]): string {
  return names.length > MAX_NAMES ? `${names[0]} and ${names.length - 1} more` : names.join(', ');
}
