/**
 * Blocks of a place's values: how small they are beside other codes and the entropy of the model that made the values,
 * and how fast they are encoded and decoded.
 *
 *   node build/bench/blocks.js [PLACES]
 *
 * Values are synthetic, packed as GRIB does it, and where PLUMECAST_REFERENCE_DATA names the folder of reference data,
 * seasonal forecasts of SEAS5 and GEFS at a point, as their CSV files have them. Every block is decoded and compared.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform } from 'node:os';
import { join } from 'node:path';
import { takeTableKernels } from '../src/core/table-kernels.js';
import { zstdByKernel } from '../src/files/codecs/kernel-codecs.js';
import { loadEncoder } from '../src/files/codecs/load-encoder.js';
import type { BlockShape } from '../src/service/blocks/block-format.js';
import { BlockMemory } from '../src/service/blocks/block-memory.js';
import { BlockEncoder, type EncodeOptions } from '../src/service/blocks/encode-block.js';
import { type FieldGrid, findFieldGrid } from '../src/service/blocks/field-grid.js';
import { findGrid } from '../src/service/blocks/find-grid.js';
import { bitIntegers, gridIntegers, ReferenceEncoder } from '../test/reference/encode-block.js';
import { type BlockSample, rainSample, temperatureSample, windSample } from './block-samples.js';

const places = Number(process.argv[2] ?? 400);
/** Other codes are measured at so many places. */
const SOME = 40;
/** Values of a group along days. */
const GROUP = 32;

const memory = await BlockMemory.load();
const encoder = await BlockEncoder.load();
const twin = new ReferenceEncoder();
const tables = await takeTableKernels();
const zstd = await loadEncoder('zstd', 'bench');

const mib = 31;
const packing = (days: number, steps: number, bits: number, seed: number) => ({
  places,
  members: mib,
  days,
  steps,
  bits,
  seed,
});
const samples: BlockSample[] = [15, 46, 214].flatMap((days, i) => [
  temperatureSample(packing(days, 4, 16, 1 + 10 * i)),
  temperatureSample(packing(days, 8, 12, 2 + 10 * i)),
  rainSample(packing(days, 4, 16, 3 + 10 * i)),
  rainSample(packing(days, 8, 12, 4 + 10 * i)),
]);
samples.push(windSample(packing(46, 4, 16, 5)), ...realSamples());

console.log(
  `${cpus()[0].model.trim()}, ${platform()} ${arch()}, load ${loadavg()[0].toFixed(1)}; Node ${process.versions.node}`,
);
console.log(`\nBytes of ${places} places, in percent of float32; of other codes those of ${SOME} places.\n`);
const heads = [
  ...[
    'values',
    'members x days',
    'zstd',
    'shuffled, zstd',
    'bits of floats, by day',
    'quantum: by member',
    'days before, by member',
  ],
  ...[
    'by day',
    'days before, by day',
    'days before, shuffled, zstd',
    'block, own grid',
    '**block**',
    'bound',
    'of the bound',
  ],
  ...['block, rounded', 'bound', 'of the bound'],
];
console.log(`| ${heads.join(' | ')} |\n|---|${'---:|'.repeat(heads.length - 1)}`);
for (const sample of samples) console.log(await sizeLine(sample));
console.log('');
await speeds();

async function sizeLine(sample: BlockSample): Promise<string> {
  const { name, members, days, values, precision } = sample;
  const count = members * days;
  const shape = { members, days };
  const all = values.length / count;
  const fields = findFieldGrid(values.subarray(0, 400 * count), shape);
  const own = fields ?? findGrid(values);
  const other = new Array<number>(8).fill(0);
  const out = new Float32Array(count);
  const total = { own: 0, block: 0, rounded: 0 };
  for (let place = 0; place < all; place++) {
    const block = values.subarray(place * count, (place + 1) * count);
    const sizeOf = (options: EncodeOptions) => {
      const bytes = encoder.encode(block, shape, options);
      decodeBlock(bytes, shape, out, fields);
      assertNear(block, out, options.precision, name);
      return bytes.length;
    };
    total.own += sizeOf({});
    total.block += sizeOf({ fields });
    total.rounded += sizeOf({ precision });
    if (place >= SOME) continue;
    const floats = bitIntegers(block, shape, count)!.integers;
    const integers = (own && gridIntegers(block, shape, own, count / 16)?.integers) ?? floats;
    const delta = daysBefore(integers, members);
    [
      zstd(bytesOf(block)).length,
      zstd(shuffled(block)).length,
      packedBytes(floats, members),
      packedBytes(byMember(integers, members), GROUP),
      packedBytes(byMember(delta, members), GROUP),
      packedBytes(integers, members),
      packedBytes(delta, members),
      zstd(shuffled(byMember(delta, members))).length,
    ].forEach((bytes, i) => {
      other[i] += bytes;
    });
  }
  const some = Math.min(SOME, all);
  const share = (bytes: number, of = all) => ((100 * bytes) / (4 * count * of)).toFixed(1);
  const bound = (bytes: number, bits: number | undefined) =>
    bits === undefined ? ['–', '–'] : [share(bits / 8), ((8 * bytes) / bits).toFixed(2)];
  return `| ${[
    ...[
      name,
      `${members} x ${days}`,
      ...other.map((bytes) => share(bytes, some)),
      share(total.own),
      `**${share(total.block)}**`,
    ],
    ...bound(total.block, sample.bound?.()),
    ...[share(total.rounded), ...bound(total.rounded, sample.bound?.(precision))],
  ].join(' | ')} |`;
}

/** Reads, checks and decodes a block as a store does, but for the read from the file. */
function decodeBlock(block: Uint8Array, shape: BlockShape, into: Float32Array, fields?: FieldGrid): void {
  memory.buffer(block.length).set(block);
  memory.digest(block.length, 0);
  memory.decode(block.length, shape, into, { fields, file: 'a block' });
}

function assertNear(values: Float32Array, decoded: Float32Array, precision: number | undefined, name: string): void {
  const [a, b] = [values, decoded].map((x) => new Uint32Array(x.buffer, x.byteOffset, x.length));
  for (let i = 0; i < values.length; i++) {
    const isRight =
      precision === undefined
        ? a[i] === b[i]
        : Math.abs(values[i] - decoded[i]) <= precision / 2 + 1e-7 * Math.abs(values[i]);
    if (!isRight) throw new Error(`${name}: value ${i} is ${decoded[i]} instead of ${values[i]}`);
  }
}

/** Differences from the day before, of numbers day after day. */
function daysBefore(integers: Int32Array, members: number): Int32Array {
  return integers.map((n, i) => (i < members ? n : n - integers[i - members]));
}

/** Numbers day after day as member after member. */
function byMember(integers: Int32Array, members: number): Int32Array {
  const days = integers.length / members;
  return Int32Array.from(integers, (_, i) => integers[(i % days) * members + Math.floor(i / days)]);
}

/** Bytes of numbers in groups, each with a width (5 bits) and its least number (12 bits). */
function packedBytes(integers: Int32Array, group: number): number {
  let bits = 0;
  for (let i = 0; i < integers.length; i += group) {
    const some = integers.subarray(i, i + group);
    const [low, high] = [some.reduce((a, b) => Math.min(a, b)), some.reduce((a, b) => Math.max(a, b))];
    bits += 17 + some.length * (32 - Math.clz32(high - low));
  }
  return bits / 8;
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** All first bytes, then all second bytes, and so on. */
function shuffled(values: Float32Array | Int32Array): Uint8Array {
  const bytes = bytesOf(values);
  return Uint8Array.from(bytes, (_, i) => bytes[4 * (i % values.length) + Math.floor(i / values.length)]);
}

async function speeds(): Promise<void> {
  const shape = { members: mib, days: 214 };
  const count = shape.members * shape.days;
  console.log(
    'Microseconds for a block of 31 x 214, digest, decoded and copied: the best of 7 turns of 200 blocks; encoded, by kernels and value after value by their twin: MB/s of float32.\n',
  );
  console.log(
    '| values | bytes | decoded | copied (memcpy) | zstd, decoded by the kernel | encoded | by the twin |\n|---|---:|---:|---:|---:|---:|---:|',
  );
  for (const sample of samples.filter(({ members, days }) => members === shape.members && days === shape.days)) {
    const fields = findFieldGrid(sample.values.subarray(0, 400 * count), shape);
    const blocks = Array.from({ length: Math.min(places, 50) }, (_, i) =>
      sample.values.subarray(i * count, (i + 1) * count),
    );
    const frames = blocks.map((block) => zstd(bytesOf(block)));
    const into = new Float32Array(count);
    for (const options of [{ fields }, { precision: sample.precision }]) {
      const encoded = blocks.map((block) => encoder.encode(block, shape, options).slice());
      const decodeAll = () => {
        for (const block of encoded) decodeBlock(block, shape, into, options.fields);
      };
      const copyAll = () => {
        for (const block of blocks) into.set(block);
      };
      const zstdAll = () => {
        for (const frame of frames) {
          const mark = tables.memory.mark();
          if (zstdByKernel(tables, frame, 4 * count) === undefined) throw new Error('zstd');
          tables.memory.release(mark);
        }
      };
      const encodeAll = () => {
        for (const block of blocks) encoder.encode(block, shape, options);
      };
      const twinAll = () => {
        for (const block of blocks) twin.encode(block, shape, options);
      };
      const [decode, copy, unzstd, encode, byTwin] = bestTurns([decodeAll, copyAll, zstdAll, encodeAll, twinAll]).map(
        (t) => (1000 * t) / blocks.length,
      );
      const bytes = encoded.reduce((sum, { length }) => sum + length, 0) / encoded.length;
      const what = options.precision === undefined ? 'exact' : `rounded to ${options.precision}`;
      const cells = [
        `${sample.name}, ${what}`,
        bytes.toFixed(0),
        decode.toFixed(2),
        copy.toFixed(2),
        unzstd.toFixed(1),
      ];
      const speeds = [encode, byTwin].map((time) => ((4 * count) / time).toFixed(0));
      console.log(`| ${[...cells, ...speeds].join(' | ')} |`);
    }
  }
}

/** The best milliseconds of each job; they take turns. */
function bestTurns(jobs: readonly (() => void)[]): number[] {
  const best = jobs.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < 8; turn++) {
    jobs.forEach((job, j) => {
      const from = performance.now();
      const rounds = j >= 3 ? 1 : 4;
      for (let round = 0; round < rounds; round++) job();
      if (turn > 0) best[j] = Math.min(best[j], (performance.now() - from) / rounds);
    });
  }
  return best;
}

/** Forecasts at a point: each run is a place. */
function realSamples(): BlockSample[] {
  const folder = process.env.PLUMECAST_REFERENCE_DATA;
  if (folder === undefined || !existsSync(folder)) return [];
  const seasonal = join(folder, 'seas5-burrishoole-feb');
  const years = readdirSync(seasonal).filter((name) => /^\d{4}$/.test(name));
  const read = (name: string, paths: readonly string[], precision: number): BlockSample => {
    const runs = paths.map((path) =>
      readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',').slice(1)),
    );
    const [members, days] = [runs[0][0].length, runs[0].length];
    const same = runs.filter((rows) => rows.length === days && rows[0].length === members);
    const values = Float32Array.from(
      same.flatMap((rows) =>
        Array.from({ length: members * days }, (_, i) => Number(rows[i % days][Math.floor(i / days)] || Number.NaN)),
      ),
    );
    return { name, members, days, values, places: same.length, precision };
  };
  return [
    read(
      'SEAS5, temperature',
      years.map((year) => join(seasonal, year, 't2m_degC_members_daily.csv')),
      0.05,
    ),
    read(
      'SEAS5, rain',
      years.map((year) => join(seasonal, year, 'precip_mm_members_daily.csv')),
      0.1,
    ),
    read('GEFS, temperature', [join(folder, 'gefs-fcre-2022', 't2m_degC_members_daily.csv')], 0.05),
    read('GEFS, rain', [join(folder, 'gefs-fcre-2022', 'precip_mm_members_daily.csv')], 0.1),
  ];
}
