/**
 * The timeline of a place: read as a block of its own, or made at each read from the blocks of the horizons, as their
 * pairing says. Values and blocks are like those of bench/blocks.ts; digests are compared, and files are in the cache.
 *
 *   node build/bench/timeline-reads.js [PLACES]
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlockMemory } from '../src/service/blocks/block-memory.js';
import { FolderAccess } from '../src/service/store/folder-access.node.js';
import { BlockSeries } from '../src/service/store/read-blocks.js';
import { writeBlocks } from '../src/service/store/write-blocks.node.js';
import { type BlockSample, rainSample, temperatureSample } from './block-samples.js';

const places = Number(process.argv[2] ?? 600);
const TRAJECTORIES = 31;
/** The days of each horizon, of which the last are the timeline's. */
const DAYS = [15, 46, 214];
/** The first day of each horizon's part, of the first trajectory; members switch on seven days. */
const SWITCHES = [0, 8, 39];
const ENSEMBLES = [
  [31, 31, 31],
  [31, 51, 51],
  [31, 101, 51],
];
const TURNS = 60;
const READS = 300;

const folder = await mkdtemp(join(tmpdir(), 'plumecast-bench-'));
const access = new FolderAccess(folder);
const memory = await BlockMemory.load();

interface Written {
  readonly reader: BlockSeries;
  readonly bytes: number;
  readonly width: number;
}

let files = 0;
async function write({ values, members, days, precision }: BlockSample, isRounded: boolean): Promise<Written> {
  const name = `${files++}.blocks`;
  const head = { slug: 'temp_mean', units: 'degC', axis: { firstDay: 0, days, members } };
  const width = members * days;
  const valuesAt = (cells: Int32Array) => {
    const some = new Float32Array(cells.length * width);
    for (const [i, cell] of cells.entries()) some.set(values.subarray(cell * width, (cell + 1) * width), i * width);
    return some;
  };
  const spread = {
    latitude: Float64Array.from({ length: places }, (_, i) => i / 100),
    longitude: new Float64Array(places),
  };
  const how = isRounded ? { precision } : { valuesAt };
  await writeBlocks(access, name, { ...head, places: spread, blocks: [values], ...how }, memory);
  access.admit(name);
  await access.get(name, 0, new Uint8Array(1));
  const reader = await BlockSeries.open(access, { name, head, places }, memory);
  return { reader, bytes: (await stat(join(folder, name))).size / places, width };
}

/** Reads the horizons of a place, and copies each trajectory's parts behind them. */
function blended(horizons: readonly Written[], ensembles: readonly number[]): (cell: number) => void {
  const [days] = DAYS.slice(-1);
  const values = new Float32Array(horizons.reduce((sum, { width }) => sum + width, 0) + TRAJECTORIES * days);
  const starts = horizons.map((_, h) => horizons.slice(0, h).reduce((sum, { width }) => sum + width, 0));
  const parts = horizons.map(({ width }, h) => values.subarray(starts[h], starts[h] + width));
  const out = values.length - TRAJECTORIES * days;
  const copies: [number, number, number][] = [];
  for (let m = 0; m < TRAJECTORIES; m++) {
    const switches = [...SWITCHES.map((day) => (day === 0 ? 0 : day + (m % 7))), days];
    for (const h of horizons.keys()) {
      const from = starts[h] + (h === 0 ? m : (m * 7) % ensembles[h]) * DAYS[h];
      copies.push([out + m * days + switches[h], from + switches[h], from + switches[h + 1]]);
    }
  }
  return (cell) => {
    for (const [h, { reader }] of horizons.entries()) reader.readNow(cell, parts[h]);
    for (const [to, from, end] of copies) values.copyWithin(to, from, end);
  };
}

console.log(
  `${cpus()[0].model.trim()}, ${platform()} ${arch()}, load ${loadavg()[0].toFixed(1)}; Node ${process.versions.node}\n`,
);
console.log(
  '| values | members of horizons | bytes stored | bytes without the timeline | us stored | us made at read | ratio |',
);
console.log('|---|---|---:|---:|---:|---:|---:|');
for (const [name, sampleOf] of Object.entries({ temperature: temperatureSample, rain: rainSample })) {
  for (const isRounded of [false, true]) {
    for (const ensembles of ENSEMBLES) {
      const make = (members: number, days: number, seed: number) =>
        write(sampleOf({ places, members, days, steps: 4, bits: 16, seed }), isRounded);
      const timeline = await make(TRAJECTORIES, DAYS[2], 1);
      const horizons: Written[] = [];
      for (const [h, members] of ensembles.entries()) horizons.push(await make(members, DAYS[h], 2 + h));
      const into = new Float32Array(timeline.width);
      const ways = [(cell: number) => timeline.reader.readNow(cell, into), blended(horizons, ensembles)];
      const best = ways.map(() => Number.POSITIVE_INFINITY);
      for (let turn = 0; turn < TURNS; turn++) {
        for (const [w, read] of ways.entries()) {
          const start = performance.now();
          for (let i = 0; i < READS; i++) read((i * 131) % places);
          best[w] = Math.min(best[w], ((performance.now() - start) * 1000) / READS);
        }
      }
      const without = horizons.reduce((sum, { bytes }) => sum + bytes, 0);
      const cells = [without + timeline.bytes, without].map((bytes) => Math.round(bytes).toLocaleString('en'));
      const times = [best[0].toFixed(1), best[1].toFixed(1), (best[1] / best[0]).toFixed(2)];
      console.log(
        `| ${name}${isRounded ? ', rounded' : ''} | ${ensembles.join(', ')} | ${[...cells, ...times].join(' | ')} |`,
      );
    }
  }
}
await access.close();
await rm(folder, { recursive: true });
