/**
 * Measures a store beside a Zarr 3 store that is sharded by place, as zarr-python writes and reads it: the bytes of a
 * variable, and the time for all values of a random point:
 *
 *   node scripts/measure-zarr.mjs STORE [PLACES]     by default 8192 places of each variable of the longest horizon
 *
 * PLUMECAST_PYTHON names a Python with numpy and zarr.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '../dist/service-node.js';

const [path, most = '8192'] = process.argv.slice(2);
const READS = 2000;
const python = process.env.PLUMECAST_PYTHON ?? 'python3';
const script = fileURLToPath(new URL('zarr_points.py', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'plumecast-zarr-'));
const store = await openStore(path);
try {
  const { forecast } = await store.snapshot();
  const [name, { data }] = Object.entries(forecast.horizons).at(-1);
  const count = Math.min(Number(most), data.places.latitude.length);
  for (const [slug, { days, members }] of data.variables) {
    const values = new Float32Array(days * members);
    const raw = join(folder, `${slug}.raw`);
    const file = openSync(raw, 'w');
    for (let cell = 0; cell < count; cell++) {
      await data.read(slug, cell, values);
      writeSync(file, values);
    }
    closeSync(file);
    const times = [];
    for (let i = 0; i < READS; i++) {
      const began = performance.now();
      await data.read(slug, (i * 7919) % count, values);
      times.push(performance.now() - began);
    }
    const microseconds = 1000 * times.sort((a, b) => a - b)[READS / 2];
    console.log(
      `${name} ${slug}, ${count} places of ${members} members and ${days} days, ${4 * values.length} bytes each`,
    );
    const bytes = bytesOf(name, slug) / data.places.latitude.length;
    console.log(`  plumecast: ${microseconds.toFixed(1)} us a point, ${Math.round(bytes)} bytes a place`);
    const { status } = spawnSync(python, [script, raw, ...[count, members, days].map(String)], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`${script} failed`);
    rmSync(raw);
  }
} finally {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The bytes of the newest file of a variable. */
function bytesOf(part, slug) {
  const files = readdirSync(path, { recursive: true }).filter((file) => file.includes(`/${part}/${slug}-`));
  return statSync(join(path, files.sort().at(-1))).size;
}
