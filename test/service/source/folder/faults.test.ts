import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginUpdate, openStore } from '../../../../src/service/source/folder/index.node.js';
import { withoutPrivileges } from '../without-privileges.js';
import { AXIS, commitForecast, fileOf, firstValue, gridOf, HEADER, newFolder, opened, valuesOf } from './stores.js';

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
    ['{"kind": "plumecast store", "version": 2}', 'is a store of a newer version; received 2; allowed: up to 1'],
    ['{"kind": "plumecast store", "version": 1}', 'field parts is wrong'],
  ])('rejects the manifest %s', async (text, problem) => {
    const { dir, manifest } = await newStore();
    writeFileSync(manifest, text);
    await expect(openStore(dir)).rejects.toThrow(`${manifest}: ${problem}`);
    await expect(openStore(dir)).rejects.toMatchObject({ tag: 'format' });
  });

  it('names the field of a manifest that is wrong', async () => {
    const { dir, manifest } = await newStore();
    rewrite(manifest, '"days": 5', '"days": 0');
    const field = 'parts.timeline.variables.temp_mean.days';
    await expect(openStore(dir)).rejects.toThrow(
      `${manifest}: field ${field} is wrong; received 0; allowed: a whole number from 1 on`,
    );
    rewrite(manifest, '"timeline"', '"later"');
    await expect(openStore(dir)).rejects.toThrow('field parts is wrong; received "later"; allowed: timeline, ');
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
    for (let length = 0; length < bytes.length; length += 61) {
      writeFileSync(file, bytes.subarray(0, length));
      await expect(openStore(dir)).rejects.toMatchObject({ tag: 'format', subject: file });
    }
    await expect(openStore(dir)).rejects.toThrow('is cut short; allowed: a complete Arrow file, as it was written');
  });

  it('rejects what is not an Arrow file, or is corrupt in its footer or the metadata of a batch', async () => {
    const { dir, file } = await newStore();
    const bytes = readFileSync(file);
    writeFileSync(file, 'latitude,longitude\n'.repeat(40));
    await expect(openStore(dir)).rejects.toMatchObject({ tag: 'format', subject: file });
    let rejected = 0;
    for (let at = 0; at < bytes.length; at += 3) {
      const corrupt = Uint8Array.from(bytes);
      corrupt[at] ^= 0xff;
      writeFileSync(file, corrupt);
      const fault = await openStore(dir).then(
        (store) => store.close(),
        (error) => error,
      );
      if (fault === undefined) continue;
      expect(fault).toMatchObject({ tag: 'format', subject: file });
      rejected++;
    }
    expect(rejected).toBeGreaterThan(100);
  });

  it('rejects a file of another variable, of other days or of other places', async () => {
    const { dir, file } = await newStore();
    const other = newFolder();
    const rejected = async (made: object, problem: string) => {
      await commitForecast(other, made);
      copyFileSync(await fileOf(other, 'slug' in made ? 'dew_point' : 'temp_mean'), file);
      await expect(openStore(dir)).rejects.toThrow(`${file}: ${problem}`);
      await expect(openStore(dir)).rejects.toMatchObject({ tag: 'format' });
    };
    await rejected({ slug: 'dew_point' }, 'has another variable than its store says; received "dew_point"');
    await rejected({ axis: { ...AXIS, days: 6 } }, 'has other columns than its store says; received');
    await rejected(
      { axis: { ...AXIS, firstDay: 0 } },
      'has another first_date than its store says; received "1970-01-01"',
    );
    await rejected({ cells: 3 }, 'has another number of places than its store says; received 3; allowed: 4');
  });

  it('rejects a file with the same number of places elsewhere', async () => {
    const { dir, file } = await newStore();
    const other = newFolder();
    const update = await beginUpdate(other);
    update.setForecast(HEADER);
    const { latitude, longitude } = gridOf(4);
    const places = { latitude, longitude: longitude.map((degrees) => degrees + 1) };
    await update.write('timeline', { slug: 'temp_mean', units: 'degC', axis: AXIS, places, blocks: [valuesOf({})] });
    await update.commit();
    copyFileSync(await fileOf(other), file);
    await expect(openStore(dir)).rejects.toThrow(`${file}: has other places than its store says`);
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
    truncateSync(file, 100);
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
