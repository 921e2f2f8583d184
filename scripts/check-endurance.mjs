/**
 * Fails if a server does not last: 500 connections ask two workers at random points for ten minutes (or the seconds of
 * the first argument), with a rate limit, metrics, compression and a cache of responses. There must be no error,
 * resident memory must stay within 5 % of that after a minute of warming up, and 99 % of the responses must come within
 * 10 times the median. Then a worker is killed under load: only the requests that it had may be broken off.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';

const seconds = Number(process.argv[2] ?? 600);
const [CONNECTIONS, MAX_GROWTH, MAX_TAIL] = [500, 1.05, 10];
/** The cache is full, and Node has compiled what is used often, after so many seconds. */
const WARM_UP_SECONDS = Math.max(15, seconds / 10);

if (process.platform !== 'linux') {
  console.log('skipped: resident memory of a server is read from /proc');
  process.exit(0);
}

const store = mkdtempSync(join(tmpdir(), 'plumecast-endurance-'));
spawnSync(process.execPath, ['dist/cli.js', 'demo', store], { stdio: 'ignore' });
const server = spawn(
  process.execPath,
  [
    ...['--max-semi-space-size=8', 'dist/cli.js', 'serve', '--store', store, '--port', '0', '--workers', '2'],
    ...['--rate-limit', '1000000000/min', '--metrics-port', '0', '--response-cache', '16', '--drain-seconds', '0'],
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
let hasFailed = false;
try {
  const { url, metricsUrl } = await addresses();
  await load(url, WARM_UP_SECONDS);
  const memory = [];
  const watching = setInterval(() => memory.push(residentMegabytes()), 1000);
  const { non2xx, errors, latency, requests } = await load(url, seconds);
  clearInterval(watching);
  report(
    non2xx + errors === 0,
    `${requests.total} requests of ${CONNECTIONS} connections in ${seconds} s: ${errors} errors, ${non2xx} other statuses`,
  );
  const tenth = Math.ceil(memory.length / 10);
  const tenths = Array.from({ length: 10 }, (_, i) => memory.slice(i * tenth, (i + 1) * tenth))
    .filter((some) => some.length > 0)
    .map(median);
  const growth = Math.max(...tenths) / tenths[0];
  report(
    growth <= MAX_GROWTH,
    `resident memory of the workers in tenths of the time, MB: ${tenths.map((mb) => mb.toFixed(0)).join(', ')}: ${growth.toFixed(3)} times the first, at most ${MAX_GROWTH}`,
  );
  report(
    latency.p99 <= MAX_TAIL * Math.max(1, latency.p50),
    `responses took ${latency.p50} ms (median), ${latency.p99} ms (p99), ${latency.max} ms at most; p99 at most ${MAX_TAIL} times the median`,
  );
  await loseWorker(url, metricsUrl);
} finally {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill();
  // The replaced worker may still be opening the store.
  if (server.exitCode === null) await ended;
  rmSync(store, { recursive: true });
}
process.exitCode = hasFailed ? 1 : 0;

/** Kills one of two workers under load, and counts what clients see. */
async function loseWorker(url, metricsUrl) {
  const before = await answered(metricsUrl);
  const [worker] = workers();
  const loading = load(url, 10);
  await wait(3000);
  const read = await answered(metricsUrl);
  process.kill(worker, 'SIGKILL');
  const { non2xx, errors, resets, timeouts, requests } = await loading;
  const now = await answered(metricsUrl);
  const lost = errors + resets;
  report(
    non2xx + timeouts === 0 && lost <= CONNECTIONS,
    `a worker killed under load: ${requests.total} answers, ${non2xx} of another status than 200, ${errors} connections broken off or refused, ${resets} reset, ${timeouts} timeouts`,
  );
  report(workers().length === 2, `it was replaced: ${workers().length} workers`);
  report(
    before <= read && read <= now,
    `the metrics counted ${before} answers before, ${read} just before the kill, ${now} after it: never less`,
  );
}

/** Where the server listens, and where its metrics are. */
async function addresses() {
  const found = {};
  for await (const line of createInterface({ input: server.stdout })) {
    const address = /http:[^\s']+/.exec(line)?.[0];
    if (line.startsWith('Serving')) found.url = address;
    if (line.startsWith('Metrics')) return { ...found, metricsUrl: address };
  }
  throw new Error('the server has ended');
}

function load(url, duration) {
  const headers = { 'x-api-key': 'demo', 'accept-encoding': 'gzip' };
  const request = { headers, setupRequest: (one) => ({ ...one, path: randomPath() }) };
  return autocannon({ url, duration, connections: CONNECTIONS, requests: [request], timeout: 30 });
}

/** Mostly short answers, and some that are compressed. */
function randomPath() {
  const latitude = (36.5 + 1.5 * Math.random()).toFixed(2);
  const longitude = (-80.5 + 1.5 * Math.random()).toFixed(2);
  const granularity = Math.random() < 0.05 ? 'daily' : 'weekly';
  return `/v2/forecast/statistics?lat=${latitude}&lon=${longitude}&var=precipitation&granularity=${granularity}`;
}

/** The number of answers that the metrics tell. */
async function answered(metricsUrl) {
  const text = await (await fetch(metricsUrl)).text();
  const counts = text.matchAll(/^plumecast_request_duration_seconds_count\{.*status="200".*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

function workers() {
  const text = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function residentMegabytes() {
  const each = workers().map((pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]));
  return each.reduce((sum, kilobytes) => sum + kilobytes, 0) / 1024;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function report(isGood, text) {
  if (!isGood) hasFailed = true;
  console.log(`${isGood ? 'ok' : 'failed'}: ${text}`);
}
