import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createKey, openKeys } from '../../../../src/service/access/key-file.node.js';
import { addLocation, listLocations, openLocations } from '../../../../src/service/access/location-file.node.js';
import { openStore } from '../../../../src/service/source/folder/index.node.js';
import { commitForecast, fileOf, newFolder } from './stores.js';

const KINDS = [
  ['a named pipe', (path: string) => execFileSync('mkfifo', [path])],
  ['a device', (path: string) => symlinkSync('/dev/zero', path)],
  ['a folder', (path: string) => mkdirSync(path)],
] as const;

const onlyFiles = (path: string, kind: string) => ({
  name: 'FileError',
  message: `${path}: is ${kind}, and only files are read here; allowed: a file`,
});

describe.skipIf(process.platform === 'win32').each(KINDS)('%s in a store', (kind, make) => {
  it('is an error in place of the manifest and of a file of values', async () => {
    const dir = newFolder();
    await commitForecast(dir, { from: 7 });
    for (const path of [await fileOf(dir), join(dir, 'store.json')]) {
      rmSync(path);
      make(path);
      await expect(openStore(dir)).rejects.toMatchObject(onlyFiles(path, kind));
    }
  });

  it('is an error in place of keys.json and locations.json, for those who read and who write them', async () => {
    const dir = newFolder();
    const [keys, locations] = [join(dir, 'keys.json'), join(dir, 'locations.json')];
    make(keys);
    make(locations);
    await expect(openKeys(dir)).rejects.toMatchObject(onlyFiles(keys, kind));
    await expect(createKey(dir, { owner: 'Ada', downscaling: false })).rejects.toMatchObject(onlyFiles(keys, kind));
    await expect(openLocations(dir)).rejects.toMatchObject(onlyFiles(locations, kind));
    await expect(listLocations(dir)).rejects.toMatchObject(onlyFiles(locations, kind));
    const location = { id: 'a', latitude: 1, longitude: 2 };
    await expect(addLocation(dir, location)).rejects.toMatchObject(onlyFiles(locations, kind));
  });
});
