import { FileError, FormatError, isPlumecastError } from '../../errors.js';
import type { StoreReader } from '../zarr/store-reader.js';
import { type FlatTable, needed } from './flat-buffer.js';
import { checked, MAX_FILE_BYTES, readMetadataFile } from './metadata-file.js';
import { ID_BYTES, isObjectName, objectName } from './object-id.js';

/** The object of a repository of version 2 with its branches and tags. */
const REPOSITORY = 'repo';

/** The most bytes of a reference of version 1. */
const MAX_REFERENCE_BYTES = 65_536;

const DEFAULT_BRANCH = 'main';

/** A branch or a tag. */
type Kind = 'branch' | 'tag';

/** What a version names: with `branch.` or `tag.` before it only that, otherwise whatever has this name. */
interface Named {
  readonly kinds: readonly Kind[];
  readonly name: string;
}

/**
 * The name of the snapshot that a version means: a branch, a tag, or a snapshot itself; by default the branch main.
 * Undefined where there is no repository. Throws FileError where there is no such version, and FormatError for what is
 * damaged.
 */
export async function findSnapshot(objects: StoreReader, given?: string): Promise<string | undefined> {
  const version = given ?? `branch.${DEFAULT_BRANCH}`;
  const named = namedBy(version);
  // Either is missing: to ask for both at once saves the time of one.
  const [repository, references] = await Promise.all([
    objects.get(REPOSITORY, MAX_FILE_BYTES),
    Promise.all(named.kinds.map((kind) => readReference(objects, kind, named.name))).catch((cause) => {
      if (!isPlumecastError(cause)) throw cause;
      return cause;
    }),
  ]);
  if (repository !== undefined) return snapshotOf(repository, objects.name(REPOSITORY), named, version);
  if (!Array.isArray(references)) throw references;
  const found = onlyOne(references, version, objects.source);
  if (found !== undefined) return found;
  // Each repository has this branch.
  const main = await readReference(objects, 'branch', DEFAULT_BRANCH);
  if (main === undefined) return undefined;
  if (isObjectName(version)) return version;
  const listed = (await objects.folders('refs')) ?? [];
  throw noSuchVersion(objects.source, version, listed);
}

function namedBy(version: string): Named {
  const [, kind, name] = /^(branch|tag)\.(.+)$/s.exec(version) ?? [];
  return name === undefined ? { kinds: ['branch', 'tag'], name: version } : { kinds: [kind as Kind], name };
}

/** The snapshot of a branch or tag of a repository of version 1; undefined where there is none. */
async function readReference(objects: StoreReader, kind: Kind, name: string): Promise<string | undefined> {
  if (name.includes('/') || name === '') return undefined;
  const key = `refs/${kind}.${name}/ref.json`;
  const [bytes, deleted] = await Promise.all([
    objects.get(key, MAX_REFERENCE_BYTES),
    kind === 'tag' ? objects.get(`${key}.deleted`, MAX_REFERENCE_BYTES) : undefined,
  ]);
  if (bytes === undefined || deleted !== undefined) return undefined;
  const snapshot = snapshotIn(new TextDecoder().decode(bytes));
  if (snapshot !== undefined) return snapshot;
  const allowed = '{"snapshot":"..."} with the 20 digits of a snapshot';
  throw new FormatError({ subject: objects.name(key), problem: 'is no reference of Icechunk', allowed });
}

function snapshotIn(json: string): string | undefined {
  try {
    const { snapshot } = JSON.parse(json);
    return typeof snapshot === 'string' && isObjectName(snapshot) ? snapshot : undefined;
  } catch {
    return undefined;
  }
}

/* The fields of tables, by repo.fbs. */
const REPO = { tags: 1, branches: 2, snapshots: 4, status: 5 };
const REF = { name: 0, snapshot: 1 };
const STATUS = { availability: 0, reason: 2 };
const SNAPSHOT_ID = 0;
const IS_OFFLINE = 2;

/** The snapshot of a version by the object of a repository of version 2. */
async function snapshotOf(bytes: Uint8Array, subject: string, named: Named, version: string): Promise<string> {
  const root = await readMetadataFile(bytes, 'repository', subject);
  return checked('repository', subject, () => {
    const status = root.table(REPO.status);
    if (status?.uint8(STATUS.availability) === IS_OFFLINE) {
      const reason = status.text(STATUS.reason);
      const problem = `is marked as offline${reason === undefined ? '' : `: ${reason}`}`;
      throw new FileError({ subject, problem, allowed: 'a repository that is online' });
    }
    const fields = { branch: REPO.branches, tag: REPO.tags };
    const references = named.kinds.map((kind) => referenceIn(root, fields[kind], named.name));
    const found = onlyOne(references, version, subject);
    if (found !== undefined) return found;
    const snapshots = root.tables(REPO.snapshots);
    for (let i = 0; i < snapshots.length; i++) if (snapshotAt(root, i) === version) return version;
    const all = (Object.keys(fields) as Kind[]).flatMap((kind) => {
      const { length, get } = root.tables(fields[kind]);
      return Array.from({ length: Math.min(length, MAX_LISTED) }, (_, i) => `${kind}.${get(i).text(REF.name)}`);
    });
    throw noSuchVersion(subject, version, all);
  });
}

/** The snapshot that a list of branches or tags has for a name. */
function referenceIn(root: FlatTable, field: number, name: string): string | undefined {
  const references = root.tables(field);
  for (let i = 0; i < references.length; i++) {
    const reference = references.get(i);
    if (reference.text(REF.name) === name) return snapshotAt(root, reference.uint32(REF.snapshot));
  }
  return undefined;
}

function snapshotAt(root: FlatTable, index: number): string {
  const snapshots = root.tables(REPO.snapshots);
  if (index >= snapshots.length) throw new RangeError(`snapshot ${index} of ${snapshots.length}`);
  return objectName(needed(snapshots.get(index).struct(SNAPSHOT_ID, ID_BYTES), 'id of a snapshot'));
}

/** What a branch and a tag of one name both mean. Throws FileError where they mean different snapshots. */
function onlyOne(references: readonly (string | undefined)[], version: string, subject: string): string | undefined {
  const found = new Set(references.filter((reference) => reference !== undefined));
  if (found.size < 2) return [...found][0];
  const problem = 'has a branch and a tag of this name';
  throw new FileError({ subject, problem, received: version, allowed: `branch.${version} or tag.${version}` });
}

const MAX_LISTED = 10;

function noSuchVersion(subject: string, version: string, listed: readonly string[]): FileError {
  const names = [...listed].sort().slice(0, MAX_LISTED);
  const allowed = [...names, 'the 20 digits of a snapshot'].join(', ');
  return new FileError({ subject, problem: 'has no such branch, tag or snapshot', received: version, allowed });
}
