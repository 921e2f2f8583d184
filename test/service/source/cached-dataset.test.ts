import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { cachedDataset, removeOldRevisions } from '../../../src/service/source/cached-dataset.node.js';
import { gapFilled, memoryDataset } from '../../../src/service/source/index.js';
import { history, LateDataset, readValues } from './histories.js';
import { temporaryFolder } from './temporary-folder.js';
import { withoutPrivileges } from './without-privileges.js';

let folder: string;
let origin: LateDataset;

beforeEach(() => {
  folder = join(temporaryFolder(), 'cache');
  origin = new LateDataset(history(100, [1, 2, null, 4], [50, 51]));
});

/** Paths of all files below the cache's folder. */
function files(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => join(folder, path));
}

describe('cachedDataset', () => {
  it('gives the values of the origin', async () => {
    const cached = cachedDataset(origin, { folder });
    expect([cached.revision, cached.places, cached.variables]).toEqual(['1', origin.places, origin.variables]);
    expect(await readValues(cached, 0)).toEqual([1, 2]);
    expect(await readValues(cached, 1)).toEqual([Number.NaN, 4]);
    expect(await readValues(cached, 1)).toEqual([Number.NaN, 4]);
    expect(origin.reads).toBe(2);
  });

  it('reads the origin once for all reads of the same values at the same time', async () => {
    const cached = cachedDataset(origin, { folder });
    const all = await Promise.all(Array.from({ length: 100 }, () => readValues(cached)));
    expect(all).toEqual(Array.from({ length: 100 }, () => [1, 2]));
    expect(origin.reads).toBe(1);
    expect(files()).toHaveLength(1);
  });

  it('reads values in memory synchronously', async () => {
    const cached = cachedDataset(origin, { folder });
    await readValues(cached);
    const into = new Float32Array(2);
    expect(cached.read('precipitation', 0, into)).toBeUndefined();
    expect([...into]).toEqual([1, 2]);
  });

  it('is not changed by changes of what was read', async () => {
    const cached = cachedDataset(origin, { folder });
    const into = new Float32Array(2);
    await cached.read('precipitation', 0, into);
    into.fill(9);
    expect(await readValues(cached)).toEqual([1, 2]);
  });

  it('finds values on disk that were written before', async () => {
    await readValues(cachedDataset(origin, { folder }));
    expect(await readValues(cachedDataset(origin, { folder }))).toEqual([1, 2]);
    expect(origin.reads).toBe(1);
  });

  it('finds values on disk that do not fit into memory', async () => {
    const cached = cachedDataset(origin, { folder, memoryBytes: 600 });
    for (const cell of [0, 1, 0, 1]) await readValues(cached, cell);
    expect(cached.read('precipitation', 0, new Float32Array(2))).toBeInstanceOf(Promise);
    expect(origin.reads).toBe(2);
  });

  it('spreads files over folders of a thousand cells at most', async () => {
    const latitudes = Array.from({ length: 1201 }, (_, i) => i / 20);
    const cached = cachedDataset(history(100, latitudes, latitudes), { folder });
    for (const cell of [0, 999, 1000, 1200]) await readValues(cached, cell);
    const paths = files().map((path) => path.split('/').slice(-3).join('/'));
    expect(paths.sort()).toEqual([
      'precipitation/0/0',
      'precipitation/0/999',
      'precipitation/1/1000',
      'precipitation/1/1200',
    ]);
  });

  it('keeps nothing of a failed read: all waiting reads get the error, and the next read tries again', async () => {
    const cached = cachedDataset(origin, { folder });
    origin.fault = new Error('origin is away');
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => readValues(cached)));
    expect(new Set(all.map((result) => result.status === 'rejected' && result.reason))).toEqual(
      new Set([origin.fault]),
    );
    expect(origin.reads).toBe(1);
    origin.fault = undefined;
    expect(await readValues(cached)).toEqual([1, 2]);
    expect(origin.reads).toBe(2);
  });

  it('passes on the origins of days', async () => {
    expect(cachedDataset(origin, { folder }).origins).toBeUndefined();
    const filled = gapFilled([{ name: 'era5', data: history(100, [1]) }]);
    expect(cachedDataset(filled, { folder }).origins!('precipitation', 0)).toEqual(filled.origins!('precipitation', 0));
  });

  it.each([
    [{ folder: '' }, 'folder: has no name'],
    [{ folder: 'x', memoryBytes: 0 }, 'memoryBytes: is not a number of bytes; received 0'],
    [{ folder: 'x', memoryBytes: 1.5 }, 'memoryBytes: is not a number of bytes; received 1.5'],
  ])('rejects %o', (options, message) => {
    expect(() => cachedDataset(origin, options)).toThrow(message);
  });
});

describe('a damaged file of a cache', () => {
  const damages: [string, (bytes: Buffer) => Uint8Array][] = [
    ['empty', () => new Uint8Array(0)],
    ['cut by a byte', (bytes) => bytes.subarray(0, -1)],
    ['cut by a value', (bytes) => bytes.subarray(0, -4)],
    ['longer', (bytes) => Buffer.concat([bytes, Buffer.alloc(4)])],
    ['garbage of the same length', (bytes) => Buffer.alloc(bytes.length, 0xa5)],
    ['zeros of the same length', (bytes) => Buffer.alloc(bytes.length)],
    [
      'changed in its last bit',
      (bytes) => Buffer.from(bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte))),
    ],
    ['changed in its first bit', (bytes) => Buffer.from(bytes.map((byte, i) => (i === 0 ? byte ^ 128 : byte)))],
  ];

  it.each(damages)('that is %s is fetched again and replaced', async (_, damage) => {
    await readValues(cachedDataset(origin, { folder }));
    const [path] = files();
    const whole = readFileSync(path);
    writeFileSync(path, damage(whole));
    expect(await readValues(cachedDataset(origin, { folder }))).toEqual([1, 2]);
    expect(origin.reads).toBe(2);
    expect(readFileSync(path)).toEqual(whole);
  });

  it('of another cell or of other days is not used', async () => {
    await readValues(cachedDataset(origin, { folder }), 1);
    const [path] = files();
    writeFileSync(path.replace(/1$/, '0'), readFileSync(path));
    expect(await readValues(cachedDataset(origin, { folder }), 0)).toEqual([1, 2]);
    const moved = history(101, [10, 20, 30, 40], [50, 51]);
    expect(await readValues(cachedDataset(moved, { folder }), 0)).toEqual([10, 20]);
  });
});

describe('a cache that cannot be written', () => {
  it('serves all the same, reports once, recovers, and reports again', async () => {
    const onFault = vi.fn();
    const cached = cachedDataset(origin, { folder, onFault, memoryBytes: 1 });
    for (let times = 1; times <= 2; times++) {
      rmSync(folder, { recursive: true, force: true });
      writeFileSync(folder, 'a file where the folder should be');
      for (const cell of [0, 1, 0]) expect(await readValues(cached, cell)).toHaveLength(2);
      expect(onFault).toHaveBeenCalledTimes(times);
      expect(onFault.mock.lastCall![0]).toMatchObject({ tag: 'file', subject: folder });
      rmSync(folder);
      expect(await readValues(cached)).toEqual([1, 2]);
      expect(files()).toHaveLength(1);
    }
    expect(onFault).toHaveBeenCalledTimes(2);
  });

  it('because of permissions serves all the same', async () => {
    chmodSync(dirname(folder), 0o755);
    mkdirSync(folder);
    chmodSync(folder, 0o555);
    const onFault = vi.fn();
    const cached = cachedDataset(origin, { folder, onFault, memoryBytes: 1 });
    expect(await withoutPrivileges(() => readValues(cached))).toEqual([1, 2]);
    expect(onFault.mock.calls.map(([error]) => error.message)).toEqual([expect.stringContaining('permission denied')]);
    chmodSync(folder, 0o700);
    await readValues(cached);
    expect(files()).toHaveLength(1);
  });

  it('leaves no temporary file behind', async () => {
    const cached = cachedDataset(origin, { folder, memoryBytes: 1 });
    await readValues(cached);
    const [path] = files();
    rmSync(path);
    mkdirSync(join(path, 'in the way'), { recursive: true });
    expect(await readValues(cached)).toEqual([1, 2]);
    expect(files()).toEqual([]);
  });
});

describe('a new revision of the origin', () => {
  const second = memoryDataset({
    revision: '2',
    latitude: Float64Array.of(50),
    longitude: Float64Array.of(5),
    variables: { precipitation: { firstDay: 100, days: 2, members: 1, values: Float32Array.of(7, 8) } },
  });

  it('is read from the origin, and does not touch files of the old one', async () => {
    await readValues(cachedDataset(origin, { folder }));
    expect(await readValues(cachedDataset(second, { folder }))).toEqual([7, 8]);
    expect(await readValues(cachedDataset(origin, { folder }))).toEqual([1, 2]);
    expect(origin.reads).toBe(1);
  });

  it('is noticed while a cache is in use', async () => {
    const cached = cachedDataset(origin, { folder });
    await readValues(cached);
    origin.revision = '2';
    expect(await readValues(cached)).toEqual([1, 2]);
    expect(origin.reads).toBe(2);
  });

  it('keeps nothing that was read while the revision changed', async () => {
    const cached = cachedDataset(origin, { folder });
    const reading = readValues(cached);
    await vi.waitFor(() => expect(origin.reads).toBe(1), { interval: 0.1 });
    origin.revision = '2';
    await reading;
    expect(() => files()).toThrow('ENOENT');
    origin.revision = '1';
    await readValues(cached);
    expect(origin.reads).toBe(2);
  });

  it('lets removeOldRevisions remove the others, and nothing else', async () => {
    await removeOldRevisions(folder, '2');
    await readValues(cachedDataset(origin, { folder }));
    await readValues(cachedDataset(second, { folder }));
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    expect(readdirSync(folder)).toHaveLength(3);
    await removeOldRevisions(folder, '2');
    expect(readdirSync(folder).sort()).toEqual(['notes.txt', expect.stringMatching(/^revision-[0-9a-f]{16}$/)]);
    await readValues(cachedDataset(origin, { folder }));
    expect(origin.reads).toBe(2);
  });

  it('makes no folder outside the cache, whatever its name', async () => {
    origin.revision = '../../../etc/x\0y';
    await readValues(cachedDataset(origin, { folder }));
    expect(files()).toHaveLength(1);
  });

  it('throws FileError where the folder to be cleaned is not a folder', async () => {
    writeFileSync(folder, '');
    await expect(removeOldRevisions(folder, '2')).rejects.toMatchObject({ tag: 'file' });
  });
});
