/**
 * Counts the source files and functions that a value passes through, by V8's precise coverage: how long the walk is
 * that somebody takes who follows it.
 *
 *     node scripts/measure-walks.mjs [--package FOLDER] [--only TEXT] [--list]
 *
 * `--package` is a checkout with a built `dist/`, by default this one: its sources are turned into JavaScript, file by
 * file, so that each script that runs is one source file. `--only` takes the walks whose names have a text in them,
 * `--list` shows their files, each with the number of its functions.
 *
 * Each walk is taken some times before it is counted: what is prepared, loaded or compiled once is not part of it.
 * Statements at the top of a file are no function. What the libraries do, and threads, is not counted.
 */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const { values: options } = parseArgs({
  options: {
    package: { type: 'string', default: resolve(import.meta.dirname, '..') },
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
  },
});

/** How often a walk is taken before it is counted: a plan is prepared, stores and keys are looked at again. */
const WARM_UPS = 10;

const root = resolve(options.package);
const scripts = join(root, 'build/walks');
await writeScripts();
const load = (path) => import(pathToFileURL(join(scripts, path)).href);
const folder = await mkdtemp(join(tmpdir(), 'plumecast-walks-'));
try {
  const walks = [...(await fileWalks()), ...(await requestWalks())].filter(({ name }) => name.includes(options.only));
  for (const walk of walks) await measure(walk);
} finally {
  await rm(folder, { recursive: true });
}
process.exit(); // Whatever a walk has left open.

/** Turns each source file into a script; only files of JSON become part of the scripts that import them. */
async function writeScripts() {
  await build({
    absWorkingDir: root,
    entryPoints: ['src/**/*.ts'],
    outdir: scripts,
    outbase: 'src',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'file by file',
        setup({ onResolve }) {
          onResolve({ filter: /^\.{1,2}\/|^#/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.endsWith('.json') ? undefined : { path, external: true },
          );
        },
      },
    ],
  });
}

async function measure({ name, take }) {
  for (let i = 0; i < WARM_UPS; i++) await take();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await take();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const files = new Map();
  for (const { url, functions } of result) {
    if (!url.startsWith('file:') || relative(scripts, fileURLToPath(url)).startsWith('..')) continue;
    const isScript = ({ functionName, ranges: [{ startOffset }] }) => functionName === '' && startOffset === 0;
    const called = functions.filter((one) => one.ranges[0].count > 0 && !isScript(one));
    if (called.length > 0) files.set(relative(scripts, fileURLToPath(url)).replace(/\.js$/, '.ts'), called.length);
  }
  const count = [...files.values()].reduce((sum, functions) => sum + functions, 0);
  console.log(`${name.padEnd(48)} ${String(files.size).padStart(4)} files ${String(count).padStart(5)} functions`);
  if (!options.list) return;
  for (const [file, functions] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${file} ${functions}`);
}

/** Files to statistics: as the command reads them, and as a caller of the library does. */
async function fileWalks() {
  const [{ findVariable, loadCore, statistics }, { encodeTables, readTable, encodeTable }, { demoTable }, { run }] =
    await Promise.all(['index.js', 'files/index.js', 'demo/index.js', 'cli/run-files.js'].map(load));
  const { statisticsOfInput } = await loadNamed('statistics-of-input.js');
  const core = await loadCore();
  const locations = Array.from({ length: 62 }, (_, i) => ({
    latitude: 37 + Math.floor(i / 6) / 4,
    longitude: -80 + (i % 6) / 4,
  }));
  const table = demoTable('precipitation', { days: 180, members: 31, locations });
  const [csv, netcdf, parquet] = ['csv', 'nc', 'parquet'].map((ending) => join(folder, `rain.${ending}`));
  await writeFile(csv, await encodeTable(table, 'csv'));
  for (const path of [netcdf, parquet]) {
    const code = await run(['convert', csv, path, '--variable', 'precipitation', '--quiet']);
    if (code !== 0) throw new Error(`${path} is not written`);
  }
  const bytes = await readFile(parquet);
  const megabytes = ((await stat(csv)).size / 1e6).toFixed(1);
  const variable = findVariable('precipitation');
  const request = { statistics: { granularity: 'weekly', variable }, values: {}, threads: 1 };
  const tablesOf = (path) => statisticsOfInput(core, path, request, () => {});
  return [
    { name: `CSV of ${megabytes} MB to statistics`, take: () => consume(tablesOf(csv)) },
    { name: 'NetCDF to CSV', take: () => consume(encodeTables(tablesOf(netcdf), 'csv')) },
    {
      name: 'Parquet bytes to statistics',
      take: async () => statistics(core, await readTable(bytes), { granularity: 'weekly' }),
    },
  ];
}

/** The module of a file that no entry point exports, in whatever folder it is. */
async function loadNamed(name) {
  const found = (await readdir(scripts, { recursive: true })).find((path) => basename(path) === name);
  if (found === undefined)
    throw new Error(`src/ has no ${name} any more: say in scripts/measure-walks.mjs what is in its place`);
  return load(found);
}

async function consume(iterable) {
  let count = 0;
  for await (const _ of iterable) count++;
  if (count === 0) throw new Error('nothing came out');
}

/** Requests for weekly statistics of a point, from a store in a folder, as listeners pass them on. */
async function requestWalks() {
  const [{ createAnswers, createHandler }, { beginUpdate, openStore }] = await Promise.all(
    ['service/index.js', 'service/node.js'].map(load),
  );
  const store = join(folder, 'store');
  const update = await beginUpdate(store);
  const axis = { firstDay: 20_514, days: 215, members: 31 };
  update.setForecast({ initTime: '2026-03-02T00:00:00Z', version: 'v', generation: 'g', horizonInitTimes: {} });
  await update.write('timeline', {
    ...{ slug: 'precipitation', units: 'mm', axis },
    places: { latitude: Float64Array.of(37.25, 37.5), longitude: Float64Array.of(-80, -80) },
    blocks: [Float32Array.from({ length: 2 * axis.days * axis.members }, (_, i) => (i * 7) % 40)],
  });
  await update.commit();
  const keys = { find: () => ({ id: 'k', owner: 'walks', downscaling: false }) };
  const asker = async (more) => {
    const handler = createHandler({ source: await openStore(store), keys, ...more });
    let hundredths = 20;
    return async () => {
      const query = `lat=37.${++hundredths}&lon=-80&var=precipitation&granularity=weekly`;
      const header = (name) => (name === 'x-api-key' ? 'a key' : null);
      const { status } = await handler.reply({ method: 'GET', path: '/v2/forecast/statistics', query, header });
      if (status !== 200) throw new Error(`${query}: status ${status}`);
    };
  };
  return [
    {
      name: 'the usual way of /v2/forecast/statistics',
      // Nothing is prepared for answers that are not the service's own.
      take: await asker({ answers: createAnswers() }),
    },
    { name: 'the prepared way of /v2/forecast/statistics', take: await asker({}) },
  ];
}
