/**
 * Measures points of a store in a bucket beside the same store in a folder:
 *
 *   node scripts/measure-bucket.mjs FOLDER s3://BUCKET/PREFIX      AWS_ENDPOINT_URL names the server
 *
 * The store is copied to the bucket. Each row is the median of random points, of one variable each: of the folder; of the bucket
 * when nothing of it is kept, when it is in the cache on the disk, and when it is in memory; with requests and bytes for a point.
 * At last what the opening of a store costs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyStore, openStore } from '../dist/service-node.js';

const [folder, address] = process.argv.slice(2);
const POINTS = 200;

let [requests, bytes] = [0, 0];
const { fetch } = globalThis;
globalThis.fetch = async (...args) => {
  requests++;
  const response = await fetch(...args);
  bytes += Number(response.headers.get('content-length') ?? 0);
  return response;
};

const cache = mkdtempSync(join(tmpdir(), 'plumecast-measure-'));
await copyStore(folder, address);

/** Reads points, and returns the median time in milliseconds, with requests and bytes for each. */
async function measure(name, place, { isWarm = false } = {}) {
  const began = performance.now();
  [requests, bytes] = [0, 0];
  const source = await openStore(place, { refreshSeconds: 1e6 });
  const opening = { ms: performance.now() - began, requests, bytes };
  const { forecast } = await source.snapshot();
  const { timeline } = forecast;
  const points = [...timeline.variables.keys()].flatMap((slug) =>
    Array.from({ length: timeline.places.latitude.length }, (_, cell) => ({ slug, cell })),
  );
  // The same order for all.
  points.sort(
    (a, b) => ((a.cell * 7919 + a.slug.length * 104_729) % 1013) - ((b.cell * 7919 + b.slug.length * 104_729) % 1013),
  );
  const read = async ({ slug, cell }) => {
    const { members, days } = timeline.variables.get(slug);
    const into = new Float32Array(members * days);
    const from = performance.now();
    await timeline.read(slug, cell, into);
    return performance.now() - from;
  };
  const some = points.slice(0, POINTS);
  if (isWarm) for (const point of some) await read(point);
  [requests, bytes] = [0, 0];
  const times = [];
  for (const point of some) times.push(await read(point));
  times.sort((a, b) => a - b);
  const each = [times[times.length >> 1].toFixed(3), requests / some.length, Math.round(bytes / some.length)];
  console.log(`| ${name} | ${each.join(' | ')} | ${opening.ms.toFixed(0)} | ${opening.requests} | ${opening.bytes} |`);
  await source.close();
}

console.log('| values of a point are | ms | requests | bytes | ms to open | requests | bytes |');
console.log('|---|---:|---:|---:|---:|---:|---:|');
await measure('in a folder', folder, { isWarm: true });
await measure('in the bucket alone', address);
process.env.PLUMECAST_CACHE = cache;
await measure('in the bucket, and then in the cache', address);
await measure('in the cache on the disk', address);
await measure('in memory', address, { isWarm: true });
rmSync(cache, { recursive: true });
