import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/errors.js';
import { bytesAccess } from '../../../src/files/array/random-access.js';
import { Hdf5Handle } from '../../../src/files/netcdf4/hdf5-handle.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { placeFixture, writeOthers } from '../other-files.js';
import { valuesOf } from '../stored-values.js';

/** How values come into the file itself. */
const COPIES = 'allowed: values in the file itself; `h5repack -l CONTI` copies them into a new file';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumecast-other-files-'));
  await writeOthers(folder);
  await writeFile(join(folder, 'short'), Uint8Array.of(1, 2, 3));
});
afterAll(() => rm(folder, { recursive: true }));

const placed = (name: string, storage?: string) => placeFixture(folder, name, storage);

describe.each([
  ['openArrays', openArrays],
  ['openArrays', async (path: string) => openArrays(new Uint8Array(await readFile(path)), { source: path })],
])('%s', (_, open) => {
  /** The messages of reading each array of a file. */
  async function faults(path: string): Promise<Record<string, string>> {
    const file = await open(path);
    const found: Record<string, string> = {};
    for (const [name, array] of file.arrays) {
      const reading = array.type === 'text' ? array.readTexts() : valuesOf(array);
      found[name] = await reading.then(String, (error) => {
        expect(error).toBeInstanceOf(FormatError);
        return error.message;
      });
    }
    await file.close();
    return found;
  }

  it('rejects values in external storage of any kind, and names the file; what is in the file stays', async () => {
    const path = await placed('kinds.h5');
    const storage = (name: string, files = `"${join(folder, 'values')}"`) =>
      `${path}, array ${name}: has external storage: its values are in other files; received ${files}; ${COPIES}`;
    expect(await faults(path)).toEqual({
      big_endian: storage('big_endian'),
      fine: '0,1,2',
      'group/inner': storage('group/inner'),
      named_type: storage('named_type'),
      own_name: storage('own_name', '"kinds.h5"'),
      parts: storage('parts', `"${join(folder, 'values')}", "another"`),
      texts: storage('texts'),
    });
  });

  it.each(['latest.h5', 'user-block.h5'])('rejects external storage in other forms of headers: %s', async (name) => {
    const { numbers } = await faults(await placed(name));
    expect(numbers).toContain(`received "${join(folder, 'values')}"`);
  });

  it.skipIf(process.platform === 'win32')(
    'waits for no pipe, and fills in nothing for a file that is short',
    async () => {
      const pipe = join(folder, 'pipe');
      await rm(pipe, { force: true });
      execFileSync('mkfifo', [pipe]);
      for (const storage of [pipe, '/dev/stdin', join(folder, 'short'), join(folder, 'absent')]) {
        const { precip } = await faults(await placed('storage.h5', storage));
        expect(precip).toContain(`has external storage: its values are in other files; received "${storage}"`);
      }
    },
  );

  it('rejects external links, also in groups, whatever they lead to', async () => {
    const leads = 'is an external link: it leads to another file, which is not read; received';
    const link = await placed('link.h5');
    await expect(open(link)).rejects.toThrow(`${link}, /precip: ${leads} "other.h5:/precip"`);
    const inGroup = await placed('link-in-group.h5');
    await expect(open(inGroup)).rejects.toThrow(`${inGroup}, /group/elsewhere: ${leads} "other.h5:/"`);
  });

  it('rejects virtual datasets, and says what they are made of', async () => {
    const { precip, view } = await faults(await placed('virtual.h5'));
    expect(precip).toContain(`is virtual: its values are in other files; received "other.h5"; ${COPIES}`);
    expect(view).toContain('is virtual: its values are in other arrays of the file; received "/time"');
    // HDF5 would open the other file to find out how long the array is.
    const growing = await placed('virtual-growing.h5');
    await expect(open(growing)).rejects.toThrow(`${growing}, /view: refers to another file, which is not read`);
  });
});

describe.each([
  ['on Node', () => import('h5wasm/node')],
  ['in browsers', () => import('h5wasm')],
])('the HDF5 library %s', (_, load) => {
  it('finds no other file, whatever it looks for, and is no other for those who use it themselves', async () => {
    const library = await (await load()).ready;
    const open = async (name: string) => {
      const file = new Hdf5Handle(library, bytesAccess(await readFile(await placed(name)), name));
      file.open();
      return file;
    };
    const storage = await open('kinds.h5');
    const reading = (path: string) =>
      storage.lend(12, (at) =>
        storage.query(path, (_, id) => library.get_dataset_data(id, path, null, null, null, BigInt(at))),
      );
    const values = join(folder, 'values');
    expect(() => reading('/big_endian')).toThrow(`kinds.h5, /big_endian: refers to another file, which is not read`);
    expect(() => reading('/big_endian')).toThrow(`received "${values}"`);
    const link = await open('link.h5');
    expect(() => link.query('link.h5', (_, id) => library.get_type(id, '/precip'))).toThrow(
      'link.h5: refers to another file, which is not read; received "',
    );
    // A link to the name that the library knows the file by is one to another file, too.
    expect(library.FS.analyzePath('/plumecast.h5').exists).toBe(false);
    for (const file of [storage, link]) file.close();
    library.FS.writeFile(join('/tmp', 'plumecast-own-file'), 'own');
    expect(library.FS.readFile(join('/tmp', 'plumecast-own-file'), { encoding: 'utf8' })).toBe('own');
    library.FS.unlink(join('/tmp', 'plumecast-own-file'));
  });
});
