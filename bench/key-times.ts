import { newKey, newKeyId } from '../src/service/access/hash-key.js';
import type { KeyRecord, KeyStore } from '../src/service/access/key-store.js';
import { KeyTable } from '../src/service/access/key-table.js';
import { nodeDigest, nodeDigestText } from '../src/service/access/node-digest.node.js';
import { DatabaseKeys } from '../src/service/database/database-keys.node.js';
import { KnownRows } from '../src/service/database/known-rows.node.js';

const KEYS = 1_000_000;

/** Microseconds of processor to find one of a million keys, in any order, without the making of its text. */
export interface KeyTimes {
  /** In a `Map` of the keys themselves. */
  readonly map: number;
  /** In a `Map` of their hashes of SHA-256. */
  readonly hashed: number;
  /** Keys of files, and of a database, that were used before. */
  readonly files: number;
  readonly database: number;
  /** A key of a file that is used for the first time. */
  readonly first: number;
}

/** Times how keys are found in this process; of a database, those that it has read already. */
export async function keyTimes(): Promise<KeyTimes> {
  const length = newKey().length;
  // A server gets each key as a new text.
  const texts = Buffer.alloc(KEYS * length);
  for (let i = 0; i < KEYS; i++) texts.write(newKey(), i * length, 'latin1');
  const textOf = (i: number) => texts.toString('latin1', i * length, (i + 1) * length);
  const records = Array.from({ length: KEYS }, () => ({ id: newKeyId(), owner: 'me', downscaling: false }));
  const keyHashes = records.map((_, i) => nodeDigestText(textOf(i)));
  const byKey = new Map<string, KeyRecord>(records.map((record, i) => [textOf(i), record]));
  const byHash = new Map<string, KeyRecord>(records.map((record, i) => [keyHashes[i], record]));
  const table = new KeyTable(
    records.map((record, i) => ({ ...record, keyHash: keyHashes[i] })),
    nodeDigest,
  );
  const watch = { epoch: 1, isLive: true, ageSeconds: 0 };
  const read = async (hash: string) => byHash.get(hash);
  const database = new DatabaseKeys(
    new KnownRows<KeyRecord>({ subject: 'database', watch, graceSeconds: 1, read }),
    watch,
  );
  // The database is asked once, and its answer is remembered when it is asked for again.
  for (let round = 0; round < 2; round++) for (let i = 0; i < KEYS; i++) await database.find(textOf(i));

  const time = (find: KeyStore['find']) => processorTime((i) => find(textOf(i)));
  const first = time((key) => table.find(key));
  time((key) => table.find(key));
  const empty = processorTime(textOf);
  return {
    map: time((key) => byKey.get(key)) - empty,
    hashed: time((key) => byHash.get(nodeDigestText(key))) - empty,
    files: time((key) => table.find(key)) - empty,
    database: time((key) => database.find(key)) - empty,
    first: first - empty,
  };
}

/** Without a common divisor with the number of keys, so that each key is taken once. */
const STRIDE = 618_033;

/** Microseconds of processor for each call, with the number of each key once, far from the one before. */
function processorTime(work: (key: number) => unknown): number {
  const before = process.cpuUsage();
  for (let i = 0; i < KEYS; i++) if (work((i * STRIDE) % KEYS) === undefined) throw new Error('a key was not found');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / KEYS;
}
