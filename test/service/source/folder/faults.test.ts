import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../../src/service/source/folder/index.node.js';
import { isFullCheck } from '../../../full-check.js';
import { withoutPrivileges } from '../without-privileges.js';
import { AXIS, commitForecast, fileOf, filesIn, firstValue, newFolder, opened } from './stores.js';

async function newStore() {
  const dir = newFolder();
  await commitForecast(dir, { from: 7 });
  return { dir, file: await fileOf(dir), manifest: join(dir, 'store.json') };
}

/** Replaces a text in a manifest. */
function rewrite(manifest: string, from: string, to: string): void {
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(from, to));
}

describe('opening a store in a folder', () => {
  it('rejects a folder that does not exist, or has no store', async () => {
    const dir = newFolder();
    await expect(openStore(join(dir, 'none'))).rejects.toThrow(`${join(dir, 'none')}: holds no store`);
    await expect(openStore(dir)).rejects.toMatchObject({ tag: 'file', subject: dir });
  });

  it('rejects unknown options', async () => {
    const { dir } = await newStore();
    await expect(openStore(dir, { read: 'direct' } as never)).rejects.toThrow('unknown option, the nearest is reads');
    await expect(openStore(dir, { reads: 'slow' } as never)).rejects.toThrow(
      'received "slow"; allowed: direct, threads',
    );
    await expect(openStore(dir, { refreshSeconds: Number.NaN })).rejects.toThrow('refreshSeconds: is not a duration');
  });

  it.each([
    ['{', 'is not valid JSON'],
    ['[]', 'is wrong; received "[]"; allowed: an object'],
    ['{}', 'field kind is wrong'],
    ['{"kind": "plumecast store", "version": 3}', 'is a store of a newer version; received 3; allowed: up to 2'],
    ['{"kind": "plumecast store", "version": 2}', 'field current is wrong'],
    ['{"kind": "plumecast store", "version": 1}', 'field parts is wrong'],
  ])('rejects the manifest %s', async (text, problem) => {
    const { dir, manifest } = await newStore();
    writeFileSync(manifest, text);
    await expect(openStore(dir)).rejects.toThrow(`${manifest}: ${problem}`);
    await expect(openStore(dir)).rejects.toMatchObject({ tag: 'format' });
  });

  it('names the field of the contents of a store that is wrong', async () => {
    const dir = newFolder();
    cpSync('test/fixtures/store-v1', dir, { recursive: true });
    const manifest = join(dir, 'store.json');
    rewrite(manifest, '"days": 15', '"days": 0');
    const field = 'parts.short-term.variables.temp_mean.days';
    await expect(openStore(dir)).rejects.toThrow(
      `${manifest}: field ${field} is wrong; received 0; allowed: a whole number from 1 on`,
    );
    rewrite(manifest, '"timeline"', '"later"');
    await expect(openStore(dir)).rejects.toThrow('field parts is wrong; received "later"; allowed: timeline, ');
  });

  it('rejects a root, or the contents of a generation, of which any bit is another', async () => {
    const { dir, manifest } = await newStore();
    const [contents] = filesIn(join(dir, 'generations'));
    for (const path of [manifest, contents]) {
      const bytes = readFileSync(path);
      for (let at = 0; at < bytes.length; at += isFullCheck ? 7 : 37) {
        const damaged = Uint8Array.from(bytes);
        damaged[at] ^= 1 << (at % 8);
        writeFileSync(path, damaged);
        await expect(openStore(dir)).rejects.toMatchObject({ tag: expect.stringMatching(/format|file/) });
      }
      writeFileSync(path, bytes);
    }
    expect(await firstValue(await (await opened(dir)).snapshot())).toBe(7);
  });

  it('rejects a root without its contents', async () => {
    const { dir } = await newStore();
    const [contents] = filesIn(join(dir, 'generations'));
    rmSync(contents);
    await expect(openStore(dir)).rejects.toThrow(`${contents}: cannot be read: there is no such file or folder`);
  });

  it('rejects where a file is missing, and opens when it is back', async () => {
    const { dir, file } = await newStore();
    renameSync(file, `${file}.away`);
    await expect(openStore(dir)).rejects.toThrow(`${file}: cannot be read: there is no such file or folder`);
    renameSync(`${file}.away`, file);
    expect(await firstValue(await (await opened(dir)).snapshot())).toBe(7);
  });

  it('rejects a folder in place of a file', async () => {
    const { dir, file } = await newStore();
    rmSync(file);
    mkdirSync(file);
    await expect(openStore(dir)).rejects.toMatchObject({ subject: file });
  });

  it('rejects a file that is cut short anywhere', async () => {
    const { dir, file } = await newStore();
    const bytes = readFileSync(file);
    for (let length = 0; length < bytes.length; length += isFullCheck ? 61 : 307) {
      writeFileSync(file, bytes.subarray(0, length));
      await expect(openStore(dir)).rejects.toMatchObject({ tag: 'format', subject: file });
    }
    await expect(openStore(dir)).rejects.toThrow('is cut short; allowed: a complete file of blocks, as it was written');
  });

  it('rejects what is not a file of blocks, or has damage outside of them', async () => {
    const { dir, file } = await newStore();
    const bytes = readFileSync(file);
    writeFileSync(file, 'latitude,longitude\n'.repeat(40));
    await expect(openStore(dir)).rejects.toMatchObject({ tag: 'format', subject: file });
    const blocksEnd = bytes.length - 16 - bytes.readUInt32LE(bytes.length - 16);
    const step = isFullCheck ? 1 : 23;
    for (const at of [
      0,
      7,
      ...Array.from({ length: (bytes.length - blocksEnd) / step }, (_, i) => blocksEnd + i * step),
    ]) {
      const corrupt = Uint8Array.from(bytes);
      corrupt[at] ^= 0x10;
      writeFileSync(file, corrupt);
      await expect(openStore(dir)).rejects.toMatchObject({ tag: 'format', subject: file });
    }
  });

  it('rejects a file of another variable, of other days or of another number of places', async () => {
    const { dir, file } = await newStore();
    const other = newFolder();
    const rejected = async (made: object, problem: string) => {
      await commitForecast(other, made);
      copyFileSync(await fileOf(other, 'slug' in made ? 'dew_point' : 'temp_mean'), file);
      await expect(openStore(dir)).rejects.toThrow(`${file}: ${problem}`);
      await expect(openStore(dir)).rejects.toMatchObject({ tag: 'format' });
    };
    await rejected({ slug: 'dew_point' }, 'has other variable than its store says; received "dew_point"');
    await rejected({ axis: { ...AXIS, days: 6 } }, 'has other days than its store says; received 6');
    await rejected(
      { axis: { ...AXIS, firstDay: 0 } },
      'has other firstDate than its store says; received "1970-01-01"',
    );
    await rejected({ cells: 3 }, 'has other places than its store says; received 3; allowed: 4');
  });

  it('rejects other places than those of its part', async () => {
    const { dir } = await newStore();
    const path = filesIn(dir).find((each) => each.includes('places-')) as string;
    const bytes = readFileSync(path);
    bytes[bytes.indexOf(Buffer.from(Float64Array.of(36.5).buffer)) + 7] ^= 1;
    writeFileSync(path, bytes);
    await expect(openStore(dir)).rejects.toThrow(`${path}: is damaged: its checksum differs`);
  });

  it('rejects a file that it has no permission to read', async () => {
    const { dir, file } = await newStore();
    chmodSync(dir, 0o755);
    chmodSync(file, 0);
    const opening = withoutPrivileges(() => openStore(dir));
    await expect(opening).rejects.toThrow(`${file}: cannot be read: permission denied`);
    chmodSync(file, 0o600);
    expect(await firstValue(await (await opened(dir)).snapshot())).toBe(7);
  });
});

describe.each(['direct', 'threads'] as const)('reading, %s, from a file', (reads) => {
  it('that is cut short after it was opened is an error of each read, until it is complete again', async () => {
    const { dir, file } = await newStore();
    const bytes = readFileSync(file);
    const snapshot = await (await opened(dir, { reads })).snapshot();
    truncateSync(file, 50);
    for (let i = 0; i < 3; i++) {
      await expect(firstValue(snapshot)).rejects.toMatchObject({ tag: 'format', subject: file });
    }
    rmSync(file);
    await expect(firstValue(snapshot)).rejects.toMatchObject({ tag: 'file', subject: file });
    writeFileSync(file, bytes);
    expect(await Promise.all([firstValue(snapshot), firstValue(snapshot)])).toEqual([7, 7]);
  });

  it('that was removed after it was opened goes on', async () => {
    const { dir, file } = await newStore();
    const snapshot = await (await opened(dir, { reads })).snapshot();
    rmSync(file);
    expect(await firstValue(snapshot)).toBe(7);
  });
});
