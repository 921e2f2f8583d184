import { createHash } from 'node:crypto';
import type { Work } from '../../../check/work.js';
import { FileError, FormatError } from '../../../errors.js';
import { MANIFEST_FILE, type StoreAccess } from '../../store/store-access.js';
import { type StoreKeeper, UPDATES_FOLDER } from '../../store/store-keeper.js';
import { type ObjectEntry, putObject } from '../../store/write-blocks.node.js';
import { GENERATIONS_FOLDER, isUpdateId, listObjects, type Manifest } from './manifest.js';
import { formatManifest, formatRoot, parseManifest, parseRoot } from './manifest-text.js';
import { type FinishedFile, finishedWork } from './stopped-work.node.js';
import { type GenerationEntry, prunedRoot, type StoreRoot, USUAL_KEEP } from './store-root.js';

/** The root of a store as it was read, and the contents of its present generation. */
export interface StoreState {
  /** Undefined for a store of version 1. */
  readonly root: StoreRoot | undefined;
  /** Changes with the root. */
  readonly tag: string;
  readonly manifest: Manifest;
}

const UPDATE_ID_LENGTH = 24;

/** So often the root is read again where another process replaced it, and removed what it named. */
const MAX_READS = 5;

/**
 * Reads a store's root and its present generation; undefined where there is no store. Rejects with FileError, and with
 * FormatError where one is wrong.
 */
export async function findState(access: StoreAccess): Promise<StoreState | undefined> {
  for (let reads = 1; ; reads++) {
    const read = await readRoot(access);
    if (read === undefined) return undefined;
    try {
      return { ...read, manifest: await contentsOf(access, read) };
    } catch (error) {
      // Meanwhile there may be so many newer generations that this one is not kept.
      if (reads === MAX_READS || (await access.readManifest())?.tag === read.tag) throw error;
    }
  }
}

/** Like `findState`; rejects with FileError where there is no store. */
export async function readState(access: StoreAccess): Promise<StoreState> {
  const state = await findState(access);
  if (state === undefined) throw noStore(access);
  return state;
}

/** The root of a store as it was read. */
export interface ReadRoot {
  readonly root: StoreRoot | undefined;
  readonly tag: string;
  readonly text: string;
}

/** Like `readRoot`; rejects with FileError where there is none. */
export async function requireRoot(access: StoreAccess): Promise<ReadRoot> {
  const read = await readRoot(access);
  if (read === undefined) throw noStore(access);
  return read;
}

/** Reads the root of a store; undefined where there is none. */
export async function readRoot(access: StoreAccess): Promise<ReadRoot | undefined> {
  const read = await access.readManifest();
  if (read === undefined) return undefined;
  const text = new TextDecoder().decode(read.bytes);
  return { root: parseRoot(text, access.describe(MANIFEST_FILE)), tag: read.tag, text };
}

function contentsOf(access: StoreAccess, { root, text }: ReadRoot): Manifest | Promise<Manifest> {
  if (root === undefined) return parseManifest(text, access.describe(MANIFEST_FILE));
  return readGeneration(access, root.generations.find(({ id }) => id === root.current) as GenerationEntry);
}

/** Reads the contents of a generation. Rejects with FileError, and with FormatError where they are damaged. */
export async function readGeneration(access: StoreAccess, entry: ObjectEntry): Promise<Manifest> {
  const bytes = new Uint8Array(entry.bytes ?? 0);
  await access.get(entry.file, 0, bytes);
  access.giveUp?.(entry.file);
  if (createHash('sha256').update(bytes).digest('hex') !== entry.sha256) {
    access.doubt?.(entry.file);
    const allowed = 'the contents of a generation as they were written; plumecast store rollback goes to another one';
    throw new FormatError({
      subject: access.describe(entry.file),
      problem: 'is damaged: its checksum differs',
      allowed,
    });
  }
  return parseManifest(new TextDecoder().decode(bytes), access.describe(entry.file));
}

/** The error for a place without a store. */
function noStore(access: StoreAccess): FileError {
  const allowed = `a folder, or an address, with a ${MANIFEST_FILE}`;
  return new FileError({ subject: access.describe(), problem: 'holds no store', allowed });
}

/** A generation to publish: the id of its update, its name, and its contents. */
export interface NewGeneration {
  readonly id: string;
  readonly generation: string;
  readonly manifest: Manifest;
  /** Whether it takes the place of the present one, which is not kept. Default false. */
  readonly replaces?: boolean;
}

/**
 * Publishes a generation on what was read: its contents are written, then the root is replaced, which makes it the present
 * one. Returns false where another process has replaced the root meanwhile. Rejects with FileError.
 */
export async function publish(
  access: StoreAccess,
  before: StoreState | undefined,
  { id, generation, manifest, replaces = false }: NewGeneration,
): Promise<boolean> {
  const object = await putManifest(access, id, { ...manifest, generation });
  const entry = { id, generation, published: new Date().toISOString(), ...object };
  const all = before === undefined ? [] : (before.root?.generations ?? (await firstGeneration(access, id, before)));
  const known = replaces ? all.filter((each) => each.id !== before?.root?.current) : all;
  const keep = before?.root?.keep ?? USUAL_KEEP;
  const root = prunedRoot({ current: id, keep, generations: [...known, entry] }, Date.now());
  return access.replaceManifest(new TextEncoder().encode(formatRoot(root)), before?.tag);
}

/** The only generation of a store of version 1, so that one can go back to it. */
async function firstGeneration(access: StoreAccess, id: string, { manifest }: StoreState): Promise<GenerationEntry[]> {
  const generation = manifest.generation ?? `before-${id}`;
  const object = await putManifest(access, `${id}-before`, { ...manifest, generation });
  return [{ id: `${id}-before`, generation, published: new Date().toISOString(), ...object }];
}

/** A name of its own for each attempt: objects are written once. */
function putManifest(access: StoreAccess, id: string, manifest: Manifest): Promise<ObjectEntry> {
  const file = `${GENERATIONS_FOLDER}/${id}-${crypto.randomUUID().slice(0, 8)}.json`;
  return putObject(access, file, [new TextEncoder().encode(formatManifest(manifest))]);
}

/** What of a store is removed, and when. */
interface RemovalOptions {
  readonly keepsWork?: boolean;
  readonly atOnce?: boolean;
  /** What ends it, and counts the bytes. */
  readonly work?: Work;
}

/**
 * Removes what no generation of a store names: objects of older generations, and of updates that ended without being
 * published; not what updates under way have written. Files that are not from an update are not touched; what cannot be removed
 * stays until the next time. Nothing is removed where a generation cannot be read. What an update had finished that was
 * stopped not long ago stays, too, with `keepsWork`. Returns how many bytes were removed.
 *
 * What nobody writes to is looked up before the root is read: an update that ends in between has its objects in the root,
 * or is not in that list. Of a bucket, nothing is removed soon after a new generation was published, unless `atOnce`: servers
 * may read what that has replaced.
 */
export async function removeUnnamed(
  access: StoreKeeper,
  { keepsWork = true, atOnce = false, work }: RemovalOptions = {},
): Promise<number> {
  if (!atOnce && !(await access.isOutOfUse())) return 0;
  const left = await foldersLeft(access);
  const files = (await access.list(`${GENERATIONS_FOLDER}/`)).filter(({ name }) => left.has(updateOf(name)));
  const named = new Set<string>();
  const isRead = await nameObjects(access, await readRoot(access), named).then(
    () => true,
    () => false,
  );
  if (!isRead) return 0;
  let bytes = 0;
  for (const id of left) {
    const folder = `${UPDATES_FOLDER}/${id}`;
    const { files: work, objects } = await finishedWork(access, folder, named);
    const kept = !keepsWork || work.length === 0 ? [] : [...work.map(({ object }) => object.file), ...objects];
    bytes += await removeUpdate(access, folder, new Set([...named, ...kept]));
  }
  for (const { name, bytes: size } of files) {
    if (named.has(name)) continue;
    work?.check();
    await access.delete(name).catch(() => undefined);
    work?.advance(size);
    bytes += size;
  }
  return bytes;
}

/** What updates have finished that were stopped, and that no generation names. */
export async function findStoppedWork(access: StoreKeeper): Promise<readonly FinishedFile[]> {
  const left = await foldersLeft(access);
  const named = new Set<string>();
  await nameObjects(access, await readRoot(access), named);
  const all = [...left].map((id) => finishedWork(access, `${UPDATES_FOLDER}/${id}`, named));
  return (await Promise.all(all)).flatMap(({ files }) => files);
}

/** The updates, by what they left, to which no process writes. */
async function foldersLeft(access: StoreKeeper): Promise<Set<string>> {
  const files = await access.list(`${GENERATIONS_FOLDER}/`);
  const ids = new Set([...(await access.folders(UPDATES_FOLDER)), ...files.map(({ name }) => updateOf(name))]);
  const isLeft = async (id: string) => isUpdateId(id) && !(await access.isClaimed(`${UPDATES_FOLDER}/${id}`));
  const left = await Promise.all([...ids].map(async (id) => ((await isLeft(id)) ? id : [])));
  return new Set(left.flat());
}

/** The id of the update that wrote the contents of a generation. */
function updateOf(name: string): string {
  return name.slice(GENERATIONS_FOLDER.length + 1).slice(0, UPDATE_ID_LENGTH);
}

async function nameObjects(access: StoreKeeper, read: ReadRoot | undefined, named: Set<string>): Promise<void> {
  if (read === undefined) return;
  if (read.root === undefined) {
    for (const { file } of listObjects(parseManifest(read.text, access.describe(MANIFEST_FILE)))) named.add(file);
    return;
  }
  for (const generation of read.root.generations) {
    named.add(generation.file);
    for (const { file } of listObjects(await readGeneration(access, generation))) named.add(file);
  }
}

/** Removes what no generation names from the folder of an update, and returns how many bytes. */
async function removeUpdate(access: StoreKeeper, folder: string, named: ReadonlySet<string>): Promise<number> {
  if (await access.isClaimed(folder)) return 0;
  const objects = await access.list(`${folder}/`);
  await access.removeFolder(folder, named);
  return objects.reduce((sum, { name, bytes }) => (named.has(name) ? sum : sum + bytes), 0);
}
