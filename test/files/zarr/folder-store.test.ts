import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { zarrFolder } from '../../../src/files/zarr/open-zarr-folder.node.js';
import { SPECIAL } from '../../disk/special-files.js';
import { temporaryFolder } from '../../service/source/temporary-folder.js';
import { type FixtureArray, zarrFixture } from './zarr-fixture.js';

const VALUES = Float32Array.from({ length: 160 }, (_, i) => i);
const series: FixtureArray = {
  ...{ type: 'float32', dimensions: ['y', 'x'], shape: [4, 40], chunk: [2, 40] },
  values: VALUES,
};

/** A store in a folder that is removed after the test, without consolidated metadata. */
async function store(version: 2 | 3 = 3, array: FixtureArray = series): Promise<string> {
  const folder = join(temporaryFolder(), 'store.zarr');
  const fixture = await zarrFixture(version, { values: array });
  const name = version === 3 ? 'zarr.json' : '.zmetadata';
  const { consolidated_metadata: _, ...root } = fixture.json(name);
  if (version === 3) fixture.putJson(name, root);
  else fixture.values.delete(name);
  await fixture.writeTo(folder);
  return folder;
}

async function read(folder: string): Promise<{ values: number[]; absent: number }> {
  const array = (await openArrays(zarrFolder(folder))).arrays.get('values');
  if (array === undefined) throw new Error('no array');
  const values = new Float32Array(160);
  const absent = await array.read({ start: [0, 0], count: [4, 40] }, values);
  return { values: [...values], absent: absent.length };
}

/** Puts what `make` makes in the place of a file or folder. */
async function replace(path: string, make: (path: string) => unknown): Promise<unknown> {
  rmSync(path, { recursive: true, force: true });
  return make(path);
}

describe('a store in a folder', () => {
  it('has chunks that were never written where there is no file, or no folder of them', async () => {
    const folder = await store();
    rmSync(join(folder, 'values/c/1'), { recursive: true });
    expect((await read(folder)).absent).toBe(1);
    rmSync(join(folder, 'values/c'), { recursive: true });
    expect((await read(folder)).absent).toBe(2);
  });

  describe.each(Object.entries(SPECIAL))('with %s', (kind, make) => {
    const problem =
      kind === 'a device' ? 'is a link that leads out of the store' : `is ${kind}, and only files are read here`;
    it.each([
      ['a chunk', 3, 'values/c/1/0'],
      ['a chunk', 2, 'values/1.0'],
      ['metadata', 3, 'values/zarr.json'],
      ['metadata', 2, 'values/.zattrs'],
      ['the metadata of the store', 2, '.zmetadata'],
    ] as const)('in place of %s is rejected (v%s, %s)', async (_, version, name) => {
      const folder = await store(version);
      const path = join(folder, name);
      if (!(await replace(path, make))) return;
      await expect(read(folder)).rejects.toMatchObject({
        tag: 'file',
        message: expect.stringContaining(`${path}: ${problem}`),
      });
    });

    it('in place of a shard is rejected', async () => {
      const folder = await store(3, { ...series, perShard: [2, 1], codec: 'gzip' });
      const path = join(folder, 'values/c/0/0');
      if (!(await replace(path, make))) return;
      await expect(read(folder)).rejects.toMatchObject({
        tag: 'file',
        message: expect.stringContaining(`${path}: ${problem}`),
      });
    });
  });

  it('is rejected where a file stands in place of a folder of chunks', async () => {
    const folder = await store();
    await replace(join(folder, 'values/c/1'), (path) => writeFileSync(path, 'x'));
    await expect(read(folder)).rejects.toThrow('values/c/1/0: cannot be read: part of its path is not a folder');
  });

  it('is rejected where it is a file', async () => {
    const folder = await store();
    await replace(folder, (path) => writeFileSync(path, 'x'));
    await expect(read(folder)).rejects.toThrow(`${folder}: is not a folder; allowed: the folder of a Zarr store`);
  });

  it('is rejected for metadata of more than 256 MiB, which are not read', async () => {
    const folder = await store();
    truncateSync(join(folder, 'values/zarr.json'), 2 ** 40);
    await expect(read(folder)).rejects.toThrow(
      'values/zarr.json: is too long; received "1099511627776 bytes"; allowed: at most 268435456 bytes',
    );
  });

  it('is rejected for a chunk of more bytes than its array can have, which are not read', async () => {
    const folder = await store();
    truncateSync(join(folder, 'values/c/0/0'), 2 ** 31 - 1);
    const before = process.resourceUsage().maxRSS;
    await expect(read(folder)).rejects.toThrow(
      'values/c/0/0: is too long; received "2147483647 bytes"; allowed: at most 320 bytes',
    );
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(500_000);
  });
});

describe('links in a store', () => {
  /** Moves a part of a store, and leaves a link to it. */
  function moved(from: string, to: string): void {
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
    symlinkSync(to, from);
  }

  it('may lead to files and folders of the same store, and the store may be a link itself', async () => {
    const folder = await store();
    moved(join(folder, 'values/c/0/0'), join(folder, 'kept/chunk'));
    moved(join(folder, 'values/c/1'), join(folder, 'kept/row'));
    symlinkSync(folder, `${folder}-link`);
    expect(await read(`${folder}-link`)).toEqual({ values: [...VALUES], absent: 0 });
  });

  it.each(['values', 'values/c', 'values/c/0', 'values/c/0/0', 'values/zarr.json', 'zarr.json'])(
    'must not lead out of it (%s)',
    async (name) => {
      const folder = await store();
      const target = join(folder, '../elsewhere');
      moved(join(folder, name), target);
      await expect(read(folder)).rejects.toThrow(
        `${join(folder, name)}: is a link that leads out of the store; received "${target}"`,
      );
    },
  );

  it('are no chunks that were never written, where they lead nowhere or in a circle', async () => {
    const folder = await store();
    const path = join(folder, 'values/c/1/0');
    await replace(path, (link) => symlinkSync('nowhere', link));
    await expect(read(folder)).rejects.toThrow(`${path}: cannot be read: there is no such file or folder`);
    await replace(path, (link) => symlinkSync('0', link));
    await expect(read(folder)).rejects.toThrow(`${path}: cannot be read: its links lead in a circle`);
    await replace(dirname(path), (link) => symlinkSync('nowhere', link));
    await expect(read(folder)).rejects.toThrow('there is no such file or folder');
  });

  it('are followed in the search for arrays, but not to a folder above', async () => {
    const folder = await store();
    moved(join(folder, 'values'), join(folder, 'kept'));
    expect((await read(folder)).absent).toBe(0);
    symlinkSync('.', join(folder, 'self'));
    await expect(read(folder)).rejects.toThrow(`${join(folder, 'self')}: is a link to a folder above it`);
  });

  it.each([[['a']], [['a', 'b']]])('that repeat groups without end are not searched for ever (%s)', async (names) => {
    const group = Buffer.from('{"zarr_format": 3, "node_type": "group"}');
    const store = {
      get: (key: string) => (key.endsWith('/zarr.json') ? group : undefined),
      folders: async () => names,
    };
    await expect(openArrays(store)).rejects.toThrow(
      'has too many groups and arrays; allowed: at most 10000, and 40 within each other, without consolidated metadata',
    );
  });
});
