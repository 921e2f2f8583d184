import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InputFingerprints } from '../../src/batch/input-fingerprints.js';
import { folderWith } from '../cli/run-command.js';
import { put } from './many-inputs.js';

const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
let folder: string;
let remove: () => void;
let file: string;
beforeEach(() => {
  ({ folder, remove } = folderWith({ a: 'hello' }));
  file = join(folder, 'a');
  utimesSync(file, 1_700_000_000, 1_700_000_000);
});
afterEach(() => remove());
const inputFiles = () => new InputFingerprints(new AbortController().signal);

describe('InputFingerprints', () => {
  it('gives the size, time and checksum of files that do not change', async () => {
    const files = inputFiles();
    await files.record([file]);
    expect(await files.unchanged([file])).toEqual([
      { path: file, bytes: 5, modified: '2023-11-14T22:13:20.000Z', sha256: HELLO },
    ]);
  });

  it.each([
    ['a longer one', 'hello!'],
    ['another of the same size', 'HELLO'],
  ])('throws for a file that was replaced by %s while it was read', async (_, content) => {
    const files = inputFiles();
    await files.record([file]);
    writeFileSync(file, content);
    await expect(files.unchanged([file])).rejects.toThrow(`${file}: was changed while it was being read; received`);
  });

  it('names a missing file, before it is read and after', async () => {
    const files = inputFiles();
    await expect(files.record([file, `${file}2`])).rejects.toThrow(`${file}2: cannot be read: there is no such file`);
    remove();
    await expect(files.unchanged([file])).rejects.toThrow(`${file}: cannot be read: there is no such file`);
    put(folder, 'b', '');
  });

  it('treats a touched file as unchanged, and a file with other content as changed', async () => {
    const before = { path: file, bytes: 5, modified: '2001-01-01T00:00:00.000Z', sha256: HELLO };
    expect(await inputFiles().unchangedSince([before])).toEqual([{ ...before, modified: '2023-11-14T22:13:20.000Z' }]);
    writeFileSync(file, 'HELLO');
    expect(await inputFiles().unchangedSince([before])).toBeUndefined();
    expect(await inputFiles().unchangedSince([{ ...before, path: `${file}2` }])).toBeUndefined();
  });

  it('treats a store as changed if a file was added, or has other content', async () => {
    put(folder, 'store/zarr.json', '{}');
    put(folder, 'store/c/0', '1');
    const sum = async () => {
      const files = inputFiles();
      await files.record([join(folder, 'store')]);
      const [{ bytes, sha256 }] = await files.unchanged([join(folder, 'store')]);
      return { bytes, sha256 };
    };
    const first = await sum();
    expect(first.bytes).toBe(3);
    expect(await sum()).toEqual(first);
    put(folder, 'store/c/0', '2');
    const second = await sum();
    put(folder, 'store/c/1', '');
    expect(new Set([first.sha256, second.sha256, (await sum()).sha256]).size).toBe(3);
  });

  it('reads thousands of files in turn, and stops when the signal aborts', async () => {
    const stop = new AbortController();
    const files = new InputFingerprints(stop.signal);
    const paths = Array.from({ length: 1_000 }, (_, index) => join(folder, `f${index}`));
    for (const path of paths) writeFileSync(path, 'hello');
    await files.record(paths);
    expect((await files.unchanged(paths.slice(0, 20))).every(({ sha256 }) => sha256 === HELLO)).toBe(true);
    stop.abort();
    await expect(files.unchanged(paths)).rejects.toThrow();
  });
});
