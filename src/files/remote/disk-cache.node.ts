import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../disk/replace-file.node.js';
import { removeLeftTemporaries, temporaryPath } from '../../disk/temporary-file.node.js';

/** What is known of bytes that are kept, besides them. */
export interface KeptHead {
  /** For people: without user, password and query. */
  readonly address: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** When they came, by the clock here, in milliseconds since 1970. */
  readonly came: number;
  /** How long they had not been changed then, by the clock of the server, in milliseconds; undefined where it does not say. */
  readonly age?: number | undefined;
}

export interface Kept {
  readonly head: KeptHead;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The form of entries: others are not read. */
const FORM = 'v1';
const MAX_HEAD_BYTES = 65_536;
const LINE_FEED = 10;
/** An entry may take this share of all. */
const MAX_SHARE = 1 / 8;
/** After so much was written, what other processes wrote is looked at, as a share of all. */
const SCAN_SHARE = 1 / 32;
/** So much stays when entries are removed. */
const KEPT_SHARE = 3 / 4;
/** The time of the last use of an entry is written at most so often, in milliseconds. */
const USE_MS = 600_000;
const TEMPORARY = 'cache';

/**
 * Bytes by keys in a folder that any number of processes share. What is read is what was written, or nothing: entries
 * are written to temporary files, renamed, and checked by a digest. Where the folder or the disk cannot be used, nothing
 * is kept. Those that were not used for the longest time are removed where there are more than `maxBytes`.
 */
export class DiskCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** Bytes of all entries, as far as they are known; undefined before it was looked at. */
  #bytes: number | undefined;
  #sinceScan = 0;
  #scanning: Promise<void> | undefined;
  #isBroken = false;

  constructor(folder: string, maxBytes: number) {
    this.#folder = join(folder, FORM);
    this.#maxBytes = maxBytes;
  }

  /** The most bytes of an entry. */
  get maxEntryBytes(): number {
    return Math.floor(this.#maxBytes * MAX_SHARE);
  }

  async read(key: string): Promise<Kept | undefined> {
    const path = this.#path(key);
    const all = await readFile(path).catch(() => undefined);
    if (all === undefined) return undefined;
    const kept = parsed(all, key);
    if (kept === undefined) await rm(path, { force: true }).catch(ignore);
    else await this.#markUsed(path);
    return kept;
  }

  /** Keeps bytes, if there is room for them. Never rejects. */
  async write(key: string, { head, bytes }: Kept): Promise<void> {
    if (this.#isBroken || bytes.length > this.maxEntryBytes) return;
    const digest = createHash('sha256').update(bytes).digest('hex');
    const line = Buffer.from(`${JSON.stringify({ key, length: bytes.length, digest, ...head })}\n`);
    if (line.length > MAX_HEAD_BYTES) return;
    const path = this.#path(key);
    const temporary = temporaryPath(this.#folder, TEMPORARY);
    try {
      await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
      await this.#freeSpace(line.length + bytes.length);
      const write = () => writeFile(temporary, [line, bytes], { flag: 'wx', mode: 0o600 });
      await replaceFile(path, write, temporary);
    } catch {
      // A full disk, or a folder of others: what is asked for is there all the same.
      this.#isBroken = true;
    }
  }

  #path(key: string): string {
    return join(this.#folder, key.slice(0, 2), key.slice(2));
  }

  async #markUsed(path: string): Promise<void> {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
    const now = Date.now();
    if (Math.abs(now - mtimeMs) > USE_MS) await utimes(path, now / 1000, now / 1000).catch(ignore);
  }

  async #freeSpace(bytes: number): Promise<void> {
    this.#sinceScan += bytes;
    if (
      this.#bytes === undefined ||
      this.#sinceScan > this.#maxBytes * SCAN_SHARE ||
      this.#bytes + bytes > this.#maxBytes
    ) {
      this.#scanning ??= this.#scan(bytes).finally(() => {
        this.#scanning = undefined;
      });
      await this.#scanning;
    }
    this.#bytes = (this.#bytes ?? 0) + bytes;
  }

  /** Counts all entries, and removes some where they and those that will be written are too many. */
  async #scan(coming: number): Promise<void> {
    await removeLeftTemporaries(this.#folder, TEMPORARY);
    const entries: { readonly path: string; readonly size: number; readonly used: number }[] = [];
    for (const name of await readdir(this.#folder)) {
      const folder = join(this.#folder, name);
      const names = await readdir(folder).catch(() => []);
      for (const path of names.map((each) => join(folder, each))) {
        const found = await stat(path).catch(() => undefined);
        if (found?.isFile()) entries.push({ path, size: found.size, used: found.mtimeMs });
      }
    }
    let bytes = entries.reduce((sum, { size }) => sum + size, 0);
    if (bytes + coming > this.#maxBytes) {
      entries.sort((a, b) => a.used - b.used);
      for (const { path, size } of entries) {
        if (bytes + coming <= this.#maxBytes * KEPT_SHARE) break;
        // Another process may have removed it.
        await rm(path, { force: true });
        bytes -= size;
      }
    }
    this.#bytes = bytes;
    this.#sinceScan = 0;
  }
}

/** What a file of an entry has; undefined where it is cut, damaged, or of another key. */
function parsed(all: Buffer<ArrayBuffer>, key: string): Kept | undefined {
  const end = all.subarray(0, MAX_HEAD_BYTES).indexOf(LINE_FEED);
  try {
    const { key: own, length, digest, ...head } = JSON.parse(all.subarray(0, end).toString());
    const bytes = all.subarray(end + 1);
    if (end < 0 || own !== key || bytes.length !== length) return undefined;
    return createHash('sha256').update(bytes).digest('hex') === digest ? { head, bytes } : undefined;
  } catch {
    return undefined;
  }
}

function ignore(): void {}
