import type { StoreAccess } from './store-access.js';

/** The folder of the updates' objects. */
export const UPDATES_FOLDER = 'updates';

/** The folder of an update that this process writes to, below the store. */
export interface UpdateClaim {
  /** Makes sure that nobody else removes what was written; rejects with FileError where somebody may have. */
  assertHeld(): Promise<void>;
  /** Never rejects. */
  release(): Promise<void>;
}

/** What an update has finished. */
export interface WorkLines {
  /** The objects that say it. */
  readonly objects: readonly string[];
  readonly lines: readonly string[];
  /** The seconds since the last one was written. */
  readonly ageSeconds: number;
}

/** A store that is updated and served: besides the calls, who writes where, and what is open. */
export interface StoreKeeper extends Required<StoreAccess> {
  /** Whether reads take long, as they are requests. */
  readonly isRemote: boolean;
  /** Makes what holds the store, where it is not there; returns what removes it again if it is still empty. */
  prepare(): Promise<() => Promise<void>>;
  /** Takes the folder of an update: until it is released, no other process removes what is in it. */
  claim(folder: string): Promise<UpdateClaim>;
  /** Whether a process holds the folder of an update. */
  isClaimed(folder: string): Promise<boolean>;
  /** The names of the folders in a folder. */
  folders(folder: string): Promise<readonly string[]>;
  /** Notes what an update has finished. */
  addWork(folder: string, line: string): Promise<void>;
  readWork(folder: string): Promise<WorkLines>;
  /** Gives an object another name. */
  move(name: string, to: string): Promise<void>;
  /** Removes the folder of an update that no process holds, but for some objects. */
  removeFolder(folder: string, keep: ReadonlySet<string>): Promise<void>;
  /** Whether objects of older generations are out of use: no server reads them any more. */
  isOutOfUse(): Promise<boolean>;
  /** Closes objects that only older generations have: they cannot be read any more. */
  retire(names: Iterable<string>): Promise<void>;
  /** Objects that can be read, also those that were retired. */
  admit(name: string): void;
  /** A text that changes when the manifest is replaced. Rejects with FileError where there is none. */
  manifestStamp(): Promise<string>;
  /** Looks whether the store is there, for `/ready`. Rejects with FileError. */
  checkManifest(): Promise<void>;
  /** Rejects with FileError where there cannot be a store. */
  checkPlace(): Promise<void>;
  /** The path of a file below the store's folder; undefined where the store is in no folder. */
  pathOf(name: string): string | undefined;
}
