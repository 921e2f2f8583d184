import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { FileError } from '../../errors.js';
import type { DiskCache } from '../../files/remote/disk-cache.node.js';
import { environmentVariables } from '../../files/remote/environment.js';
import { openCache } from '../../files/remote/fetch-cached.node.js';
import { remoteAddress } from '../../files/remote/remote-address.js';
import { type RemoteOptions, requestRemote } from '../../files/remote/remote-server.js';
import { S3Bucket } from '../../files/remote/s3-bucket.node.js';
import { cutShort } from './cut-short.js';
import { type ListedObject, MANIFEST_FILE, type StoreAccess, type TaggedManifest } from './store-access.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** How a store at an address is read. */
export interface RemoteAccessOptions {
  /** The bytes that are kept in memory. Default 64 MiB. */
  readonly memoryBytes?: number;
  /** Whether each read is answered by the server: what is kept here may differ from it. Default false. */
  readonly isReload?: boolean;
}

/** Some bytes of an object. */
interface HeldSpan {
  readonly at: number;
  readonly bytes: Bytes;
}

const MEMORY_BYTES = 67_108_864;
/** The first read ahead of an object that is read from one end to the other, and the longest one. */
const FIRST_AHEAD = 65_536;
const MAX_AHEAD = 4_194_304;
/** How long a server may be silent, and how often a read is repeated; less while it is away. */
const PATIENT: RemoteOptions = { pauseMs: 10_000, retries: 3 };
const HASTY: RemoteOptions = { pauseMs: 2000, retries: 0 };
/** A server that did not answer counts as away for so long. */
const AWAY_MS = 5000;
const NOT_FOUND = 404;

/**
 * A store at an address: `s3://BUCKET/PREFIX`; or `https://`, `gs://` or `az://`, which is only read. Objects never change, so
 * what has come of one is kept in memory, and on the disk where there is a cache (PLUMECAST_CACHE): no request is sent for it.
 */
export class RemoteAccess implements StoreAccess {
  readonly #base: string;
  readonly #source: string;
  readonly #bucket: S3Bucket | undefined;
  readonly #isReload: boolean;
  /** Spans by object and position, and the one that was read ahead of an object, by the object alone. */
  readonly #held: LRUCache<string, HeldSpan>;
  /** Where the last read of an object ended, and how much is read ahead of it. */
  readonly #ends = new LRUCache<string, { readonly at: number; readonly ahead: number }>({ max: 1000 });
  readonly #coming = new Map<string, Promise<Bytes>>();
  /** Objects of which something was damaged: what a cache has of them is not used. */
  readonly #doubted = new Set<string>();
  /** The cache on the disk, where there is one. */
  readonly #cache: DiskCache | undefined;
  readonly #keeping = new Set<Promise<void>>();
  /** As it was read last, and whether its tag is the server's. */
  #manifest: (TaggedManifest & { readonly hasTag: boolean }) | undefined;
  #awayUntil = 0;

  constructor(address: string, { memoryBytes = MEMORY_BYTES, isReload = false }: RemoteAccessOptions = {}) {
    this.#base = address.replace(/\/+$/, '');
    this.#source = remoteAddress(this.#base).source;
    this.#isReload = isReload;
    const { PLUMECAST_CACHE: folder, PLUMECAST_CACHE_BYTES: most } = environmentVariables();
    if (folder) this.#cache = openCache(folder, most === undefined ? undefined : Number(most));
    const [, bucket, prefix] = /^s3:\/\/([^/]+)\/?(.*)$/i.exec(this.#base) ?? [];
    if (bucket !== undefined) this.#bucket = new S3Bucket(bucket, prefix === '' ? '' : `${prefix}/`);
    this.#held = new LRUCache({
      maxSize: memoryBytes,
      sizeCalculation: ({ bytes }, key) => bytes.length + key.length + 100,
    });
  }

  describe(name = ''): string {
    return name === '' ? this.#source : `${this.#source}/${name}`;
  }

  getNow(name: string, at: number, into: Bytes): boolean {
    if (this.#isReload) return false;
    const held = this.#held.get(spanKey(name, at, into.length)) ?? this.#held.get(name);
    if (held === undefined || at < held.at || at + into.length > held.at + held.bytes.length) return false;
    into.set(held.bytes.subarray(at - held.at, at - held.at + into.length));
    return true;
  }

  async get(name: string, at: number, into: Bytes): Promise<void> {
    if (into.length === 0 || this.getNow(name, at, into)) return;
    const last = this.#ends.get(name);
    const isNext = last !== undefined && at > last.at - into.length && at < last.at + FIRST_AHEAD;
    const ahead = isNext ? Math.min(MAX_AHEAD, 2 * last.ahead) : FIRST_AHEAD / 2;
    this.#ends.set(name, { at: at + into.length, ahead });
    const key = spanKey(name, at, into.length);
    const coming =
      this.#coming.get(key) ?? this.#bring(name, key, { at, length: into.length, ahead: isNext ? ahead : 0 });
    into.set((await coming).subarray(0, into.length));
  }

  /** Requests a span, with what follows where the object is read from one end to the other. */
  #bring(name: string, key: string, span: { at: number; length: number; ahead: number }): Promise<Bytes> {
    const { at, length, ahead } = span;
    const coming = this.#read(name, at, length, Math.max(length, ahead))
      .then((bytes) => {
        if (bytes.length > length) {
          this.#held.set(name, { at, bytes });
          this.#ends.set(name, { at: at + bytes.length, ahead });
        } else this.#held.set(key, { at, bytes });
        return bytes;
      })
      .finally(() => this.#coming.delete(key));
    this.#coming.set(key, coming);
    return coming;
  }

  /** Reads up to `most` bytes of an object, and at least `least`, from the cache, or from the server for the cache. */
  async #read(name: string, at: number, least: number, most: number): Promise<Bytes> {
    const cache = this.#cache;
    if (cache === undefined) return this.#request(name, at, least, most);
    // The same name may be of another server, and what one may read is not for all.
    const {
      AWS_ENDPOINT_URL_S3: own,
      AWS_ENDPOINT_URL: any,
      AWS_ACCESS_KEY_ID: id,
      AWS_PROFILE: profile,
    } = process.env;
    const parts = [this.#base, own ?? any ?? '', id ?? profile ?? '', name, at, most];
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
    const kept = this.#isReload || this.#doubted.has(name) ? undefined : await cache.read(key);
    if (kept !== undefined && kept.bytes.length >= least) return kept.bytes;
    const bytes = await this.#request(name, at, least, most);
    const head = { address: this.describe(name), status: 206, headers: {}, came: Date.now() };
    const keeping = cache.write(key, { head, bytes }).finally(() => this.#keeping.delete(keeping));
    this.#keeping.add(keeping);
    return bytes;
  }

  /** Requests up to `most` bytes of an object, and at least `least`. */
  async #request(name: string, at: number, least: number, most: number): Promise<Bytes> {
    const subject = this.describe(name);
    const range = { range: `bytes=${at}-${at + most - 1}`, 'accept-encoding': 'identity' };
    const options = { ...this.#patience(), cached: { isPassedBy: true } };
    const answer = await this.#ask(() =>
      requestRemote(remoteAddress(`${this.#base}/${name}`), range, options, async ({ response, pieces }) => {
        const { status, headers } = response;
        const [, from, size] = /^bytes (\d+)-\d+\/(\d+)$/i.exec(headers.get('content-range') ?? '') ?? [];
        if (status === 206 && Number(from) === at) {
          const bytes = new Uint8Array(Math.min(most, Number(size) - at));
          if (bytes.length < least) return cutShort(subject);
          let filled = 0;
          for await (const piece of pieces()) {
            if (filled + piece.length > bytes.length) throw new Error('more bytes than were requested');
            bytes.set(piece, filled);
            filled += piece.length;
          }
          if (filled < bytes.length) throw new Error(`the connection ended after ${filled} of ${bytes.length} bytes`);
          return bytes;
        }
        await response.body?.cancel();
        return status === 416 ? cutShort(subject) : faultOf(subject, response);
      }),
    );
    if (!(answer instanceof Uint8Array)) throw answer;
    return answer;
  }

  giveUp(name: string): void {
    for (const key of this.#held.keys()) if (key === name || key.startsWith(`${name} `)) this.#held.delete(key);
  }

  doubt(name: string): void {
    this.giveUp(name);
    this.#doubted.add(name);
  }

  async put(name: string, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    if (await this.#writable().put(name, pieces)) return;
    const allowed = 'objects are written once';
    throw new FileError({ subject: this.describe(name), problem: 'exists already', allowed });
  }

  async list(prefix: string): Promise<readonly ListedObject[]> {
    if (prefix.endsWith('/') || this.#bucket !== undefined) {
      const listed = await this.#writable().list(prefix);
      const objects = listed.map(({ key, bytes, ageSeconds }) => ({ name: key, bytes, ageSeconds }));
      return prefix.endsWith('/') ? objects : objects.filter(({ name }) => name === prefix);
    }
    const bytes = await this.#sizeOf(prefix);
    return bytes === undefined ? [] : [{ name: prefix, bytes }];
  }

  /** The size of an object of a server that does not list what it has; undefined where there is none. */
  async #sizeOf(name: string): Promise<number | undefined> {
    const headers = { range: 'bytes=0-0', 'accept-encoding': 'identity' };
    const options = { ...this.#patience(), cached: { isPassedBy: true } };
    const answer = await this.#ask(() =>
      requestRemote(remoteAddress(`${this.#base}/${name}`), headers, options, async ({ response }) => {
        await response.body?.cancel();
        if (response.status === 206) return Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]);
        return response.status === NOT_FOUND ? undefined : faultOf(this.describe(name), response);
      }),
    );
    if (answer instanceof Error) throw answer;
    return answer;
  }

  async delete(name: string): Promise<void> {
    this.#held.delete(name);
    await this.#writable().delete(name);
  }

  async readManifest(): Promise<TaggedManifest | undefined> {
    const subject = this.describe(MANIFEST_FILE);
    const known = this.#manifest;
    const headers = {
      ...{ 'accept-encoding': 'identity', 'cache-control': 'no-cache' },
      ...(known?.hasTag && { 'if-none-match': known.tag }),
    };
    const answer = await this.#ask(() =>
      requestRemote(
        remoteAddress(`${this.#base}/${MANIFEST_FILE}`),
        headers,
        { ...this.#patience(), cached: { isPassedBy: true } },
        async ({ response, pieces }) => {
          if (response.ok) {
            const parts: Uint8Array[] = [];
            for await (const piece of pieces()) parts.push(piece);
            const bytes = new Uint8Array(Buffer.concat(parts));
            const tag = response.headers.get('etag');
            return { bytes, tag: tag ?? new TextDecoder().decode(bytes), hasTag: tag !== null };
          }
          if (response.status === NOT_FOUND) {
            const isWithoutBucket = (await response.text()).includes('NoSuchBucket');
            return isWithoutBucket ? noBucket(this.#source) : undefined;
          }
          await response.body?.cancel();
          return response.status === 304 ? known : faultOf(subject, response);
        },
      ),
    );
    if (answer instanceof Error) throw answer;
    this.#manifest = answer;
    return answer;
  }

  replaceManifest(bytes: Uint8Array, tag: string | undefined): Promise<boolean> {
    return this.#writable().replace(MANIFEST_FILE, new Uint8Array(bytes), tag);
  }

  async close(): Promise<void> {
    await Promise.all(this.#keeping);
    this.#held.clear();
  }

  #writable(): S3Bucket {
    if (this.#bucket !== undefined) return this.#bucket;
    const allowed = 's3://BUCKET/PREFIX, or a folder, for what changes a store';
    throw new FileError({ subject: this.#source, problem: 'can only be read', allowed });
  }

  /** While the server is away, requests are answered soon: many may wait. */
  #patience(): RemoteOptions {
    return performance.now() < this.#awayUntil ? HASTY : PATIENT;
  }

  async #ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      const answer = await request();
      const isAway = answer instanceof FileError && /^5/.test(String(answer.received));
      this.#awayUntil = isAway ? performance.now() + AWAY_MS : 0;
      return answer;
    } catch (error) {
      this.#awayUntil = performance.now() + AWAY_MS;
      throw error;
    }
  }
}

function spanKey(name: string, at: number, length: number): string {
  return `${name} ${at} ${length}`;
}

function noBucket(subject: string): FileError {
  const allowed = 'a bucket that exists, at the server that AWS_ENDPOINT_URL names';
  return new FileError({ subject, problem: 'is in no bucket that there is', allowed });
}

/** The error for a response that is none to the request. */
function faultOf(subject: string, { status, statusText }: Response): FileError {
  const received = `${status} ${statusText}`.trim();
  if (status === NOT_FOUND) {
    const cause = Object.assign(new Error(received), { code: 'ENOENT' });
    return new FileError({ subject, problem: 'cannot be read: there is no such object', cause });
  }
  const isDenied = status === 401 || status === 403;
  const allowed = isDenied
    ? 'keys that may read it, and a clock that is right'
    : 'a server that answers requests of ranges with 206';
  return new FileError({ subject, problem: 'cannot be read', received, allowed });
}
