import { assertKind, assertKnownKeys, assertShape } from '../../check/option-checks.js';
import { OptionError } from '../../errors.js';
import type { KeyRecord, KeyStore } from '../access/key-store.js';
import { toRecord } from '../access/key-table.js';
import type { LocationStore, StoredLocation } from '../access/locations.js';
import type { UsageStore } from '../access/usage.js';
import type { OnFault } from '../fault-report.js';
import { whenReady } from '../point/pause.js';
import { ChangeWatch } from './change-watch.node.js';
import { createPool, databaseAddress, databaseFault, migrateSchema } from './connect.node.js';
import { DatabaseKeys } from './database-keys.node.js';
import { readKey } from './key-rows.node.js';
import { KnownRows } from './known-rows.node.js';
import { readLocation } from './location-rows.node.js';
import { databaseUsage } from './usage-rows.node.js';

/** How a database is used. */
export interface OpenDatabaseOptions {
  /** Whether demo keys are treated as unknown. Default false. */
  readonly rejectDemoKeys?: boolean;
  /** For how many seconds keys and locations that are known go on while the database is away. Default 3600. */
  readonly graceSeconds?: number;
  /** Called once when the database is away. */
  readonly onFault?: OnFault;
}

/**
 * Brings the tables of a database up to date, all at once or not at all; commands that do it at the same time take turns. Resolves to
 * the versions before and after. Rejects with OptionError where a later version of plumecast has migrated it, FileError
 * where the database cannot be reached, and PackageError where pg is not installed.
 */
export async function migrateDatabase(url: string): Promise<{ readonly from: number; readonly to: number }> {
  // What is exported there has types of pg, which a program may not have.
  return migrateSchema(url);
}

/** The keys and locations in a database, and the usage of keys. */
export interface ServiceDatabase {
  readonly keys: KeyStore;
  readonly locations: LocationStore;
  readonly usage: UsageStore;
  close(): Promise<void>;
}

const DEFAULT_GRACE = 3600;

/**
 * Opens the keys and locations that PostgreSQL keeps, at a URL `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. Each is read when it is first requested, and
 * again when it has changed, which the database announces at once. While it is away, keys and locations that are known go
 * on for `graceSeconds`, and `keys.ageSeconds()` says for how long already; for others `find` rejects with FileError.
 *
 * Rejects with OptionError where the database has another schema (`migrateDatabase` makes it), FileError where it
 * cannot be reached, and PackageError where pg is not installed. No error contains the URL.
 */
export async function openDatabase(url: string, options: OpenDatabaseOptions = {}): Promise<ServiceDatabase> {
  assertKind('url', url, 'text');
  assertKnownKeys(options, ['rejectDemoKeys', 'graceSeconds', 'onFault']);
  assertShape('options', options, { rejectDemoKeys: 'flag?', graceSeconds: 'number?', onFault: 'function?' });
  const { rejectDemoKeys = false, graceSeconds = DEFAULT_GRACE, onFault } = options;
  if (graceSeconds < 0) {
    throw new OptionError({
      subject: 'graceSeconds',
      problem: 'is no time',
      received: graceSeconds,
      allowed: 'seconds, from 0 on',
    });
  }
  const address = databaseAddress(url);
  let forget = (_payload: string): void => {};
  const watch = await ChangeWatch.open(address, { onChange: (payload) => forget(payload), onFault });
  const pool = await createPool(address);
  const read =
    <T>(row: (name: string) => Promise<T>) =>
    (name: string) =>
      row(name).catch((error) => {
        throw databaseFault(address, error);
      });
  const common = { subject: address.name, watch, graceSeconds };
  const keys = new DatabaseKeys(
    new KnownRows<KeyRecord>({
      ...common,
      read: read(async (hash) => {
        const key = await readKey(pool, hash);
        return key === undefined || (rejectDemoKeys && key.demo) ? undefined : toRecord(key);
      }),
    }),
    watch,
  );
  const locations = new KnownRows<StoredLocation>({ ...common, read: read((id) => readLocation(pool, id)) });
  forget = (payload) => {
    const [kind, name] = payload.split(' ', 2);
    if (kind === 'key') keys.forget(name);
    else if (kind === 'keys') keys.forgetAbsent();
    else if (kind === 'location') locations.forget(name);
    else if (kind === 'locations') locations.forgetAbsent();
  };
  return {
    keys,
    locations: {
      find: (id, owner) =>
        whenReady(locations.find(id), (location) =>
          location?.owner === undefined || location.owner === owner ? location : undefined,
        ),
    },
    usage: databaseUsage(url, pool),
    async close() {
      await Promise.all([watch.close(), pool.end()]);
    },
  };
}
