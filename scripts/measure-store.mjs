/**
 * Builds a store of a global grid, and reports what it takes: three horizons to day 214, temperature and rain, from GRIB
 * that ecCodes packs with noise as forecasts have it:
 *
 *   node scripts/measure-store.mjs [DEGREES] [MEMBERS] [HORIZONS] [OPTIONS...]     by default 1, 31 and all three
 *
 * OPTIONS are of `plumecast ingest`. PLUMECAST_PYTHON names a Python with eccodes and numpy. Each horizon is read and decoded alone, then ingested into
 * a new store, then all are ingested at once, and the first once more. Values of some places are compared with the files.
 * TMPDIR needs some twice the bytes of the inputs: 2.2 GB at 1 degree.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gridEnsemble } from '../dist/files.js';
import { openArrays } from '../dist/files-node.js';
import { loadCore } from '../dist/index.js';
import { openStore } from '../dist/service-node.js';

const HORIZONS = {
  'short-term': { days: 15, bits: 16 },
  subseasonal: { days: 46, bits: 14 },
  seasonal: { days: 215, bits: 12 },
};
const VARIABLES = { temperature: 'temp_mean', rain: 'precipitation' };
const CLI = resolve('dist/cli.js');
/** Writes what a process took to standard error when it ends. */
const USAGE =
  'import{writeSync}from"node:fs";process.on("exit",()=>writeSync(2,"\\n"+JSON.stringify(process.resourceUsage())))';
const SELF = fileURLToPath(import.meta.url);

if (process.argv[2] === 'read') await readAll(process.argv.slice(3));
else await measure(process.argv.slice(2));

/** Reads and decodes files, as an ingest does, and nothing else. */
async function readAll(paths) {
  const core = await loadCore();
  for (const path of paths) {
    const file = await openArrays(path);
    const ensemble = await gridEnsemble(file);
    for (const block of ensemble.blocks(134_217_728, [])) {
      const mark = core.memory.mark();
      await ensemble.read(block, core);
      core.memory.release(mark);
    }
    await file.close();
  }
}

async function measure([degrees = '1', members = '31', names = Object.keys(HORIZONS).join(), ...options]) {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-measure-store-'));
  try {
    console.log(
      `${degrees} degrees, ${members} members; ${cpus().length} x ${cpus()[0].model.trim()}, Node ${process.version}`,
    );
    const horizons = names.split(',');
    for (const [h, name] of horizons.entries()) {
      const { days, bits } = HORIZONS[name];
      const script = fileURLToPath(new URL('write_forecast_grib.py', import.meta.url));
      const args = [folder, name, degrees, members, 0, days, bits, h + 1].map(String);
      const made = spawnSync(process.env.PLUMECAST_PYTHON ?? 'python3', [script, ...args], { stdio: 'inherit' });
      if (made.status !== 0) throw new Error(`${name}: the files were not written`);
    }
    const filesOf = (name) => Object.keys(VARIABLES).map((variable) => join(folder, `${name}-${variable}.grib2`));
    const optionsOf = (name) => [`--${name}`, ...filesOf(name)];
    const ingest = (store, args) => run([CLI, 'ingest', '-q', '--store', join(folder, store), ...args, ...options]);
    for (const name of horizons) {
      const files = filesOf(name);
      const read = run([SELF, 'read', ...files]);
      const { days } = HORIZONS[name];
      console.log(`\n${name}, ${days} days: ${megabytes(files.map((file) => statSync(file).size))} of GRIB`);
      report('read and decoded alone', read);
      const taken = ingest(`only-${name}`, optionsOf(name));
      report('ingested alone', taken, read);
    }
    const all = ingest('store', horizons.flatMap(optionsOf));
    report('\nall at once, with the timeline', all);
    for (const [part, bytes] of bytesOfParts(join(folder, 'store'))) console.log(`  ${part}: ${megabytes([bytes])}`);
    report('the first horizon again, with the timeline', ingest('store', [...optionsOf(horizons[0]), '--replace']));
    await compare(join(folder, 'store'), horizons, filesOf);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a script, and returns what it took: seconds of processor and of the clock, and the most memory. */
function run(args) {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--import', `data:text/javascript,${USAGE}`, ...args], {
    encoding: 'utf8',
  });
  const lines = stderr.trim().split('\n');
  if (status !== 0) throw new Error(stderr);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(lines[lines.length - 1]);
  return { processor: (userCPUTime + systemCPUTime) / 1e6, clock: (performance.now() - began) / 1000, maxRSS };
}

function report(what, { processor, clock, maxRSS }, other) {
  const ratio = other === undefined ? '' : `, ${(processor / other.processor).toFixed(2)} times reading`;
  const memory = `${Math.round(maxRSS / 1024)} MiB at most`;
  console.log(`${what}: ${processor.toFixed(1)} s of processor, ${clock.toFixed(1)} s of the clock, ${memory}${ratio}`);
}

function megabytes(bytes) {
  return `${(bytes.reduce((a, b) => a + b, 0) / 1e6).toFixed(1)} MB`;
}

function bytesOfParts(store) {
  const parts = new Map();
  for (const name of readdirSync(store, { recursive: true })) {
    const [, , part, file] = name.split('/');
    if (!file?.endsWith('.blocks')) continue;
    const key = `${part} ${file.split('-')[0]}`;
    parts.set(key, (parts.get(key) ?? 0) + statSync(join(store, name)).size);
  }
  return parts;
}

/** Throws where places of a store have other values than the files. */
async function compare(dir, horizons, filesOf) {
  const core = await loadCore();
  const store = await openStore(dir);
  const { forecast } = await store.snapshot();
  let values = 0;
  for (const name of horizons) {
    const { data } = forecast.horizons[name];
    for (const path of filesOf(name)) {
      const file = await openArrays(path);
      const ensemble = await gridEnsemble(file);
      const { slug } = ensemble.variable;
      const { days, members } = data.variables.get(slug);
      const into = new Float32Array(days * members);
      for (let i = 0; i < 8; i++) {
        const cell = Math.floor(((i + 0.5) * ensemble.cells) / 8);
        await data.read(slug, cell, into);
        const mark = core.memory.mark();
        const { field } = await ensemble.read({ cell, cells: 1, day: 0, days: ensemble.days }, core);
        for (let m = 0; m < members; m++) {
          for (let day = 0; day < days; day++, values++) {
            const [is, expected] = [into[m * days + day], Math.fround(field.members[m].value(day))];
            if (!Object.is(is, expected))
              throw new Error(`${name} ${slug}, cell ${cell}: ${is} in place of ${expected}`);
          }
        }
        core.memory.release(mark);
      }
      await file.close();
    }
  }
  await store.close();
  console.log(`\n${values} values of some places are the same as in the files`);
}
