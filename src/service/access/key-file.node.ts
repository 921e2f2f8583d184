import { assertKind, assertShape, trueOrFalse } from '../../check/option-checks.js';
import { OptionError } from '../../errors.js';
import type { OnFault } from '../fault-report.js';
import { hashKey } from './hash-key.js';
import {
  type CreatedKey,
  type KeyRegister,
  makeKey,
  makeSuccessor,
  type NewKey,
  type StoredKey,
  toListedKey,
  unknownKey,
} from './key-register.js';
import type { KeyRecord, KeyStore } from './key-store.js';
import { checkKeys, KeyTable, toRecord } from './key-table.js';
import { type ListKind, parseList, readList, rewriteList, watchList } from './list-file.node.js';
import { nodeDigest } from './node-digest.node.js';

/** A key in the file: times are texts of ISO 8601. */
type KeyEntry = Omit<StoredKey, TimeField> & Partial<Record<TimeField, string>>;

type TimeField = (typeof TIME_FIELDS)[number];

const TIME_FIELDS = ['created', 'starts', 'expires', 'revoked'] as const;

const KEYS: ListKind<KeyEntry> = {
  name: 'keys',
  // Versions that do not know of revoked keys must not take them for others.
  apart: { name: 'revoked', holds: ({ revoked }) => revoked !== undefined },
  mode: 0o600,
  check: (entries) => checkKeys(entries.map(fromEntry)),
};

/** Throws OptionError for what is no time, and for a `demo` that is neither true nor false. */
function fromEntry({ created, starts, expires, revoked, demo = false, ...entry }: KeyEntry): StoredKey {
  trueOrFalse(`key ${entry.id} demo`, demo);
  const times: Partial<Record<TimeField, Date>> = {};
  for (const [name, text] of Object.entries({ created, starts, expires, revoked })) {
    if (text !== undefined) times[name as TimeField] = readTime(`key ${entry.id} ${name}`, text);
  }
  return { ...entry, demo, ...times };
}

function readTime(subject: string, text: unknown): Date {
  const time = new Date(typeof text === 'string' ? text : Number.NaN);
  if (!Number.isNaN(time.getTime())) return time;
  throw new OptionError({
    subject,
    problem: 'is no time',
    received: text,
    allowed: 'such as 2026-11-29T14:35:00.000Z',
  });
}

function toEntry(key: StoredKey): KeyEntry {
  const times = TIME_FIELDS.flatMap((name) => (key[name] === undefined ? [] : [[name, key[name].toISOString()]]));
  return { ...key, ...Object.fromEntries(times) };
}

export interface OpenKeysOptions {
  /** Whether demo keys are treated as unknown. Default false. */
  readonly rejectDemoKeys?: boolean;
  /** Called when the file becomes unusable; the keys read before stay valid. */
  readonly onFault?: OnFault;
}

/**
 * The keys of a store folder, in its file `keys.json`; none where there is no file. Keys that are created or revoked
 * while the store is open take effect within a second. Throws FileError, and FormatError where the file is broken.
 */
export async function openKeys(dir: string, options: OpenKeysOptions = {}): Promise<KeyStore> {
  assertKind('dir', dir, 'text');
  assertShape('options', options, { rejectDemoKeys: 'flag?', onFault: 'function?' });
  const { rejectDemoKeys = false, onFault } = options;
  const isUsable = ({ demo }: KeyEntry) => !(rejectDemoKeys && demo);
  const make = (entries: readonly KeyEntry[]) => new KeyTable(entries.filter(isUsable).map(fromEntry), nodeDigest);
  const list = await watchList(dir, KEYS, make, onFault);
  return {
    find(key) {
      const table = list.current();
      return table instanceof KeyTable ? table.find(key) : table.then((fresh) => fresh.find(key));
    },
  };
}

/** The keys in the text of a file such as a store keeps, by their hashes. Throws FormatError where it is broken. */
export function readKeyEntries(name: string, text: string): readonly StoredKey[] {
  return parseList(name, text, KEYS).map(fromEntry);
}

/**
 * The keys in the file `keys.json` of a store folder. Calls reject with FileError and FormatError as `openKeys`, and where the
 * file cannot be written. The folder keeps only hashes of keys.
 */
export function fileKeys(dir: string): KeyRegister {
  assertKind('dir', dir, 'text');
  return {
    async create(keys) {
      const now = new Date();
      const made = keys.map((key) => makeKey(key, now));
      await rewriteList(dir, KEYS, (entries) => [...entries, ...made.map(({ stored }) => toEntry(stored))]);
      return made.map(toCreated);
    },

    async rotate(ids, overlapSeconds) {
      const now = new Date();
      const made: ReturnType<typeof makeSuccessor>[] = [];
      await rewriteList(dir, KEYS, (entries) => {
        const changed = new Map<KeyEntry, KeyEntry>();
        for (const entry of findEntries(entries, ids)) {
          const successor = makeSuccessor(fromEntry(entry), overlapSeconds, now);
          const [expires, replacedBy] = [successor.oldExpires.toISOString(), successor.stored.id];
          changed.set(entry, { ...entry, expires, replacedBy });
          made.push(successor);
        }
        const others = entries.map((entry) => changed.get(entry) ?? entry);
        return [...others, ...made.map(({ stored }) => toEntry(stored))];
      });
      return made.map(toCreated);
    },

    async revoke(idsOrKeys) {
      const revoked = new Date().toISOString();
      const found: KeyEntry[] = [];
      await rewriteList(dir, KEYS, (entries) => {
        const wanted = new Set(findEntries(entries, idsOrKeys));
        const changed = entries.map((entry) => (wanted.has(entry) ? { revoked, ...entry } : entry));
        found.push(...changed.filter((_, i) => wanted.has(entries[i])));
        return changed;
      });
      return found.map((entry) => toListedKey(fromEntry(entry)));
    },

    async list() {
      return (await readList(dir, KEYS)).map((entry) => toListedKey(fromEntry(entry)));
    },
  };
}

function toCreated({ key, stored }: ReturnType<typeof makeKey>): CreatedKey {
  return { key, record: toListedKey(stored) };
}

/** The entries of keys that are given themselves or by their ids, in the order of the list. Throws OptionError for one that is unknown. */
function findEntries(entries: readonly KeyEntry[], idsOrKeys: readonly string[]): KeyEntry[] {
  const wanted = new Map(idsOrKeys.map((text) => [text, hashKey(text)]));
  const hashes = new Set(wanted.values());
  const found = entries.filter(({ id, keyHash }) => wanted.has(id) || hashes.has(keyHash));
  const names = new Set(found.flatMap(({ id, keyHash }) => [id, keyHash]));
  for (const [text, hash] of wanted) if (!names.has(text) && !names.has(hash)) throw unknownKey();
  return found;
}

/** Creates one key, as `create` of `fileKeys` does. */
export async function createKey(dir: string, key: NewKey): Promise<{ key: string; record: KeyRecord }> {
  const [{ key: made, record }] = await fileKeys(dir).create([key]);
  return { key: made as string, record: toRecord(record) };
}
