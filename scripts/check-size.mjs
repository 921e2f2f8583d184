/** Fails if the built package is larger than its limits; sizes are gzipped bytes, of several files those of each. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** What computes statistics of members in columns; timelines of arrays are apart. */
const ARRAYS = 'computeMemberWindows, computeStatistics, computeStatisticsInto, loadCore, MemberColumn, windowTable';

/** Leaves out what is loaded later, also where it shares files with the rest. */
const withoutLazy = {
  name: 'without-lazy',
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined)),
};

/** The core, and an element with what it loads when it has results. */
const CORE = "export { statistics } from './dist/index.js'";
const CHART = "export * from './dist/element.js'; export * from './dist/element-tables.js'";

const limits = [
  { what: 'dist/plumecast.wasm', limit: 39_500, bytes: await readFile('dist/plumecast.wasm') },
  { what: 'dist/plumecast-table.wasm', limit: 12_000, bytes: await readFile('dist/plumecast-table.wasm') },
  { what: 'dist/plumecast-grib.wasm', limit: 4_000, bytes: await readFile('dist/plumecast-grib.wasm') },
  { what: 'dist/plumecast-store.wasm', limit: 4_000, bytes: await readFile('dist/plumecast-store.wasm') },
  { what: 'dist/plumecast-encoder.wasm', limit: 4_000, bytes: await readFile('dist/plumecast-encoder.wasm') },
  { what: 'dist/plumecast-skill.wasm', limit: 30_000, bytes: await readFile('dist/plumecast-skill.wasm') },
  {
    what: "import { statistics } from 'plumecast', without apache-arrow and the module",
    limit: 35_720,
    bytes: await bundle("export { statistics } from './dist/index.js'"),
  },
  {
    what: "statistics of columns of 'plumecast/arrays', without the module",
    limit: 11_110,
    bytes: await bundle(`export { ${ARRAYS} } from './dist/arrays.js'`),
  },
  {
    what: "import { loadCore, memberWindows, statistics } from 'plumecast/arrays', without the module",
    limit: 16_560,
    bytes: await bundle("export { loadCore, memberWindows, statistics } from './dist/arrays.js'"),
  },
  {
    what: "the same with blend of 'plumecast/arrays'",
    limit: 34_050,
    bytes: await bundle("export { blend, loadCore, memberWindows, statistics } from './dist/arrays.js'"),
  },
  {
    what: "import { definePlumeChart } from 'plumecast/element': what it loads before it has data",
    limit: 24_850,
    bytes: await bundle("export * from './dist/element.js'"),
  },
  {
    what: 'plume-chart of results, beyond statistics of plumecast and apache-arrow',
    limit: 30_000,
    bytes: await bundle(`${CHART}; ${CORE}`, [withoutLazy]),
    less: await bundle(CORE, [withoutLazy]),
  },
  {
    what: 'dist/bundle.js: all in one file, with apache-arrow',
    limit: 323_000,
    bytes: await readFile('dist/bundle.js'),
  },
  {
    what: 'the explorer, without readers of files',
    limit: 300_000,
    bytes: await page('dist/explorer'),
  },
];

let failed = false;
for (const { what, limit, bytes, less = [] } of limits) {
  const sizeOf = (parts) => [parts].flat().reduce((sum, each) => sum + gzipSync(each, { level: 9 }).length, 0);
  const size = sizeOf(bytes) - sizeOf(less);
  if (size > limit) failed = true;
  console.log(`${size > limit ? 'too large' : 'ok'}: ${what}: ${kilobytes(size)} of at most ${kilobytes(limit)}`);
}
process.exitCode = failed ? 1 : 0;

/** All files that a page loads at once, without dynamic imports, which `splitting` puts into other files. */
async function bundle(contents, plugins = []) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    write: false,
    logLevel: 'error',
    format: 'esm',
    platform: 'browser',
    outdir: 'build/size',
    packages: 'external',
    external: ['#wasm'],
    plugins,
  });
  const eager = new Set();
  const follow = (path) => {
    if (eager.has(path)) return;
    eager.add(path);
    for (const { path: to, kind } of metafile.outputs[path].imports) {
      if (kind === 'import-statement' && to in metafile.outputs) follow(to);
    }
  };
  follow('build/size/stdin.js');
  const chunks = outputFiles.filter(({ path }) => [...eager].some((name) => path.replaceAll('\\', '/').endsWith(name)));
  return Buffer.concat(chunks.map(({ contents }) => contents));
}

/** All files that a page loads to show its first view: those that its script imports, and the core. */
async function page(folder) {
  const loaded = new Map();
  const follow = async (path) => {
    if (loaded.has(path)) return;
    const bytes = await readFile(path);
    loaded.set(path, bytes);
    if (!path.endsWith('.js')) return;
    const text = bytes.toString();
    const isFirst = (name) => /\/wasm-bytes-/.test(name);
    const imports = [...text.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)].map(([, name]) => name);
    const dynamic = [...text.matchAll(/import\("(\.[^"]+)"\)/g)].map(([, name]) => name).filter(isFirst);
    for (const name of [...imports, ...dynamic]) await follow(join(dirname(path), name));
  };
  for (const name of ['index.html', 'explorer.css', 'icon.svg', 'explorer.js']) await follow(join(folder, name));
  return [...loaded.values()];
}

function kilobytes(size) {
  return `${(size / 1000).toFixed(1)} kB gzipped`;
}
