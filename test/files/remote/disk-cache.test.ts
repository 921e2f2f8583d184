import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiskCache } from '../../../src/files/remote/disk-cache.node.js';
import { remoteAddress } from '../../../src/files/remote/remote-address.js';
import { openRemote, requestRange } from '../../../src/files/remote/remote-object.js';
import { HttpStore } from '../../../src/files/zarr/http-store.js';
import { type ObjectServer, serveObjects, tagOf } from './object-server.js';

const HEAD = { address: 'http://server/a', status: 200, headers: {}, came: 0 };
const key = (i: number) => i.toString(16).padStart(64, '0').replace(/^00/, '5f');

/** Files below a folder. */
function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true }) as string[];
  return names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
}

/** Bytes of which one of the last is another one. */
function flipped(bytes: Buffer): Buffer {
  bytes[bytes.length - 5] ^= 1;
  return bytes;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumecast-cache-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('DiskCache', () => {
  const bytesOf = (length: number) => new Uint8Array(randomBytes(length));

  it('gives what was written, also to another process, and nothing for other keys', async () => {
    const bytes = bytesOf(1000);
    await new DiskCache(folder, 1e6).write(key(1), { head: HEAD, bytes });
    const found = await new DiskCache(folder, 1e6).read(key(1));
    expect([found?.head, Buffer.from(found?.bytes ?? [])]).toEqual([HEAD, Buffer.from(bytes)]);
    expect(await new DiskCache(folder, 1e6).read(key(2))).toBeUndefined();
  });

  it('takes entries that are cut, damaged or of another key for missing, and removes them', async () => {
    const cache = new DiskCache(folder, 1e6);
    const breaks: ((path: string, bytes: Buffer) => void)[] = [
      (path, bytes) => writeFileSync(path, bytes.subarray(0, -1)),
      (path, bytes) => writeFileSync(path, Buffer.concat([bytes, Buffer.of(0)])),
      (path, bytes) => writeFileSync(path, flipped(bytes)),
      (path) => writeFileSync(path, ''),
      (path) => writeFileSync(path, randomBytes(100_000)),
      (path, bytes) => writeFileSync(path, bytes.toString('latin1').replace(key(1), key(2)), 'latin1'),
    ];
    for (const breakIt of breaks) {
      await cache.write(key(1), { head: HEAD, bytes: bytesOf(1000) });
      const [path] = filesIn(folder);
      breakIt(path, readFileSync(path));
      expect(await cache.read(key(1))).toBeUndefined();
      expect(filesIn(folder)).toEqual([]);
    }
  });

  it('keeps at most its bytes, of several processes too, and those that were used last', async () => {
    const caches = Array.from({ length: 3 }, () => new DiskCache(folder, 100_000));
    for (let i = 0; i < 120; i++) {
      await caches[i % 3].write(key(i), { head: HEAD, bytes: bytesOf(4000) });
      const size = filesIn(folder).reduce((sum, path) => sum + statSync(path).size, 0);
      // What others wrote is looked at after a 32th of all.
      expect(size).toBeLessThanOrEqual(100_000 * (1 + 3 / 32));
    }
    const used = filesIn(folder)[0];
    const old = new Date(Date.now() - 1e7);
    for (const path of filesIn(folder)) utimesSync(path, old, old);
    const name = used.split(/[/\\]/).slice(-2).join('');
    expect(await caches[0].read(name)).toBeDefined();
    for (let i = 200; i < 210; i++) await caches[1].write(key(i), { head: HEAD, bytes: bytesOf(4000) });
    expect(filesIn(folder)).toContain(used);
  });

  it('leaves out what is large, and goes on where nothing can be written', async () => {
    const cache = new DiskCache(folder, 8000);
    await cache.write(key(1), { head: HEAD, bytes: bytesOf(1001) });
    expect(filesIn(folder)).toEqual([]);
    writeFileSync(join(folder, 'v1'), '');
    await cache.write(key(1), { head: HEAD, bytes: bytesOf(10) });
    expect(await cache.read(key(1))).toBeUndefined();
    mkdirSync(join(folder, 'other'));
  });

  it('survives many writers and readers of the same keys', async () => {
    const values = Array.from({ length: 8 }, (_, i) => new Uint8Array(3000).fill(i));
    const caches = Array.from({ length: 6 }, () => new DiskCache(folder, 30_000));
    let found = 0;
    await Promise.all(
      caches.map(async (cache, c) => {
        for (let i = 0; i < 60; i++) {
          const at = (i * 5 + c) % 8;
          await cache.write(key(at), { head: HEAD, bytes: values[at] });
          const kept = await cache.read(key((at + 3) % 8));
          if (kept === undefined) continue;
          found++;
          expect(Buffer.from(kept.bytes).equals(values[(at + 3) % 8])).toBe(true);
        }
      }),
    );
    expect(found).toBeGreaterThan(50);
    expect(readdirSync(join(folder, 'v1')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('requests with PLUMECAST_CACHE', () => {
  let server: ObjectServer;
  const objects = new Map<string, Uint8Array>();
  const bytes = new Uint8Array(randomBytes(300_000));
  const address = () => remoteAddress(`${server.url}/a`);
  const old = new Date(Date.now() - 20 * 3_600_000);

  beforeEach(async () => {
    process.env.PLUMECAST_CACHE = folder;
    objects.clear();
    objects.set('a', bytes);
    server = await serveObjects(objects);
    server.modified = old;
  });
  afterEach(async () => {
    delete process.env.PLUMECAST_CACHE;
    await server[Symbol.asyncDispose]();
  });

  /** The beginning and the end of an object, as they are read with one version. */
  async function readEnds(): Promise<Uint8Array[]> {
    const found = await openRemote(address());
    if (found.kind !== 'ranges') throw new Error(found.kind);
    return [found.object.head, await found.object.range(290_000, 10_000)];
  }

  it('ask once whether an object was changed, and not for ranges of the version that is there', async () => {
    const first = await readEnds();
    expect(server.requests).toHaveLength(2);
    server.reset();
    expect(await readEnds()).toEqual(first);
    expect([server.requests.length, server.bytes]).toEqual([1, 0]);
    const other = new Uint8Array(randomBytes(300_000));
    objects.set('a', other);
    const [head, end] = await readEnds();
    expect(Buffer.from(head).equals(other.subarray(0, head.length))).toBe(true);
    expect(Buffer.from(end).equals(other.subarray(290_000))).toBe(true);
  });

  it('ask for nothing that never changes, or counts as unchanged', async () => {
    const store = new HttpStore(new URL(server.url), {});
    for (const options of [{ isImmutable: true }, undefined]) {
      for (let i = 0; i < 2; i++) {
        expect(Buffer.from((await store.get('/a', options)) ?? []).equals(bytes)).toBe(true);
        const range = await store.getRange('/a', { offset: 100, length: 50 }, options);
        expect(Buffer.from(range ?? []).equals(bytes.subarray(100, 150))).toBe(true);
      }
    }
    // Two of the first kind, and whether both were changed, twice.
    expect(server.requests).toHaveLength(2 + 4);
    expect(server.bytes).toBe(bytes.length + 50);
    server.reset();
    const range = { offset: 5, length: 1000 };
    for (let i = 0; i < 3; i++) await requestRange(address(), range, { cached: { freshMs: 3_600_000 } });
    expect(server.requests).toHaveLength(1);
    // What was changed lately may be changed again.
    server.modified = new Date(Date.now() + 1000);
    objects.set('b', bytes);
    for (let i = 0; i < 3; i++)
      await requestRange(remoteAddress(`${server.url}/b`), range, { cached: { freshMs: 3_600_000 } });
    expect(server.requests.filter((request) => request.startsWith('b'))).toHaveLength(3);
  });

  it('keep nothing that is cut, of another length, or that nothing tells from later versions', async () => {
    const store = new HttpStore(new URL(server.url), { retries: 0 });
    server.fault = (_, response) => {
      response.writeHead(200, { 'content-length': bytes.length, etag: tagOf(bytes) });
      response.write(bytes.subarray(0, 1000), () => response.destroy());
      return true;
    };
    await expect(store.get('/a')).rejects.toThrow();
    server.fault = (_, response) => {
      response.writeHead(200, { etag: tagOf(bytes) }).end(bytes);
      return true;
    };
    await store.get('/a');
    server.fault = (_, response) => {
      response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
      return true;
    };
    await store.get('/a');
    server.fault = (_, response) => {
      response
        .writeHead(200, { 'content-length': bytes.length, etag: tagOf(bytes), 'cache-control': 'no-store' })
        .end(bytes);
      return true;
    };
    await store.get('/a');
    expect(filesIn(folder)).toEqual([]);
    server.fault = undefined;
    await store.get('/a');
    expect(filesIn(folder)).toHaveLength(1);
  });

  it('keep what one may read apart from what others may', async () => {
    const withKey = (text: string) => new HttpStore(new URL(server.url), { headers: { authorization: text } });
    await withKey('Bearer one').get('/a', { isImmutable: true });
    server.fault = ({ headers }, response) => {
      if (headers.authorization === 'Bearer one') return false;
      response.writeHead(403).end();
      return true;
    };
    await withKey('Bearer one').get('/a', { isImmutable: true });
    await expect(withKey('Bearer two').get('/a', { isImmutable: true })).rejects.toThrow(/rejected the request/);
    await expect(new HttpStore(new URL(server.url), {}).get('/a', { isImmutable: true })).rejects.toThrow(/rejected/);
    for (const path of filesIn(folder)) expect(readFileSync(path, 'latin1')).not.toContain('Bearer');
  });

  it('are answered where the folder is damaged, or cannot be used', async () => {
    const first = await readEnds();
    for (const path of filesIn(folder)) writeFileSync(path, flipped(readFileSync(path)));
    expect(await readEnds()).toEqual(first);
    rmSync(join(folder, 'v1'), { recursive: true });
    writeFileSync(join(folder, 'v1'), 'no folder');
    expect(await readEnds()).toEqual(first);
  });
});
