import { OptionError } from '../../errors.js';
import { hashKey } from '../access/hash-key.js';
import {
  type CreatedKey,
  type KeyRegister,
  makeKey,
  makeSuccessor,
  type StoredKey,
  toListedKey,
  unknownKey,
} from '../access/key-register.js';
import { checkKeys } from '../access/key-table.js';
import { assertSchema, databaseAddress, inTransaction, type Queries } from './connect.node.js';

/** A row of the table of keys, as pg reads it: 64-bit numbers are texts. */
interface KeyRow {
  readonly id: string;
  readonly key_hash: Buffer;
  readonly owner: string;
  readonly downscaling: boolean;
  readonly demo: boolean;
  readonly note: string | null;
  readonly created: Date;
  readonly starts: Date | null;
  readonly expires: Date | null;
  readonly revoked: Date | null;
  readonly replaced_by: string | null;
  readonly rate_requests: string | null;
  readonly rate_seconds: number | null;
  readonly daily_quota: string | null;
}

/** The columns that are written, with the type of each. */
const COLUMNS = {
  id: 'text',
  key_hash: 'bytea',
  owner: 'text',
  downscaling: 'boolean',
  demo: 'boolean',
  note: 'text',
  created: 'timestamptz',
  starts: 'timestamptz',
  expires: 'timestamptz',
  revoked: 'timestamptz',
  replaced_by: 'text',
  rate_requests: 'bigint',
  rate_seconds: 'double precision',
  daily_quota: 'bigint',
} as const;

const NAMES = Object.keys(COLUMNS).join(', ');

function fromRow(row: KeyRow): StoredKey {
  const { id, owner, downscaling, demo, created } = row;
  const { note, starts, expires, revoked, replaced_by: replacedBy, rate_requests, rate_seconds } = row;
  const rate =
    rate_requests === null || rate_seconds === null
      ? undefined
      : { requests: Number(rate_requests), windowSeconds: rate_seconds };
  const dailyQuota = row.daily_quota === null ? undefined : Number(row.daily_quota);
  const optional = Object.entries({ note, starts, expires, revoked, replacedBy, rate, dailyQuota });
  const terms = Object.fromEntries(optional.filter(([, value]) => value !== null && value !== undefined));
  return { id, owner, downscaling, demo, created, ...terms, keyHash: row.key_hash.toString('hex') };
}

function toRow(key: StoredKey): Record<keyof typeof COLUMNS, unknown> {
  const { id, owner, downscaling, demo, note, created, starts, expires, revoked, replacedBy, rate, keyHash } = key;
  return {
    ...{ id, owner, downscaling, demo, note, created, starts, expires, revoked },
    key_hash: Buffer.from(keyHash, 'hex'),
    replaced_by: replacedBy,
    rate_requests: rate?.requests,
    rate_seconds: rate?.windowSeconds,
    daily_quota: key.dailyQuota,
  };
}

/** The key with a hash, in hexadecimal digits; undefined where there is none. */
export async function readKey(queries: Queries, hash: string): Promise<StoredKey | undefined> {
  const text = `SELECT ${NAMES} FROM plumecast.keys WHERE key_hash = $1`;
  const { rows } = await queries.query({ name: 'plumecast-key', text, values: [Buffer.from(hash, 'hex')] });
  return rows.length === 0 ? undefined : fromRow(rows[0]);
}

/** The keys in a database. Calls reject with FileError where it cannot be reached, and with OptionError where it has another schema. */
export function databaseKeys(url: string): KeyRegister {
  const address = databaseAddress(url);
  const change = <T>(work: (queries: Queries) => Promise<T>) =>
    inTransaction(address, async (queries) => {
      await assertSchema(queries, address);
      return work(queries).catch((error) => {
        throw conflict(error) ?? error;
      });
    });
  return {
    create(keys) {
      const now = new Date();
      const made = keys.map((key) => makeKey(key, now));
      checkKeys(made.map(({ stored }) => stored));
      return change(async (queries) => {
        await insert(
          queries,
          made.map(({ stored }) => stored),
        );
        return made.map(toCreated);
      });
    },

    rotate(ids, overlapSeconds) {
      const now = new Date();
      return change(async (queries) => {
        const made = (await lockKeys(queries, ids)).map((old) => ({ old, ...makeSuccessor(old, overlapSeconds, now) }));
        await insert(
          queries,
          made.map(({ stored }) => stored),
        );
        for (const { old, oldExpires, stored } of made) {
          const text = 'UPDATE plumecast.keys SET expires = $2, replaced_by = $3 WHERE id = $1';
          await queries.query(text, [old.id, oldExpires, stored.id]);
        }
        return made.map(toCreated);
      });
    },

    revoke(idsOrKeys) {
      return change(async (queries) => {
        const ids = (await lockKeys(queries, idsOrKeys)).map(({ id }) => id);
        const text = `UPDATE plumecast.keys SET revoked = now() WHERE id = ANY($1) AND revoked IS NULL`;
        await queries.query(text, [ids]);
        const revoked = await queries.query(`SELECT ${NAMES} FROM plumecast.keys WHERE id = ANY($1) ORDER BY number`, [
          ids,
        ]);
        return revoked.rows.map((row) => toListedKey(fromRow(row)));
      });
    },

    list() {
      return change(async (queries) => {
        const { rows } = await queries.query(`SELECT ${NAMES} FROM plumecast.keys ORDER BY number`);
        return rows.map((row) => toListedKey(fromRow(row)));
      });
    },
  };
}

function toCreated({ key, stored }: ReturnType<typeof makeKey>): CreatedKey {
  return { key, record: toListedKey(stored) };
}

/** Inserts many rows by one statement, a list for each column. */
async function insert(queries: Queries, keys: readonly StoredKey[]): Promise<void> {
  const rows = keys.map(toRow);
  const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
  const lists = names.map((name, i) => `$${i + 1}::${COLUMNS[name]}[]`);
  const values = names.map((name) => rows.map((row) => row[name] ?? null));
  await queries.query(`INSERT INTO plumecast.keys (${NAMES}) SELECT * FROM unnest(${lists.join(', ')})`, values);
}

/** The keys that are given themselves or by their ids, which nobody else changes meanwhile. Rejects with OptionError for one that is unknown. */
async function lockKeys(queries: Queries, idsOrKeys: readonly string[]): Promise<StoredKey[]> {
  const wanted = new Map(idsOrKeys.map((text) => [text, hashKey(text)]));
  const hashes = [...wanted.values()].map((hash) => Buffer.from(hash, 'hex'));
  const text = `SELECT ${NAMES} FROM plumecast.keys WHERE id = ANY($1) OR key_hash = ANY($2) ORDER BY number FOR UPDATE`;
  const { rows } = await queries.query(text, [[...wanted.keys()], hashes]);
  const found = rows.map(fromRow);
  const names = new Set(found.flatMap(({ id, keyHash }) => [id, keyHash]));
  for (const [name, hash] of wanted) if (!names.has(name) && !names.has(hash)) throw unknownKey();
  return found;
}

/** The error for a key, or an id, that is there already; undefined for other errors. */
function conflict(error: unknown): OptionError | undefined {
  const { code, constraint } = Object(error) as { code?: string; constraint?: string };
  if (code !== '23505') return undefined;
  return constraint === 'keys_pkey'
    ? new OptionError({ subject: 'key', problem: 'two keys have this id', allowed: 'an id for each key', cause: error })
    : new OptionError({
        subject: 'key',
        problem: 'is the same key as another one',
        allowed: 'different keys',
        cause: error,
      });
}
