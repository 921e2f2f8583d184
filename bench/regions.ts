/**
 * Measures points and regions of a file of arrays beside one pass over it.
 *
 *   npm run bench:regions -- FILE --regions FILE | --points FILE
 *
 * Where PLUMECAST_BENCH_PYTHON names a Python, `regions-beside.py` does the same afterwards by xarray, exactextract and
 * CDO, which reads files whose first dimension is time; it also makes files for both.
 */
import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { type Core, loadCore } from '../src/core/load.js';
import { cellsOfGrid } from '../src/ensemble/grid.js';
import { cellShapes } from '../src/files/cf/cells/cell-shapes.js';
import type { GridEnsemble } from '../src/files/cf/grid-ensemble.js';
import { gridEnsemble } from '../src/files/cf/open-grid-ensemble.js';
import { areasOfCells, regionWeights } from '../src/files/cf/weights/region-weights.js';
import { openArrayPath } from '../src/files/open-source.node.js';
import type { GeoObject } from '../src/files/places/geo-json.js';
import { regionList } from '../src/files/regions/region-list.js';
import { readInput } from '../src/input/input-file.js';
import { openGrid } from '../src/input/open-grid.js';

const TURNS = 5;
const BYTES = 268_435_456;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { regions: { type: 'string' }, points: { type: 'string' } },
});
const [path] = positionals;
const core = await loadCore();
const arrays = await openArrayPath(path, { source: path });
const input = { kind: 'arrays' as const, source: path, report: () => {}, arrays, close: () => arrays.close() };

const grid = await gridEnsemble(arrays);
const best: Record<string, number> = {};
/** On a busy machine the time of its processors shows more than the clock. */
const cpu: Record<string, number> = {};
const take = async (name: string, run: () => unknown) => {
  const [begin, used] = [performance.now(), process.cpuUsage()];
  await run();
  const { user, system } = process.cpuUsage(used);
  best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, performance.now() - begin);
  cpu[name] = Math.min(cpu[name] ?? Number.POSITIVE_INFINITY, (user + system) / 1000);
};
for (let turn = 0; turn < TURNS; turn++) {
  await take('one pass over the file', () => readAll(core, grid));
  if (values.regions !== undefined) {
    const regions = regionList(JSON.parse(new TextDecoder().decode(await readInput(values.regions))) as GeoObject);
    await take('weights of regions', async () => {
      regionWeights(areasOfCells(await cellShapes(grid.grid, path)), cellsOfGrid(grid.grid), regions, path);
    });
  }
  let places: GridEnsemble | undefined;
  await take('opening, with weights', async () => {
    // Points are read once for an input.
    places = await openGrid({ ...input }, { values });
  });
  await take('the pass over places', () => readAll(core, places as GridEnsemble));
}
for (const [name, milliseconds] of Object.entries(best))
  console.log(`${name}: ${Math.round(milliseconds)} ms, of processors ${Math.round(cpu[name])} ms`);
for (const [what, times] of Object.entries({ clock: best, processors: cpu })) {
  const ratio = times['the pass over places'] / times['one pass over the file'];
  console.log(`the pass over places by one over the file, by ${what}: ${ratio.toFixed(2)}`);
}
await input.close();
const { PLUMECAST_BENCH_PYTHON: python } = process.env;
if (python !== undefined)
  spawnSync(python, ['bench/regions-beside.py', ...process.argv.slice(2)], { stdio: 'inherit' });

/** Reads all values block by block. */
async function readAll(into: Core, ensemble: GridEnsemble): Promise<void> {
  for (const block of ensemble.blocks(BYTES, [])) {
    const mark = into.memory.mark();
    await ensemble.read(block, into);
    into.memory.release(mark);
  }
}
