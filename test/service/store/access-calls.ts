import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoreAccess } from '../../../src/service/store/store-access.js';
import { ACCOUNT } from '../../files/remote/s3-server.js';

/** Names a server of S3, and the keys of the account. */
export function useServer(url: string): void {
  for (const [name, value] of Object.entries({ ...ACCOUNT, AWS_ENDPOINT_URL: url, AWS_REGION: 'us-east-1' })) {
    vi.stubEnv(name, value);
  }
}

export const bytesOf = (text: string) => new TextEncoder().encode(text);
/** The text of a range of an object. */
export async function read(access: StoreAccess, name: string, at: number, length: number): Promise<string> {
  const into = new Uint8Array(length);
  await access.get(name, at, into);
  return new TextDecoder().decode(into);
}

/** Tests the calls of a store in some place; `url` is the one of its server, where it has one. */
export function testCalls(place: string, url: string | undefined, open: () => StoreAccess): void {
  describe(`the calls of a store in ${place}`, () => {
    let access: StoreAccess;
    beforeAll(() => {
      if (url !== undefined) useServer(url);
      access = open();
    });
    afterAll(() => access.close?.());
    beforeEach(() => {
      if (url !== undefined) useServer(url);
    });

    it('write an object once, and read any range of it', async () => {
      await access.put('updates/a/x.blocks', [bytesOf('0123'), bytesOf(''), bytesOf('456789')]);
      await expect(access.put('updates/a/x.blocks', [bytesOf('other')])).rejects.toThrow('exists already');
      expect(await read(access, 'updates/a/x.blocks', 0, 10)).toBe('0123456789');
      expect(await read(access, 'updates/a/x.blocks', 3, 4)).toBe('3456');
      await expect(read(access, 'updates/a/x.blocks', 8, 4)).rejects.toMatchObject({
        tag: 'format',
        problem: 'is cut short',
      });
      await expect(read(access, 'updates/a/x.blocks', 20, 4)).rejects.toMatchObject({ problem: 'is cut short' });
      await expect(read(access, 'updates/a/none', 0, 4)).rejects.toMatchObject({
        tag: 'file',
        cause: { code: 'ENOENT' },
      });
    });

    it('write nothing where the pieces end with an error', async () => {
      function* pieces() {
        yield bytesOf('some');
        throw new RangeError('of the pieces');
      }
      await expect(access.put('updates/a/half', pieces())).rejects.toThrow('of the pieces');
      expect(await access.list('updates/a/half')).toEqual([]);
    });

    it('write and read large objects, which a bucket takes in parts', async () => {
      const piece = new Uint8Array(randomBytes(6_000_000));
      await access.put('updates/a/large', [piece, piece, piece]);
      expect(await access.list('updates/a/large')).toMatchObject([{ bytes: 18_000_000 }]);
      const into = new Uint8Array(6_000_000);
      await access.get('updates/a/large', 12_000_000, into);
      expect(Buffer.compare(into, piece)).toBe(0);
      await expect(access.put('updates/a/large', [piece, piece, piece])).rejects.toThrow('exists already');
    });

    it('list objects with their sizes, also where they are many, and delete them', async () => {
      const names = Array.from({ length: 45 }, (_, i) => `many/n${String(i).padStart(2, '0')}`);
      for (const name of names) await access.put(name, [bytesOf(name)]);
      const listed = await access.list('many/');
      expect(listed.map(({ name }) => name).sort()).toEqual(names);
      expect(new Set(listed.map(({ bytes }) => bytes))).toEqual(new Set([8]));
      expect(await access.list('many/n03')).toMatchObject([{ name: 'many/n03', bytes: 8 }]);
      expect(await access.list('many/n0')).toEqual([]);
      for (const name of names) await access.delete(name);
      await access.delete('many/n00');
      expect(await access.list('many/')).toEqual([]);
    });

    it('replace the manifest only where it is unchanged', async () => {
      expect(await access.readManifest()).toBeUndefined();
      expect(await access.replaceManifest(bytesOf('one'), '"none"')).toBe(false);
      expect(await access.replaceManifest(bytesOf('one'), undefined)).toBe(true);
      expect(await access.replaceManifest(bytesOf('two'), undefined)).toBe(false);
      const one = await access.readManifest();
      expect(new TextDecoder().decode(one?.bytes)).toBe('one');
      expect(await access.replaceManifest(bytesOf('two'), one?.tag)).toBe(true);
      expect(await access.replaceManifest(bytesOf('three'), one?.tag)).toBe(false);
      expect(new TextDecoder().decode((await access.readManifest())?.bytes)).toBe('two');
    });
  });
}
