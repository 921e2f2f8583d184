import type { Work } from '../../check/work.js';
import { FileError } from '../../errors.js';
import { claimFolder, isFolderClaimed, isRemovable } from './object-claim.js';
import { type ListedObject, MANIFEST_FILE, type StoreAccess, type TaggedManifest } from './store-access.js';
import type { StoreKeeper, UpdateClaim, WorkLines } from './store-keeper.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** Servers may read objects of the generation before for so long after a newer one was published. */
const IN_USE_SECONDS = 60;
/** What updates have finished is in objects of this folder, below the update's. */
const WORK_FOLDER = 'work';
const PIECE_BYTES = 4_194_304;

/** A store in a bucket, or in whatever else has the calls of `StoreAccess`. */
export class ObjectKeeper implements StoreKeeper {
  readonly isRemote = true;
  readonly #access: StoreAccess;
  readonly #work: Work | undefined;

  /** `work` ends the calls, and counts the bytes that are read. */
  constructor(access: StoreAccess, work?: Work) {
    this.#access = access;
    this.#work = work;
  }

  describe(name?: string): string {
    return this.#access.describe(name);
  }

  async get(name: string, at: number, into: Bytes): Promise<void> {
    await this.#ended(() => this.#access.get(name, at, into));
    this.#work?.advance(into.byteLength);
  }

  getNow(name: string, at: number, into: Bytes): boolean {
    this.#work?.check();
    return this.#access.getNow?.(name, at, into) ?? false;
  }

  giveUp(name: string): void {
    this.#access.giveUp?.(name);
  }

  doubt(name: string): void {
    this.#access.doubt?.(name);
  }

  put(name: string, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    return this.#access.put(name, pieces);
  }

  list(prefix: string): Promise<readonly ListedObject[]> {
    return this.#ended(() => this.#access.list(prefix));
  }

  delete(name: string): Promise<void> {
    return this.#access.delete(name);
  }

  readManifest(): Promise<TaggedManifest | undefined> {
    return this.#ended(() => this.#access.readManifest());
  }

  /** Waits for a call that only reads, unless the work is aborted. */
  async #ended<T>(call: () => Promise<T>): Promise<T> {
    if (this.#work === undefined) return call();
    this.#work.check();
    return this.#work.orAborted(call());
  }

  replaceManifest(bytes: Uint8Array, tag: string | undefined): Promise<boolean> {
    return this.#access.replaceManifest(bytes, tag);
  }

  async close(): Promise<void> {
    await this.#access.close?.();
  }

  async prepare(): Promise<() => Promise<void>> {
    return async () => {};
  }

  claim(folder: string): Promise<UpdateClaim> {
    return claimFolder(this.#access, folder);
  }

  isClaimed(folder: string): Promise<boolean> {
    return isFolderClaimed(this.#access, folder);
  }

  async folders(folder: string): Promise<readonly string[]> {
    const listed = await this.list(`${folder}/`);
    return [...new Set(listed.map(({ name }) => name.slice(folder.length + 1).split('/')[0]))];
  }

  async addWork(folder: string, line: string): Promise<void> {
    await this.put(`${folder}/${WORK_FOLDER}/${crypto.randomUUID()}.json`, [new TextEncoder().encode(line)]);
  }

  async readWork(folder: string): Promise<WorkLines> {
    const listed = await this.list(`${folder}/${WORK_FOLDER}/`);
    const lines = await Promise.all(
      listed.map(async ({ name, bytes }) => {
        const line = new Uint8Array(bytes);
        await this.get(name, 0, line);
        return new TextDecoder().decode(line);
      }),
    );
    const ages = listed.map(({ ageSeconds }) => ageSeconds ?? Number.POSITIVE_INFINITY);
    return { objects: listed.map(({ name }) => name), lines, ageSeconds: Math.min(Number.POSITIVE_INFINITY, ...ages) };
  }

  async move(name: string, to: string): Promise<void> {
    const [listed] = await this.list(name);
    if (listed === undefined) throw new FileError({ subject: this.describe(name), problem: 'is missing' });
    await this.put(to, piecesOf(this, listed));
    await this.delete(name);
  }

  async removeFolder(folder: string, keep: ReadonlySet<string>): Promise<void> {
    const listed = await this.list(`${folder}/`);
    const removed = listed.filter((object) => !keep.has(object.name) && isRemovable(object));
    // What cannot be deleted now is deleted the next time.
    for (const { name } of removed) await this.delete(name).catch(() => undefined);
  }

  async isOutOfUse(): Promise<boolean> {
    const [manifest] = await this.list(MANIFEST_FILE);
    return manifest?.ageSeconds !== undefined && manifest.ageSeconds > IN_USE_SECONDS;
  }

  async retire(names: Iterable<string>): Promise<void> {
    for (const name of names) this.giveUp(name);
  }

  admit(): void {}

  async manifestStamp(): Promise<string> {
    const manifest = await this.readManifest();
    if (manifest !== undefined) return manifest.tag;
    const allowed = `an address with a ${MANIFEST_FILE}`;
    throw new FileError({ subject: this.describe(), problem: 'holds no store', allowed });
  }

  /** The generation that was read last is served while the server is away: that is no reason to ask others. */
  async checkManifest(): Promise<void> {}

  async checkPlace(): Promise<void> {}

  pathOf(): undefined {
    return undefined;
  }
}

async function* piecesOf(access: StoreAccess, { name, bytes }: ListedObject): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; at += PIECE_BYTES) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, bytes - at));
    await access.get(name, at, piece);
    yield piece;
  }
}
