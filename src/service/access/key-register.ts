import { assertShape } from '../../check/option-checks.js';
import { OptionError } from '../../errors.js';
import { hashKey, newKey, newKeyId } from './hash-key.js';
import { isKeyLength, type KeyRecord, MAX_KEY_LENGTH, type RateQuota } from './key-store.js';
import type { HashedKey } from './key-table.js';

/** A key as lists show it. */
export interface ListedKey extends KeyRecord {
  /** Whether it is a key of the demo store: these are public. */
  readonly demo: boolean;
  /** Undefined of keys that earlier versions made. */
  readonly created?: Date;
  /** What its operator noted about it. */
  readonly note?: string;
  /** The id of the key that takes its place. */
  readonly replacedBy?: string;
}

/** A key as it is stored: with its hash, without itself. */
export type StoredKey = ListedKey & HashedKey;

/** A key to create. */
export interface NewKey {
  readonly owner: string;
  /** Whether 1 km data are provisioned. */
  readonly downscaling: boolean;
  /** The key itself. Default: a random one, unless there is `keyHash`. */
  readonly key?: string;
  /** The hash of a key that is not known itself: `hashKey` of it. */
  readonly keyHash?: string;
  /** Default: a random one. */
  readonly id?: string;
  /** Whether it is a public demo key. Default false. */
  readonly demo?: boolean;
  readonly note?: string;
  readonly created?: Date;
  readonly starts?: Date;
  readonly expires?: Date;
  readonly revoked?: Date;
  readonly replacedBy?: string;
  readonly rate?: RateQuota;
  readonly dailyQuota?: number;
}

/** A key that was created. */
export interface CreatedKey {
  /** It cannot be shown again. Undefined where only its hash was given. */
  readonly key: string | undefined;
  readonly record: ListedKey;
}

/** The keys of a service, as its operator manages them. Each call does all that it is asked for, or nothing. */
export interface KeyRegister {
  /** Creates keys. Rejects with OptionError for what no key can have, and for keys and ids that are there already. */
  create(keys: readonly NewKey[]): Promise<readonly CreatedKey[]>;
  /**
   * Creates a key in place of each, for the same owner and with the same permissions; the old one stays valid for `overlapSeconds`, or until it
   * expires where that is sooner. Rejects with OptionError for an id that is unknown, and for a key that is not valid.
   */
  rotate(ids: readonly string[], overlapSeconds: number): Promise<readonly CreatedKey[]>;
  /** Revokes keys, given themselves or by their ids. Rejects with OptionError for one that is unknown. */
  revoke(idsOrKeys: readonly string[]): Promise<readonly ListedKey[]>;
  /** All keys, the oldest first. */
  list(): Promise<readonly ListedKey[]>;
}

const MAX_NOTE = 256;

/** Makes what is stored of a key, without looking at other keys. Throws OptionError for what cannot be used. */
export function makeKey(given: NewKey, now: Date): { readonly key: string | undefined; readonly stored: StoredKey } {
  assertShape('key', given, { key: 'any text?', keyHash: 'text?', id: 'text?', demo: 'flag?', note: 'any text?' });
  const key = given.key ?? (given.keyHash === undefined ? newKey() : undefined);
  if (key !== undefined && (!isKeyLength(key) || !/^[\x21-\x7e]+$/.test(key))) {
    const allowed = `1 to ${MAX_KEY_LENGTH} visible ASCII characters`;
    throw new OptionError({ subject: 'key', problem: 'cannot be sent in a header', allowed });
  }
  const { owner, downscaling, id = newKeyId(), demo = false, created = now } = given;
  if (given.note !== undefined) checkNote(given.note);
  const optional = {
    note: given.note || undefined,
    starts: given.starts,
    expires: given.expires,
    revoked: given.revoked,
    replacedBy: given.replacedBy,
    rate: given.rate,
    dailyQuota: given.dailyQuota,
  };
  const keyHash = key === undefined ? (given.keyHash as string) : hashKey(key);
  return { key, stored: { id, owner, downscaling, demo, created, ...defined(optional), keyHash } };
}

function checkNote(note: string): void {
  if (new RegExp(`^[^\\p{Cc}]{0,${MAX_NOTE}}$`, 'u').test(note)) return;
  const allowed = `at most ${MAX_NOTE} characters, none of them a control character`;
  throw new OptionError({ subject: 'note', problem: 'cannot be used', received: note, allowed });
}

function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** A key in the place of another one, and until when that one is valid. Throws OptionError where it is not valid now. */
export function makeSuccessor(old: ListedKey, overlapSeconds: number, now: Date) {
  assertValid(old, now);
  const { owner, downscaling, note, expires, rate, dailyQuota } = old;
  const made = makeKey({ owner, downscaling, note, expires, rate, dailyQuota }, now);
  const end = new Date(now.getTime() + 1000 * overlapSeconds);
  return { ...made, oldExpires: expires !== undefined && expires < end ? expires : end };
}

function assertValid({ id, revoked, expires, replacedBy }: ListedKey, now: Date): void {
  const problem =
    revoked !== undefined
      ? 'was revoked'
      : expires !== undefined && expires <= now
        ? 'has expired'
        : replacedBy !== undefined
          ? `was replaced by ${replacedBy} already`
          : undefined;
  if (problem === undefined) return;
  throw new OptionError({ subject: `key ${id}`, problem, allowed: 'a key that is valid, or to create a new one' });
}

/** A stored key as lists show it: without its hash. */
export function toListedKey({ keyHash: _, ...listed }: StoredKey): ListedKey {
  return listed;
}

/** The error for an id, or a key, that is not there: it may be a key, so that the error does not repeat it. */
export function unknownKey(): OptionError {
  return new OptionError({
    subject: 'key',
    problem: 'unknown',
    allowed: 'the id of a key, or a key, that plumecast key list shows',
  });
}
