import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiskFile } from '../../src/files/disk-file.node.js';

/** More bytes than are read at once. */
const LONG = 1_048_576;

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumecast-disk-file-'));
  path = join(folder, 'long.bin');
  await writeFile(path, new Uint8Array(LONG).fill(7));
});

afterAll(() => rm(folder, { recursive: true }));

describe('a file on the disk', () => {
  it('is closed after the reads that are in progress, and for the second time nothing is done', async () => {
    const file = await DiskFile.open(path);
    const reading = Promise.resolve(file.slice(0));
    const closing = file.close();
    expect(new Uint8Array(await reading)).toEqual(new Uint8Array(LONG).fill(7));
    await closing;
    // The descriptor may be that of another file by now.
    const other = await DiskFile.open(path);
    await file.close();
    expect(new Uint8Array(await other.slice(0, 3))).toEqual(new Uint8Array([7, 7, 7]));
    await other.close();
  });

  it('is an error to read when it is closed', async () => {
    const file = await DiskFile.open(path);
    await file.close();
    expect(() => file.slice(0, 3)).toThrow(expect.objectContaining({ tag: 'file', subject: path }));
    await expect(file.slice(0)).rejects.toMatchObject({ tag: 'file', subject: path });
  });

  it.runIf(process.platform === 'linux')('leaves no descriptor open where it cannot be opened as a file', async () => {
    const before = (await readdir('/proc/self/fd')).length;
    for (let i = 0; i < 20; i++) await expect(DiskFile.open(folder)).rejects.toMatchObject({ tag: 'file' });
    expect((await readdir('/proc/self/fd')).length).toBeLessThan(before + 20);
  });
});
