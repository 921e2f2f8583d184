/**
 * Fails if one key can starve others: while 20, then 60 requests of one key at once read thirty years of daily history
 * of every variable as CSV, together with 1,000 small requests of another key, `/health` must always take less than 100
 * ms, every response must arrive, and 30 s later resident memory must be at most twice that before. Requests whose
 * clients have disconnected must cost almost nothing. Uses only the loopback interface, and ends within five minutes.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const [HEALTH_MILLISECONDS, MEMORY_RATIO, REST_SECONDS] = [100, 2, 30];
const LIMIT_SECONDS = 300;
const POINT = 'lat=37.3&lon=-79.84';
const LONG = `/v2/history?${POINT}&start_date=1995-01-01`;
const SMALL = `/v2/forecast/statistics?${POINT}&var=precipitation&granularity=weekly`;

/** Requests one path again and again until it receives a message, and then posts how long each response took. */
const PROBE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { Agent, get } = require('node:http');
  const agent = new Agent({ keepAlive: true });
  const times = [];
  let isOver = false;
  parentPort.once('message', () => { isOver = true; });
  const ask = () => {
    const from = performance.now();
    get(workerData, { agent }, (response) => response.resume().on('end', () => {
      times.push(performance.now() - from);
      if (times.length === 1) parentPort.postMessage('begun');
      if (isOver) { parentPort.postMessage(times.slice(1)); agent.destroy(); }
      else setTimeout(ask, 10);
    }));
  };
  ask();
`;

if (process.platform !== 'linux') {
  console.log('skipped: resident memory of a server is read from /proc');
  process.exit(0);
}

const store = mkdtempSync(join(tmpdir(), 'plumecast-overload-'));
spawnSync(process.execPath, ['dist/cli.js', 'demo', store], { stdio: 'ignore' });
const other = spawnSync(process.execPath, ['dist/cli.js', 'key', 'create', '--store', store, '--owner', 'other'], {
  encoding: 'utf8',
}).stdout.trim();
const server = spawn(process.execPath, ['dist/cli.js', 'serve', '--store', store, '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const giveUp = setTimeout(() => {
  console.error(`failed: it took more than ${LIMIT_SECONDS} s`);
  server.kill('SIGKILL');
  process.exit(1);
}, LIMIT_SECONDS * 1000);
// Each request has its own connection: the server may close a kept-alive connection just when it is used again.
const agent = new Agent();
const agentOfSmall = new Agent({ maxSockets: 100 });
const failures = [];

try {
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  const url = /http:\S+/.exec(line)[0];
  const longOnes = (count) => Array.from({ length: count }, () => fetched(url + LONG, 'demo', 'text/csv'));
  const smallOnes = (count) =>
    Array.from({ length: count }, () => fetched(url + SMALL, other, 'application/json', { agent: agentOfSmall }));

  await Promise.all([...smallOnes(50), ...longOnes(1)]);
  await wait(2000);
  const idle = residentMegabytes();
  for (const [what, load] of [
    ['20 long histories', () => longOnes(20)],
    ['60 long histories', () => longOnes(60)],
    ['60 long histories and 1,000 small requests', () => [...longOnes(60), ...smallOnes(1000)]],
  ]) {
    await under(what, url, load);
  }
  await gone(url);
  const peak = Number(/VmHWM:\s+(\d+)/.exec(status())[1]) / 1024;
  await wait(REST_SECONDS * 1000);
  const rest = residentMegabytes();
  const ratio = rest / idle;
  report(
    ratio <= MEMORY_RATIO,
    `resident memory ${idle.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most, ${rest.toFixed(0)} MB ${REST_SECONDS} s after: ${ratio.toFixed(2)} times, at most ${MEMORY_RATIO}`,
  );
} finally {
  clearTimeout(giveUp);
  server.kill('SIGINT');
  rmSync(store, { recursive: true });
}
process.exitCode = failures.length > 0 ? 1 : 0;

/** Measures `/health` under load. */
async function under(what, url, load) {
  const from = performance.now();
  // In its own thread: otherwise the time that the load needs here would count as the server's.
  const probe = new Worker(PROBE, { eval: true, workerData: `${url}/health` });
  await once(probe, 'message');
  const answers = await Promise.all(load());
  const seconds = (performance.now() - from) / 1000;
  const bad = answers.filter(({ status }) => status !== 200);
  report(
    bad.length === 0,
    `${what}: ${answers.length - bad.length} of ${answers.length} answered in ${seconds.toFixed(1)} s`,
  );
  const small = answers.filter(({ bytes }) => bytes < 100_000).map(({ milliseconds }) => milliseconds);
  if (small.length > 0) console.log(`    small requests in at most ${Math.max(...small).toFixed(0)} ms`);
  probe.postMessage('end');
  const [times] = await once(probe, 'message');
  const slowest = Math.max(...times);
  const middle = times.sort((a, b) => a - b)[times.length >> 1];
  report(
    slowest < HEALTH_MILLISECONDS,
    `${what}: /health took ${slowest.toFixed(0)} ms at most, ${middle.toFixed(1)} ms mostly, of ${times.length}; less than ${HEALTH_MILLISECONDS} each`,
  );
}

/** Requests whose clients disconnect at once: the server needs far less processor time than for their responses. */
async function gone(url) {
  const before = processorSeconds();
  const one = fetched(url + LONG, 'demo', 'text/csv');
  await one;
  const each = processorSeconds() - before;
  const controllers = Array.from({ length: 100 }, () => new AbortController());
  const requested = controllers.map(({ signal }) =>
    fetched(url + LONG, 'demo', 'text/csv', { signal }).catch(() => undefined),
  );
  await wait(100);
  for (const controller of controllers) controller.abort();
  await Promise.all(requested);
  const from = processorSeconds();
  await wait(2000);
  const spent = processorSeconds() - from;
  report(
    spent < 10 * Math.max(each, 0.05),
    `100 requests whose clients had gone: ${spent.toFixed(2)} s of processor afterwards, one response ${each.toFixed(2)} s`,
  );
}

function report(isGood, text) {
  if (!isGood) failures.push(text);
  console.log(`${isGood ? 'ok' : 'failed'}: ${text}`);
}

/** The status, size and time of a response. Bytes are counted but not kept, so that the load is on the server. */
function fetched(url, key, accept, options = {}) {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    request(url, { agent, headers: { 'X-Api-Key': key, accept }, ...options }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => {
        bytes += chunk.length;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, bytes, milliseconds: performance.now() - from }));
    })
      .on('error', reject)
      .end();
  });
}

function status() {
  return readFileSync(`/proc/${server.pid}/status`, 'utf8');
}

function residentMegabytes() {
  return Number(/VmRSS:\s+(\d+)/.exec(status())[1]) / 1024;
}

function processorSeconds() {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
