import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assertKind, assertKnownKeys, assertShape } from '../../../check/option-checks.js';
import { beginWork, WORK_KEYS, Work, type WorkOptions } from '../../../check/work.js';
import { unreadable } from '../../../disk/file-fault.js';
import { replaceFile } from '../../../disk/replace-file.node.js';
import { FileError, isPlumecastError, OptionError } from '../../../errors.js';
import { USAGE_FOLDER } from '../../access/usage-file.node.js';
import { assertStorePlace, openKeeper } from '../../store/open-keeper.node.js';
import { MANIFEST_FILE, type StoreAccess, type StorePlace } from '../../store/store-access.js';
import type { StoreKeeper } from '../../store/store-keeper.js';
import type { ObjectEntry } from '../../store/write-blocks.node.js';
import { readGeneration, readRoot, readState, removeUnnamed, requireRoot } from './generations.node.js';
import { listObjects, type Manifest } from './manifest.js';
import { formatRoot, parseManifest } from './manifest-text.js';
import { type GenerationEntry, type KeepPolicy, prunedRoot, type StoreRoot } from './store-root.js';

/** A generation of a store, as `listGenerations` describes it. */
export interface ListedGeneration extends Pick<GenerationEntry, 'id' | 'generation' | 'published'> {
  readonly isCurrent: boolean;
  /** When the run of each of its horizons was issued. */
  readonly horizonInitTimes: Readonly<Record<string, string>>;
  /** All of its objects. */
  readonly bytes: number;
  /** Those that no generation before it in the list has. */
  readonly ownBytes: number;
}

/**
 * Lists the generations of a store, from the oldest. Rejects with FileError and FormatError, and with the reason of
 * `signal`; `onProgress` counts bytes that are read.
 */
export async function listGenerations(store: StorePlace, options: WorkOptions = {}): Promise<ListedGeneration[]> {
  const { work, others } = beginWork(options, 'bytes');
  assertKnownKeys(others, WORK_KEYS);
  return work.run(() => listOf(openKeeper(store, { work })));
}

async function listOf(access: StoreKeeper): Promise<ListedGeneration[]> {
  const root = await rootOf(access);
  const seen = new Set<string>();
  const listed: ListedGeneration[] = [];
  for (const entry of root.generations) {
    const manifest = await readGeneration(access, entry);
    const objects = listObjects(manifest);
    const sum = (some: readonly ObjectEntry[]) => some.reduce((bytes, object) => bytes + (object.bytes ?? 0), 0);
    const { id, generation, published } = entry;
    listed.push({
      ...{ id, generation, published, isCurrent: id === root.current },
      horizonInitTimes: { ...manifest.forecast?.horizonInitTimes },
      bytes: sum(objects),
      ownBytes: sum(objects.filter(({ file }) => !seen.has(file))),
    });
    for (const { file } of objects) seen.add(file);
  }
  await access.close();
  return listed;
}

/** What ends a call that has no steps to count. */
export type StoreCallOptions = Pick<WorkOptions, 'signal'>;

/**
 * Makes another generation of a store the present one, by its name or id; by default the one before the present. Returns
 * its name. Rejects with OptionError where there is none, with FileError, and with the reason of `signal` where that is
 * aborted before the store is changed.
 */
export async function rollbackStore(
  store: StorePlace,
  wanted?: string,
  options: StoreCallOptions = {},
): Promise<string> {
  assertKind('wanted', wanted, 'text?');
  assertKnownKeys(options, ['signal']);
  const { work } = beginWork(options, 'bytes');
  return changeRoot(openKeeper(store, { work }), (root) => {
    const { generations, current } = root;
    const at = generations.findIndex(({ id }) => id === current);
    const entry =
      wanted === undefined
        ? generations[at - 1]
        : generations.find(({ id, generation }) => id === wanted || generation === wanted);
    if (entry === undefined) {
      throw new OptionError({
        subject: 'generation',
        problem: wanted === undefined ? 'there is none before the present one' : 'is not one of the store',
        received: wanted,
        allowed: generations.map(({ generation }) => generation).join(', '),
      });
    }
    return { root: { ...root, current: entry.id }, result: entry.generation };
  });
}

/**
 * Sets how many generations a store keeps, now and when new ones are published, and removes the others, and what updates
 * have left that were stopped. Returns how many bytes were removed. Rejects with OptionError and FileError, and with the
 * reason of `signal`: then the next call removes what is left. `onProgress` counts the bytes that are removed.
 */
export async function pruneStore(store: StorePlace, keep: Partial<KeepPolicy> & WorkOptions = {}): Promise<number> {
  assertShape('keep', keep, { count: 'count?', days: 'count?' });
  const { work, others } = beginWork(keep, 'bytes');
  assertKnownKeys(others, ['count', 'days', ...WORK_KEYS], 'keep');
  return work.run(() => prune(openKeeper(store, { work: new Work({ signal: work.signal }, 'bytes') }), others, work));
}

async function prune(access: StoreKeeper, keep: Partial<KeepPolicy>, work: Work): Promise<number> {
  await changeRoot(access, (root) => {
    const policy = {
      ...root.keep,
      ...Object.fromEntries(Object.entries(keep).filter(([, value]) => value !== undefined)),
    };
    return { root: prunedRoot({ ...root, keep: policy }, Date.now()), result: undefined };
  });
  return removeUnnamed(access, { keepsWork: false, atOnce: true, work });
}

/** So often the root is read again where another process replaced it. */
const MAX_ATTEMPTS = 20;

async function changeRoot<T>(
  access: StoreKeeper,
  change: (root: StoreRoot) => { root: StoreRoot; result: T },
): Promise<T> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const read = await requireRoot(access);
    const { root, result } = change(presentRoot(access, read.root));
    if (await access.replaceManifest(new TextEncoder().encode(formatRoot(root)), read.tag)) return result;
  }
  const problem = 'is changed by other processes all the time';
  throw new FileError({ subject: access.describe(), problem, allowed: 'to try again' });
}

async function rootOf(access: StoreAccess): Promise<StoreRoot> {
  return presentRoot(access, (await requireRoot(access)).root);
}

/** Throws OptionError for a store of version 1. */
function presentRoot(access: StoreAccess, root: StoreRoot | undefined): StoreRoot {
  if (root === undefined) throw notMigrated(access);
  return root;
}

function notMigrated(access: StoreAccess): OptionError {
  return new OptionError({
    subject: access.describe(),
    problem: 'is a store of version 1, which has one generation and no checksums',
    allowed: 'plumecast store migrate, or an ingest, which make it one of the present version',
  });
}

/** What is wrong with an object of a store. */
export interface StoreFault {
  readonly object: string;
  readonly problem: string;
}

/** What a check of a store has found. */
export interface StoreCheck {
  readonly generations: number;
  readonly objects: number;
  readonly bytes: number;
  /** Objects of stores of version 1, which have no checksum. */
  readonly unchecked: number;
  readonly faults: readonly StoreFault[];
}

const PIECE_BYTES = 4_194_304;

/** How a store is checked. */
export interface CheckStoreOptions extends WorkOptions {
  /** Called before each object is read. */
  readonly onObject?: (name: string) => void;
}

/**
 * Reads every byte of every object of all generations of a store, and compares it with its checksum. Rejects with FileError
 * and FormatError where the root cannot be read, and with the reason of `signal`; `onProgress` counts the bytes that are read.
 */
export async function checkStore(store: StorePlace, options: CheckStoreOptions = {}): Promise<StoreCheck> {
  assertShape('options', options, { onObject: 'function?' });
  const { work, others } = beginWork(options, 'bytes');
  assertKnownKeys(others, ['onObject', ...WORK_KEYS]);
  return work.run(() => check(openKeeper(store, { reads: 'threads', isReload: true, work }), others, work));
}

async function check(
  access: StoreKeeper,
  { onObject = () => {} }: Pick<CheckStoreOptions, 'onObject'>,
  work: Work,
): Promise<StoreCheck> {
  const read = await requireRoot(access);
  const faults: StoreFault[] = [];
  const objects = new Map<string, ObjectEntry>();
  const add = (manifest: Manifest) => {
    for (const object of listObjects(manifest)) objects.set(object.file, object);
  };
  const fault = (name: string, error: unknown) => {
    if (!isPlumecastError(error)) throw error;
    faults.push({ object: access.describe(name), problem: error.problem });
  };
  const generations = read.root?.generations ?? [];
  if (read.root === undefined) add(parseManifest(read.text, access.describe(MANIFEST_FILE)));
  for (const entry of generations) {
    onObject(entry.file);
    await readGeneration(access, entry).then(add, (error) => fault(entry.file, error));
  }
  let [bytes, unchecked] = [0, 0];
  work.expect([...objects.values()].reduce((sum, object) => sum + (object.bytes ?? 0), 0));
  for (const [name, object] of objects) {
    onObject(name);
    await work.pause();
    if (object.sha256 === undefined) unchecked++;
    bytes += object.bytes ?? 0;
    await checkObject(access, object).catch((error) => fault(name, error));
    access.giveUp(name);
  }
  await access.close();
  return { generations: generations.length || 1, objects: objects.size, bytes, unchecked, faults };
}

/** Compares an object with what is known of it. Rejects with FileError and FormatError. */
async function checkObject(access: StoreAccess, { file, bytes, sha256 }: ObjectEntry): Promise<void> {
  const subject = access.describe(file);
  const [listed] = await access.list(file);
  if (listed === undefined) throw new FileError({ subject, problem: 'is missing' });
  if (bytes !== undefined && listed.bytes !== bytes) {
    throw new FileError({ subject, problem: `has ${listed.bytes} bytes, and its generation says ${bytes}` });
  }
  const hash = createHash('sha256');
  for await (const piece of piecesOf(access, file, listed.bytes)) hash.update(piece);
  if (sha256 !== undefined && hash.digest('hex') !== sha256) {
    throw new FileError({ subject, problem: 'is damaged: its checksum differs' });
  }
}

async function* piecesOf(access: StoreAccess, name: string, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; at += PIECE_BYTES) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, bytes - at));
    await access.get(name, at, piece);
    yield piece;
  }
}

/** So often a copy begins again where what it copies was removed, as there are newer generations. */
const MAX_COPIES = 5;

/**
 * Copies the present generation of a store to another place, while it is served and updated: the copy is a store of one
 * generation, complete, or what it was before. Objects that are there already are not copied again; keys, locations and usage
 * are copied from one folder to another. Returns how many bytes were copied. Rejects with FileError, with FormatError where an
 * object is damaged, and with the reason of `signal`: then the next copy goes on from there. `onProgress` counts the bytes
 * that are read.
 */
export async function copyStore(store: StorePlace, to: StorePlace, options: WorkOptions = {}): Promise<number> {
  assertStorePlace('to', to);
  const { work, others } = beginWork(options, 'bytes');
  assertKnownKeys(others, WORK_KEYS);
  const target = openKeeper(to, { isReload: true, work: new Work({ signal: work.signal }, 'bytes') });
  return work.run(() => copyPresent(openKeeper(store, { work }), target, work));
}

async function copyPresent(from: StoreKeeper, target: StoreKeeper, work: Work): Promise<number> {
  for (let copies = 1; ; copies++) {
    const state = await readState(from);
    try {
      return await copyGeneration(from, target, presentRoot(from, state.root), state.manifest);
    } catch (error) {
      work.check();
      const isSame = (await readRoot(from))?.tag === state.tag;
      if (isSame || copies === MAX_COPIES || !isPlumecastError(error, 'file')) throw error;
    }
  }
}

async function copyGeneration(
  from: StoreKeeper,
  target: StoreKeeper,
  root: StoreRoot,
  manifest: Manifest,
): Promise<number> {
  await target.prepare();
  const before = await target.readManifest();
  const entry = root.generations.find(({ id }) => id === root.current) as GenerationEntry;
  let bytes = 0;
  for (const object of [...listObjects(manifest), entry]) bytes += await copyObject(from, target, object);
  const copied = new TextEncoder().encode(formatRoot({ ...root, generations: [entry] }));
  if (!(await target.replaceManifest(copied, before?.tag))) {
    throw new OptionError({
      subject: target.describe(),
      problem: 'was changed while it was copied to',
      allowed: 'a place for copies',
    });
  }
  await removeUnnamed(target);
  const [usage, usageTo] = [from.pathOf(USAGE_FOLDER), target.pathOf(USAGE_FOLDER)];
  if (usage === undefined || usageTo === undefined) return bytes;
  for (const name of LISTS) await copyList(from.describe(name), target.describe(name));
  await copyUsage(usage, usageTo);
  return bytes;
}

/** The files of a store's folder that are not data: keys and locations. */
const LISTS = ['keys.json', 'locations.json'];

/** Copies a small file with its permissions at once, where there is one. */
async function copyList(path: string, to: string): Promise<void> {
  const bytes = await stat(path).catch((cause) =>
    cause.code === 'ENOENT' ? undefined : Promise.reject(unreadable(path, cause)),
  );
  if (bytes !== undefined) await replaceFile(to, (temporary) => copyFile(path, temporary));
}

/** Copies the usage of keys, a folder for each day, where there is any. */
async function copyUsage(folder: string, to: string): Promise<void> {
  const files = await readdir(folder, { recursive: true }).catch((cause) => {
    if (cause.code === 'ENOENT') return [];
    throw unreadable(folder, cause);
  });
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    await mkdir(dirname(join(to, file)), { recursive: true, mode: 0o700 });
    await copyList(join(folder, file), join(to, file));
  }
}

/** Copies an object, unless it is there already, and returns how many bytes were copied. */
async function copyObject(from: StoreAccess, target: StoreAccess, object: ObjectEntry): Promise<number> {
  const { file, bytes, sha256 } = object;
  if ((await target.list(file))[0]?.bytes === bytes) return 0;
  await target.delete(file);
  const [listed] = await from.list(file);
  if (listed === undefined) throw new FileError({ subject: from.describe(file), problem: 'is missing' });
  const hash = createHash('sha256');
  async function* pieces() {
    for await (const piece of piecesOf(from, file, listed.bytes)) {
      hash.update(piece);
      yield piece;
    }
    if (sha256 !== undefined && hash.digest('hex') !== sha256) {
      const problem = 'is damaged: its checksum differs';
      throw new FileError({ subject: from.describe(file), problem, allowed: 'plumecast store check finds all damage' });
    }
  }
  await target.put(file, pieces());
  from.giveUp?.(file);
  return listed.bytes;
}
