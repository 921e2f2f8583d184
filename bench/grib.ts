import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GribKernels, takeGribKernels } from '../src/core/grib-kernels.js';
import { bytesAccess } from '../src/files/array/random-access.js';
import { countPoints, readGrib2Values } from '../src/files/grib/packing/grib2-values.js';
import { scanMessages } from '../src/files/grib/scan-messages.js';
import { run } from './measured-run.js';

const PYTHON = process.env.PLUMECAST_BENCH_PYTHON ?? 'python3';
const SCRIPT = fileURLToPath(new URL('../../bench/native/grib.py', import.meta.url));
/** Turns, in each of which both run for a part of the rounds. */
const TURNS = 3;

/**
 * Fields of GRIB2 from bytes to values of float64, on one core: plumecast beside ecCodes through Python, a temperature
 * of 1,038,240 points in each packing. Each figure is the best of several rounds, taken in turn. Python (`python3`, or
 * PLUMECAST_BENCH_PYTHON) with eccodes makes the fields; without it a line says so.
 */
export async function gribReport(rounds: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-grib-'));
  try {
    try {
      run(PYTHON, [SCRIPT, 'make', folder]);
    } catch (error) {
      return `GRIB: not measured, because ${PYTHON} with eccodes is needed (${String(error).trim().split('\n').at(-1)})`;
    }
    const tools = await takeGribKernels();
    const lines = [
      '| packing | bytes | plumecast | ecCodes through Python | plumecast takes |',
      '| --- | ---: | ---: | ---: | ---: |',
    ];
    for (const name of readdirSync(folder).sort()) lines.push(await packingLine(tools, join(folder, name), rounds));
    return lines.join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function packingLine(tools: GribKernels, path: string, rounds: number): Promise<string> {
  const bytes = readFileSync(path);
  const part = Math.ceil(rounds / TURNS);
  let [own, theirs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let turn = 0; turn < TURNS; turn++) {
    for (let round = 0; round < part; round++) own = Math.min(own, await unpack(tools, bytes));
    theirs = Math.min(theirs, Number(run(PYTHON, [SCRIPT, 'read', String(part), path]).out));
  }
  const cells = [`${own.toFixed(1)} ms`, `${theirs.toFixed(1)} ms`, `${(own / theirs).toFixed(2)} of it`];
  return `| ${[basename(path, '.grib2'), bytes.length, ...cells].join(' | ')} |`;
}

/** Unpacks all fields of a file, and returns the milliseconds. */
async function unpack(tools: GribKernels, bytes: Uint8Array): Promise<number> {
  const started = performance.now();
  const access = bytesAccess(bytes, 'field');
  for await (const field of scanMessages(access)) {
    if (field.kind !== 'field' || field.edition === 1) throw new Error('no field of edition 2');
    const values = new Float64Array(countPoints(field));
    await readGrib2Values(tools, access, field, {}, { from: 0, to: values.length }, values);
  }
  return performance.now() - started;
}
