/**
 * Reads a point of all members and steps from a repository of Icechunk with the layout of dynamical.org's 35-day GEFS, over
 * HTTP from this machine with a delay before each response, and prints requests, bytes and times beside
 *
 * - what is necessary: the same objects and ranges, requested in the stages in which each is known, 16 at a time, and the
 *   chunks alone;
 * - zarr-python with icechunk, and xarray on them, in one process that is warm, by the Python of PLUMECAST_PYTHON_ICECHUNK.
 *
 * Usage, after a build: node bench/icechunk.mjs
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { tableAtPoint } from '../dist/files.js';
import { openArrays } from '../dist/files-node.js';
import { loadCore } from '../dist/index.js';

const [DELAY_MS, MEMBERS, RUNS, LATITUDES, LONGITUDES] = [30, 31, 1, 34, 32];
const POINT = { latitude: 57.3, longitude: 8.6 };
/** The first rounds wait for code to be compiled. */
const ROUNDS = 20;
const PYTHON = process.env.PLUMECAST_PYTHON_ICECHUNK ?? 'python3.13';

const folder = await mkdtemp(join(tmpdir(), 'plumecast-bench-'));
const repository = join(folder, 'gefs.icechunk');
const writer = new URL('../test/files/icechunk/dynamical.py', import.meta.url).pathname;
const sizes = [MEMBERS, RUNS, LATITUDES, LONGITUDES].map(String);
const noisy = { env: { ...process.env, NOISE: '1' } };
const written = spawnSync(PYTHON, ['-W', 'ignore', writer, repository, '2', ...sizes], noisy);

if (written.status !== 0) throw new Error(`${PYTHON} with icechunk, zarr and pandas is needed: ${written.stderr}`);

const requests = [];
const server = createServer(async ({ url, headers }, response) => {
  const begun = performance.now();
  const path = join(folder, decodeURIComponent(url));
  const size = (await stat(path).catch(() => undefined))?.size;
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
  if (size === undefined) {
    requests.push({ url, bytes: 0, begun });
    return response.writeHead(404).end();
  }
  const start = from === undefined ? 0 : from === '' ? size - Number(to) : Number(from);
  const end = from && to ? Math.min(size, Number(to) + 1) : size;
  const file = await open(path);
  const bytes = Buffer.alloc(end - start);
  await file.read(bytes, 0, bytes.length, start);
  await file.close();
  requests.push({ url, bytes: bytes.length, begun, range: headers.range });
  const range = from === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${size}` };
  response
    .writeHead(from === undefined ? 200 : 206, { 'content-length': bytes.length, etag: '"1"', ...range })
    .end(bytes);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${server.address().port}/gefs.icechunk`;

/** The best and the middle time of some rounds, and what was requested in the last one. */
async function measured(what, run) {
  const times = [];
  let found;
  for (let round = 0; round < ROUNDS; round++) {
    requests.length = 0;
    const begun = performance.now();
    found = await run();
    times.push(performance.now() - begun);
  }
  const [best, middle] = times.sort((a, b) => a - b).filter((_, i) => i === 0 || i === ROUNDS / 2);
  const bytes = requests.reduce((sum, request) => sum + request.bytes, 0);
  const took = `${best.toFixed(0)} ms, in the middle ${middle.toFixed(0)}`;
  console.log(`${what}: ${requests.length} requests, ${(bytes / 1000).toFixed(0)} kB, ${took}`);
  return { bytes, best, middle, found, requests: [...requests] };
}

const core = await loadCore();
const ours = await measured('plumecast, opening and daily members at the point', async () => {
  const file = await openArrays(address);
  const { table } = await tableAtPoint(core, file, { variable: 'temp_mean', point: POINT });
  return table.numRows;
});
const begun = ours.requests[0].begun;
if (process.argv.includes('--requests'))
  for (const { url, bytes, range = '', begun: at } of ours.requests.sort((a, b) => a.begun - b.begun))
    console.log(`  ${(at - begun).toFixed(0).padStart(5)} ms ${String(bytes).padStart(8)} ${url.slice(15)} ${range}`);

/** Requests objects at once; bodies are read to their end. */
const get = (some) =>
  Promise.all(
    some.map(async ({ url, range }) => {
      const response = await fetch(new URL(url, address), { headers: range ? { range } : {} });
      await response.arrayBuffer();
    }),
  );
const isChunk = ({ url, bytes }) => url.includes('/chunks/') && bytes > 20_000;
const chunks = ours.requests.filter(isChunk);
const alone = await measured('the chunks alone, at once', () => get(chunks));
const stages = [/\/(repo|refs\/.*)$/, /\/snapshots\//, /\/manifests\//].map((which) =>
  ours.requests.filter(({ url }) => which.test(url)),
);
const small = ours.requests.filter((request) => request.url.includes('/chunks/') && !isChunk(request));
const staged = await measured('all that is necessary, stage by stage', async () => {
  for (const stage of [...stages, small, chunks]) if (stage.length > 0) await get(stage);
});
console.log(
  `bytes: ${(ours.bytes / alone.bytes).toFixed(2)} times the chunks; time: ${(ours.best / staged.best).toFixed(2)} times the stages, in the middle ${(ours.middle / staged.middle).toFixed(2)}`,
);

const SCRIPT = `
import sys, time, warnings; warnings.simplefilter('ignore')
import icechunk as ic, zarr, xarray as xr
url, latitude, longitude = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
def by_zarr():
    session = ic.Repository.open(ic.http_storage(url)).readonly_session('main')
    group = zarr.open_group(session.store, mode='r')
    lat, lon = group['latitude'][...], group['longitude'][...]
    group['init_time'][...], group['lead_time'][...]
    return group['temperature_2m'][0, :, :, abs(lat - latitude).argmin(), abs(lon - longitude).argmin()].shape
def by_xarray():
    session = ic.Repository.open(ic.http_storage(url)).readonly_session('main')
    data = xr.open_zarr(session.store, consolidated=False, decode_timedelta=True)
    cell = data.temperature_2m.isel(init_time=0).sel(latitude=latitude, longitude=longitude, method='nearest')
    return cell.load().shape
print('ready', flush=True)
for line in sys.stdin:
    run = by_zarr if line.strip() == 'zarr' else by_xarray
    begun = time.perf_counter(); run(); print((time.perf_counter() - begun) * 1000, flush=True)
`;
const python = spawn(PYTHON, ['-W', 'ignore', '-c', SCRIPT, `${address}/`, POINT.latitude, POINT.longitude], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
/** The next line that a run prints; icechunk writes its log there, too. */
const printed = async () => {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error('Python ended');
    if (/^(ready|[\d.]+)$/.test(value)) return value;
  }
};
await printed();
for (const [name, what] of [
  ['zarr', 'zarr-python with icechunk, opening and the point'],
  ['xarray', 'xarray with icechunk, opening and the point'],
]) {
  await measured(what, async () => {
    python.stdin.write(`${name}\n`);
    return printed();
  });
}
python.stdin.end();
server.closeAllConnections();
server.close();
await rm(folder, { recursive: true });
