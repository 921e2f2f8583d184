import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import manifest from './package.json' with { type: 'json' };

/** What the command carries in itself: one script starts several times faster than hundreds of modules. */
const BUNDLED = [
  ...['apache-arrow', 'flatbuffers', 'tslib', '@hono/node-server', 'hyparquet'],
  ...['d3-scale', 'd3-shape', 'd3-array', 'd3-format', 'd3-interpolate', 'd3-color', 'd3-path', 'd3-time'],
  ...['d3-time-format', 'internmap', 'd3-geo', 'd3-scale-chromatic', 'topojson-client', 'fflate', 'world-atlas'],
];

const common: Options = {
  format: 'esm',
  target: 'es2022',
  silent: true,
  // '#wasm' and the others stay imports of the package itself, so that whoever loads it applies the conditions of package.json.
  external: [
    '#wasm',
    '#table-wasm',
    '#grib-wasm',
    '#pool-worker',
    '#inflate',
    '#openjpeg',
    './plumecast.wasm',
    './plumecast-table.wasm',
    './plumecast-grib.wasm',
    /^node:/,
    ...Object.keys(manifest.optionalDependencies),
  ],
  loader: { '.wasm': 'base64' },
};

/** The entry point that has all in one file. */
const BUNDLE = './dist/bundle.js';

/** The entry points: each of `exports` in package.json is built from the source that its types are of. */
const entries = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string' || target.default === BUNDLE
    ? []
    : [[basename(target.default, '.js'), target.types.replace('./dist/types/', 'src/').replace('.d.ts', '.ts')]],
);

/** Modules that the package loads itself, by the conditions of `imports` in package.json or as a worker. */
const internal = [
  'core/wasm-bytes',
  'core/wasm-bytes.node',
  'core/wasm-module',
  'core/table-wasm-bytes',
  'core/table-wasm-bytes.node',
  'core/table-wasm-module',
  'core/grib-wasm-bytes',
  'core/grib-wasm-bytes.node',
  'core/grib-wasm-module',
  'threads/start-worker',
  'threads/start-worker.node',
  'threads/start-no-worker',
  'files/codecs/inflate',
  'files/codecs/inflate.node',
  'files/grib/packing/openjpeg',
  'files/grib/packing/openjpeg.node',
  'batch/batch-worker',
].map((path) => [basename(path), `src/${path}.ts`]);

/** In one file, the modules that the package loads by the conditions of package.json are those of browsers. */
const ownImports: Plugin = {
  name: 'own-imports',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^#/ }, ({ path }) => {
      const [name] = basename(manifest.imports[path as keyof typeof manifest.imports].default).split('.', 1);
      const [, source] = internal.find(([known]) => known === name) as string[];
      return { path: resolve(source) };
    });
  },
};

export default defineConfig([
  {
    ...common,
    entry: Object.fromEntries([...entries, ...internal]),
    platform: 'neutral',
    splitting: true,
    onSuccess: async () => {
      for (const name of ['plumecast', 'plumecast-table', 'plumecast-grib'])
        await copyFile(`build/${name}.wasm`, `dist/${name}.wasm`);
    },
  },
  {
    ...common,
    // The thread shares the command's modules, which contain Arrow.
    entry: { cli: 'src/cli/main.ts', 'parts-worker.node': 'src/files/parts-worker.node.ts' },
    platform: 'node',
    noExternal: BUNDLED,
    splitting: true,
    esbuildOptions: (options) => {
      // Comments and spaces take a third of the time that modules need to load; names stay for stack traces.
      options.minifyWhitespace = true;
      options.minifySyntax = true;
    },
    onSuccess: async () => {
      await writeLicences();
      await copyApiReference();
    },
  },
  {
    ...common,
    entry: { bundle: 'src/bundle.ts' },
    platform: 'browser',
    external: [],
    noExternal: [/.*/],
    minify: true,
    splitting: false,
    esbuildPlugins: [ownImports],
  },
]);

/** Swagger UI, which `plumecast serve` shows at /docs. */
async function copyApiReference(): Promise<void> {
  await mkdir('dist/api-reference', { recursive: true });
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']) {
    const ending = name.includes('.') ? '' : '.txt';
    await copyFile(`node_modules/swagger-ui-dist/${name}`, `dist/api-reference/${name}${ending}`);
  }
}

/** The licences of what the command and the bundle contain, as they ask for. */
async function writeLicences(): Promise<void> {
  const texts = [...BUNDLED, 'fzstd'].map(async (name) => {
    const folder = `node_modules/${name}`;
    const file = (
      await readFile(`${folder}/LICENSE`, 'utf8').catch(() => readFile(`${folder}/LICENSE.txt`, 'utf8'))
    ).trim();
    const notice = await readFile(`${folder}/NOTICE.txt`, 'utf8').catch(() => '');
    return `# ${name}\n\n${file}\n${notice && `\n${notice.trim()}\n`}`;
  });
  await writeFile('dist/cli-licenses.txt', (await Promise.all(texts)).join('\n\n'));
}
