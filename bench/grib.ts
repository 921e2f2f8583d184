/**
 * Fields of GRIB2 from bytes to values of float64, on one core: plumecast beside ecCodes through Python.
 *
 *   node build/bench/grib.js [ROUNDS] [FOLDER]
 *
 * A temperature of 1,038,240 points in each packing. Each figure is the best of several rounds, taken in turn. Python
 * (`python3`, or PLUMECAST_BENCH_PYTHON) with eccodes makes the files; files that exist in FOLDER are used again.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeGribKernels } from '../src/core/grib-kernels.js';
import { bytesAccess } from '../src/files/array/random-access.js';
import { scanMessages } from '../src/files/grib/scan-messages.js';
import { countPoints, readFieldValues } from '../src/files/grib/unpack-field.js';
import { run } from './measured-run.js';

const PYTHON = process.env.PLUMECAST_BENCH_PYTHON ?? 'python3';
const SCRIPT = fileURLToPath(new URL('../../bench/native/grib.py', import.meta.url));
/** Turns, in each of which both run for a part of the rounds. */
const TURNS = 3;
const [rounds = '30', given] = process.argv.slice(2);
const folder = given ?? mkdtempSync(join(tmpdir(), 'plumecast-grib-'));
const tools = await takeGribKernels();

/** Unpacks all fields of a file, and returns the milliseconds. */
async function unpack(bytes: Uint8Array): Promise<{ milliseconds: number }> {
  const started = performance.now();
  const access = bytesAccess(bytes, 'field');
  let values = new Float64Array(0);
  for await (const field of scanMessages(access)) {
    if (field.kind === 'fault' || field.edition === 1) throw new Error('no field of edition 2');
    values = new Float64Array(countPoints(field));
    await readFieldValues(tools, access, field, values);
  }
  return { milliseconds: performance.now() - started };
}

mkdirSync(folder, { recursive: true });
try {
  if (!readdirSync(folder).some((name) => name.endsWith('.grib2'))) run(PYTHON, [SCRIPT, 'make', folder]);
  const paths = readdirSync(folder).map((name) => join(folder, name));
  console.log(`${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}, Node ${process.version}\n`);
  console.log('| packing | bytes | plumecast | ecCodes through Python | plumecast takes |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const path of paths.sort()) {
    const bytes = readFileSync(path);
    let [own, theirs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const part = Math.ceil(Number(rounds) / TURNS);
    for (let turn = 0; turn < TURNS; turn++) {
      for (let round = 0; round < part; round++) own = Math.min(own, (await unpack(bytes)).milliseconds);
      theirs = Math.min(theirs, Number(run(PYTHON, [SCRIPT, 'read', String(part), path]).out));
    }
    const cells = [`${own.toFixed(1)} ms`, `${theirs.toFixed(1)} ms`, `${(own / theirs).toFixed(2)} of it`];
    console.log(`| ${[basename(path, '.grib2'), bytes.length, ...cells].join(' | ')} |`);
  }
} finally {
  if (given === undefined) rmSync(folder, { recursive: true });
}
