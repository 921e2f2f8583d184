import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { assertKind } from '../../check/option-checks.js';
import { unreadable, unwritable } from '../../disk/file-fault.js';
import { readFileStamp } from '../../disk/file-stamp.node.js';
import { readRegularFile } from '../../disk/regular-file.node.js';
import { replaceText } from '../../disk/replace-file.node.js';
import { FormatError } from '../../errors.js';
import { joinUsage, type KeyUsage, sortRows, type UsageRow, type UsageStore } from './usage.js';

/** The content of a file: requests, cost, bytes and the last use of each key. */
interface UsageFile {
  readonly version: 1;
  readonly keys: Readonly<Record<string, readonly [requests: number, cost: number, bytes: number, lastUsed: string]>>;
}

type Used = ReadonlyMap<string, KeyUsage>;

/** The folder of the usage of keys in a store. */
export const USAGE_FOLDER = 'usage';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const FILE = /^[\da-f]+\.json$/;

/**
 * The usage of keys in the folder `usage` of a store. Each process writes a file of its own for each day, `usage/2026-11-29/0f8e5c0d.json`,
 * as a whole: so processes never wait for each other, and one that is killed loses what it has not added. Calls reject with
 * FileError where files cannot be read or written, and FormatError where one is broken.
 */
export function fileUsage(dir: string): UsageStore {
  assertKind('dir', dir, 'text');
  const folder = join(dir, USAGE_FOLDER);
  const ownName = `${randomBytes(8).toString('hex')}.json`;
  const own = new Map<string, Map<string, KeyUsage>>();
  const known = new Map<string, { readonly stamp: string; readonly used: Used }>();

  /** What others have used on a day; files that have not changed are not read again. */
  async function others(day: string): Promise<Used[]> {
    const names = (await list(join(folder, day))).filter((name) => FILE.test(name) && name !== ownName);
    return Promise.all(names.map((name) => readKnown(join(folder, day, name))));
  }

  async function readKnown(path: string): Promise<Used> {
    const stamp = await readFileStamp(path).catch((cause) => {
      throw unreadable(path, cause);
    });
    const before = known.get(path);
    if (before?.stamp === stamp) return before.used;
    const used = await readUsage(path);
    known.set(path, { stamp, used });
    return used;
  }

  async function costOf(day: string, keyId: string): Promise<number> {
    return costIn([...(await others(day)), own.get(day) ?? new Map()], keyId);
  }

  return {
    async add(day, used) {
      const all = new Map(own.get(day));
      for (const [keyId, usage] of used) all.set(keyId, joinUsage(all.get(keyId), usage));
      await write(join(folder, day), ownName, all);
      own.set(day, all);
      for (const other of own.keys()) if (other < day && own.size > 2) own.delete(other);
      for (const path of known.keys()) if (!path.includes(day) && known.size > 1000) known.delete(path);
      const both = [...(await others(day)), all];
      return new Map([...used.keys()].map((keyId) => [keyId, costIn(both, keyId)]));
    },
    costOf,
    async read(firstDay, lastDay) {
      const rows: UsageRow[] = [];
      for (const day of (await list(folder)).filter((name) => DAY.test(name))) {
        if (day < firstDay || day > lastDay) continue;
        const together = new Map<string, KeyUsage>();
        for (const name of (await list(join(folder, day))).filter((each) => FILE.test(each))) {
          for (const [keyId, usage] of await readUsage(join(folder, day, name))) {
            together.set(keyId, joinUsage(together.get(keyId), usage));
          }
        }
        rows.push(...[...together].map(([keyId, usage]) => ({ day, keyId, ...usage })));
      }
      return sortRows(rows);
    },
  };
}

function costIn(all: readonly Used[], keyId: string): number {
  return all.reduce((sum, used) => sum + (used.get(keyId)?.cost ?? 0), 0);
}

/** The names in a folder; none where there is none. */
async function list(folder: string): Promise<string[]> {
  return readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [];
    throw unreadable(folder, cause);
  });
}

async function readUsage(path: string): Promise<Used> {
  const bytes = await readRegularFile(path).catch((cause) => {
    throw unreadable(path, cause);
  });
  const allowed = '{ "version": 1, "keys": { ID: [requests, cost, bytes, last use] } }';
  let file: UsageFile;
  try {
    file = JSON.parse(bytes.toString());
  } catch (cause) {
    throw new FormatError({ subject: path, problem: 'holds no usage of keys', allowed, cause });
  }
  if (file?.version !== 1) {
    throw new FormatError({ subject: path, problem: 'has another version', received: file?.version, allowed });
  }
  return new Map(
    Object.entries(file.keys).map(([keyId, [requests, cost, bytes, lastUsed]]) => [
      keyId,
      { requests, cost, bytes, lastUsed: new Date(lastUsed) },
    ]),
  );
}

async function write(folder: string, name: string, used: Used): Promise<void> {
  const entries = [...used].map(([keyId, { requests, cost, bytes, lastUsed }]) => [
    keyId,
    [requests, cost, bytes, lastUsed.toISOString()],
  ]);
  const text = JSON.stringify({ version: 1, keys: Object.fromEntries(entries) });
  const path = join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause) => Promise.reject(unwritable(path, cause)));
  await replaceText(path, text, 0o600);
}
