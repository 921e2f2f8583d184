import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FolderAccess } from '../../../src/service/store/folder-access.node.js';
import { RemoteAccess } from '../../../src/service/store/remote-access.node.js';
import { type S3Server, startS3 } from '../../files/remote/s3-server.js';
import { isFullCheck } from '../../full-check.js';
import { bytesOf, read, testCalls, useServer } from './access-calls.js';
import { memoryAccess } from './memory-access.js';

const own = await startS3();
const folder = mkdtempSync(join(tmpdir(), 'plumecast-access-'));
afterAll(async () => {
  await own.stop();
  rmSync(folder, { recursive: true });
});
afterEach(() => vi.unstubAllEnvs());

testCalls('a folder', undefined, () => new FolderAccess(join(folder, 'store')));
testCalls('memory', undefined, () => memoryAccess());
testCalls('a bucket', own.url, () => new RemoteAccess('s3://bucket/some prefix/+&'));

describe('a store in a bucket', () => {
  let server: S3Server;
  let access: RemoteAccess;
  beforeEach(async () => {
    server = await startS3();
    useServer(server.url);
    access = new RemoteAccess('s3://bucket/store');
  });
  afterEach(() => server.stop());

  it('has one winner of many that replace the manifest at once', async () => {
    await access.replaceManifest(bytesOf('0'), undefined);
    const { tag } = (await access.readManifest()) as { tag: string };
    const others = Array.from({ length: 12 }, () => new RemoteAccess('s3://bucket/store'));
    const won = await Promise.all(others.map((other, i) => other.replaceManifest(bytesOf(`by ${i}`), tag)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(new TextDecoder().decode((await access.readManifest())?.bytes)).toBe(`by ${won.indexOf(true)}`);
  });

  if (isFullCheck) {
    it('uploads large objects in parts, which appear whole or not at all', async () => {
      const piece = new Uint8Array(randomBytes(5_000_000));
      async function* pieces() {
        for (let i = 0; i < 8; i++) {
          expect(server.objects.has('store/updates/a/large')).toBe(false);
          piece[0] = i;
          yield piece;
        }
      }
      await access.put('updates/a/large', pieces());
      const stored = server.objects.get('store/updates/a/large')?.bytes as Buffer;
      expect(stored.length).toBe(40_000_000);
      for (let i = 0; i < 8; i++) {
        piece[0] = i;
        expect(stored.subarray(5e6 * i, 5e6 * (i + 1)).equals(piece)).toBe(true);
      }
      expect(server.requests.filter((request) => request.startsWith('PUT store/updates'))).toHaveLength(3);
      await expect(access.put('updates/a/large', pieces())).rejects.toThrow();
    });
  }

  it('knows its own write whose answer was lost', async () => {
    await access.put('updates/a/first', [bytesOf('x')]);
    server.losesAnswer = true;
    await access.put('updates/a/x', [bytesOf('x')]);
    server.losesAnswer = true;
    expect(await access.replaceManifest(bytesOf('one'), undefined)).toBe(true);
    const { tag } = (await access.readManifest()) as { tag: string };
    server.losesAnswer = true;
    expect(await access.replaceManifest(bytesOf('two'), tag)).toBe(true);
    expect(server.losesAnswer).toBe(false);
  });

  it('is not written to where the bucket ignores conditions, which is said', async () => {
    server.ignoresConditions = true;
    const problem = 's3://bucket/store/: is in a bucket that does not obey conditions of writes (if-none-match)';
    await expect(access.put('updates/a/x', [bytesOf('x')])).rejects.toThrow(problem);
    await expect(access.replaceManifest(bytesOf('one'), undefined)).rejects.toThrow('one of two updates');
    expect([...server.objects.keys()]).toEqual([]);
  });

  it.each([-7_200_000, 7_200_000])('is written and read where its clock is ahead by %d ms', async (ms) => {
    server.aheadMs = ms;
    await access.put('updates/a/x', [bytesOf('x')]);
    expect(await read(new RemoteAccess('s3://bucket/store'), 'updates/a/x', 0, 1)).toBe('x');
    const [{ ageSeconds }] = await access.list('updates/a/x');
    expect(ageSeconds).toBeLessThan(60);
  });

  it('does not show keys where they are wrong', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrongsecret');
    const failures = await Promise.allSettled([
      access.put('updates/a/x', [bytesOf('x')]),
      access.list('updates/'),
      access.readManifest(),
      read(access, 'updates/a/x', 0, 1),
      access.delete('x'),
    ]);
    for (const failure of failures) {
      const error: Error = failure.status === 'rejected' ? failure.reason : expect.unreachable();
      expect(error.message).toMatch(/^s3:\/\/bucket\/store.*403/);
      expect(error.message).not.toMatch(/wrongsecret|AKIDOFTESTS/);
    }
  });

  it('is not empty where there is no such bucket, but an error', async () => {
    await expect(new RemoteAccess('s3://other/store').readManifest()).rejects.toThrow('in no bucket that there is');
  });

  it('reads ahead where an object is read from one end to the other, and not where it is not', async () => {
    await access.put('updates/a/x', [new Uint8Array(3_000_000)]);
    server.requests.length = 0;
    const block = new Uint8Array(3000);
    for (let at = 0; at < 3_000_000; at += 3000) await access.get('updates/a/x', at, block);
    expect(server.requests.length).toBeLessThan(12);
    server.requests.length = 0;
    server.sent = 0;
    const other = new RemoteAccess('s3://bucket/store');
    for (let i = 0; i < 10; i++) await other.get('updates/a/x', ((i * 7) % 10) * 300_000, block);
    expect([server.requests.length, server.sent]).toEqual([10, 30_000]);
    for (let i = 0; i < 10; i++) expect(other.getNow('updates/a/x', i * 300_000, block)).toBe(true);
  });

  it('asks once for what several read at the same time', async () => {
    await access.put('updates/a/x', [bytesOf('0123456789')]);
    server.requests.length = 0;
    const texts = await Promise.all(Array.from({ length: 20 }, () => read(access, 'updates/a/x', 2, 5)));
    expect(new Set(texts)).toEqual(new Set(['23456']));
    expect(server.requests).toHaveLength(1);
  });
});

describe('a store at an address of HTTP', () => {
  it('is read, and what changes it is rejected', async () => {
    const access = new RemoteAccess('https://example.org/store/');
    await expect(access.put('x', [])).rejects.toThrow('https://example.org/store: can only be read');
    await expect(access.list('updates/')).rejects.toThrow('s3://BUCKET/PREFIX');
    expect(() => new RemoteAccess('ftp://example.org/store')).toThrow('addresses of this kind are not read');
  });
});
