/** Every small file among the inputs, as it is, cut and damaged: what readers make of it, or their errors. */
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf, errorFacts } from './digest.mjs';

const MAX_BYTES = 200_000;
const FOLDERS = ['tables', 'csv', 'open-meteo', 'grids', 'zarr'];
const ARRAYS = {
  ...{ int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array },
  ...{ uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array },
  ...{ float32: Float32Array, float64: Float64Array },
};

/** A case for each file or store. */
export async function fileCases({ api, folders }) {
  const core = await api.loadCore();
  const paths = [];
  for (const folder of [...FOLDERS, ...(await seedFolders(folders.inputs))]) {
    const names = (await readdir(join(folders.inputs, folder))).sort();
    // A bomb takes long, and is a case of the fuzz runs.
    for (const name of names) if (!name.startsWith('bomb')) paths.push(`${folder}/${name}`);
  }
  return paths.map((path) => ({ name: `file ${path}`, run: () => factsOf(api, core, path) }));
}

/** Of Python's libraries, a folder for each format. */
async function seedFolders(inputs) {
  const found = await readdir(join(inputs, 'seeds'), { withFileTypes: true }).catch(() => []);
  return found
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `seeds/${name}`)
    .sort();
}

async function factsOf(api, core, path) {
  const kinds = /grids|zarr|netcdf|hdf5/.test(path) ? ['arrays', 'ensembles'] : ['table', 'tables'];
  const folder = await mkdtemp(join(tmpdir(), 'plumecast-record-'));
  const words = [];
  const facts = {};
  try {
    for (const [damage, change] of await damages(path)) {
      const copy = join(folder, 'copy');
      await rm(copy, { recursive: true, force: true });
      await change(copy);
      for (const kind of kinds) {
        const {
          sha256,
          first,
          error,
          words: message,
        } = await READERS[kind](api, core, copy).then(digestOf).catch(errorFacts);
        facts[`${damage}, ${kind}`] = error?.replaceAll(folder, '.') ?? `${sha256} ${first}`;
        if (message !== undefined) words.push(`${damage}: ${message.replaceAll(folder, '.')}`);
      }
    }
    return { ...facts, words: words.join('\n') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How a file is changed: not at all, cut, or with a byte that differs. Of a store the largest file is. */
async function damages(path) {
  const asItIs = ['as it is', (copy) => cp(path, copy, { recursive: true })];
  const { inside, bytes } = await largestFile(path);
  // Of two chunks that are cut the error may name either.
  if (bytes.length === 0 || bytes.length > MAX_BYTES || path.endsWith('v2-cut')) return [asItIs];
  const changed = (content) => async (copy) => {
    await cp(path, copy, { recursive: true });
    await writeFile(join(copy, inside), content);
  };
  const cuts = [0.4, 0.9].map((share) => [`cut at ${share}`, changed(bytes.subarray(0, share * bytes.length))]);
  const flips = [0.02, 0.5, 0.97].map((share) => {
    const content = Buffer.from(bytes);
    content[Math.floor(share * bytes.length)] ^= 0x55;
    return [`another byte at ${share}`, changed(content)];
  });
  return [asItIs, ...cuts, ...flips];
}

async function largestFile(path) {
  if (!(await stat(path)).isDirectory()) return { inside: '', bytes: await readFile(path) };
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  let largest = { inside: '', bytes: Buffer.alloc(0) };
  for (const file of files) {
    const bytes = await readFile(file);
    if (bytes.length > largest.bytes.length) largest = { inside: file.slice(path.length + 1), bytes };
  }
  return largest;
}

const READERS = {
  table: async (api, _, path) => api.readTable(await readFile(path), { source: 'copy' }),
  tables: async (api, core, path) => {
    const tables = [];
    for await (const table of api.tablesOfFile(core, path, { source: 'copy', bytes: 4000 }))
      tables.push(await digestOf(table));
    return tables;
  },
  arrays: (api, _, path) => withFile(api, path, async (file) => Promise.all([...file.arrays.values()].map(arrayFacts))),
  ensembles: (api, _, path) =>
    withFile(api, path, async (file) =>
      (await api.gridEnsembles(file)).map(({ array, variable, units, type, members, firstDay, days, grid, cells }) => {
        return { array, variable: variable?.slug, units, type, members, firstDay, days, grid, cells };
      }),
    ),
};

async function withFile(api, path, use) {
  const file = await api.openArrayFile(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function arrayFacts(stored) {
  const { name, dimensions, shape, type, attributes } = stored;
  const facts = { name, dimensions, shape, type, attributes };
  if (type === 'text') return { ...facts, texts: await stored.readTexts() };
  const length = shape.reduce((product, along) => product * along, 1);
  if (length > 1_000_000) return facts;
  const values = new ARRAYS[type](length);
  const absent = await stored.read({ start: shape.map(() => 0), count: shape }, values);
  return { ...facts, values, absent };
}
