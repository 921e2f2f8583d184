/**
 * Reads the rain of a gridded file with the library that reads its format, a week of all members at a time, and prints
 * a sum of some values.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const [path] = process.argv.slice(2);

const WEEK = 7;
let sink = 0;

if (path.endsWith('.zarr')) {
  const { get, open, root, slice } = await import('zarrita');
  const rain = await open(root(folderStore(path)).resolve('/precip'), { kind: 'array' });
  for (let day = 0; day < rain.shape[1]; day += WEEK) {
    const { data } = await get(rain, [null, slice(day, day + WEEK), null, null]);
    sink += data[data.length >> 1];
  }
} else {
  const h5wasm = await import('h5wasm/node');
  await h5wasm.ready;
  const file = new h5wasm.File(path, 'r');
  const rain = file.get('precip');
  const [members, days, ny, nx] = rain.shape;
  for (let day = 0; day < days; day += WEEK) {
    for (let member = 0; member < members; member++) {
      const values = rain.slice([
        [member, member + 1],
        [day, day + WEEK],
        [0, ny],
        [0, nx],
      ]);
      sink += values[values.length >> 1];
    }
  }
  file.close();
}
console.log(sink);

/** A store of files in a folder, like that of @zarrita/storage. */
function folderStore(folder) {
  return {
    async get(key) {
      return readFile(join(folder, key.slice(1))).catch(() => undefined);
    },
  };
}
