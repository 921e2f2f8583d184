import { unreadable } from '../disk/file-fault.js';
import { isAddress } from '../disk/local-path.js';
import { readRegularFile } from '../disk/regular-file.node.js';
import { mentionOption, OptionError } from '../errors.js';
import { fileKeys } from '../service/access/key-file.node.js';
import type { KeyRegister } from '../service/access/key-register.js';
import { fileLocations } from '../service/access/location-file.node.js';
import type { LocationRegister } from '../service/access/locations.js';
import type { UsageStore } from '../service/access/usage.js';
import { fileUsage } from '../service/access/usage-file.node.js';
import type { AccessPlace } from './shared-options.js';

/**
 * The URL of the database that options name; undefined where they name none. Rejects with OptionError where they name it
 * twice, and FileError.
 */
export async function databaseUrl({ database, databaseFile }: AccessPlace): Promise<string | undefined> {
  if (databaseFile === undefined) return database;
  if (database !== undefined) {
    const allowed = `one of ${mentionOption('database')} and ${mentionOption('databaseFile')}`;
    throw new OptionError({ subject: 'database', problem: 'is given twice', allowed });
  }
  const text = await readRegularFile(databaseFile).catch((cause) => {
    throw unreadable(databaseFile, cause, 'a file that holds the URL of a database');
  });
  return text.toString().trim();
}

/** Throws OptionError where the folder of keys is an address; `option` is the one that names another one. */
export function assertAccessFolder(folder: string, option: 'keys' | 'store'): void {
  if (!isAddress(folder)) return;
  const allowed = `${mentionOption(option)}, a folder with keys.json, or ${mentionOption('database')}`;
  throw new OptionError({ subject: folder, problem: 'has no keys: a bucket has the data alone', allowed });
}

/** What manages keys and locations, and their usage. */
export interface Registers {
  readonly keys: KeyRegister;
  readonly locations: LocationRegister;
  readonly usage: UsageStore;
}

/** What manages keys and locations: in a database where there is one, else in a store. Rejects with OptionError where there is neither. */
export async function openRegisters(place: AccessPlace): Promise<Registers> {
  const url = await databaseUrl(place);
  if (url !== undefined) {
    const { databaseKeys } = await import('../service/database/key-rows.node.js');
    const { databaseLocations } = await import('../service/database/location-rows.node.js');
    const { databaseUsage } = await import('../service/database/usage-rows.node.js');
    return { keys: databaseKeys(url), locations: databaseLocations(url), usage: databaseUsage(url) };
  }
  const { store } = place;
  if (store !== undefined) assertAccessFolder(store, 'store');
  if (store !== undefined) return { keys: fileKeys(store), locations: fileLocations(store), usage: fileUsage(store) };
  const allowed = `${mentionOption('store')}, or ${mentionOption('database')}`;
  throw new OptionError({ subject: 'store', problem: 'missing', allowed });
}
