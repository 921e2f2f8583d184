/**
 * Fails if a server's resident memory after 200,000 requests is more than 1.1 times that after 20,000: requests at
 * random points, without a response cache, to the demo store. Node's space for young objects is kept from doubling,
 * because its growth is not a leak of ours.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';

const [FIRST, ALL, MAX_RATIO] = [20_000, 200_000, 1.1];

if (process.platform !== 'linux') {
  console.log('skipped: resident memory of a server is read from /proc');
  process.exit(0);
}

const store = mkdtempSync(join(tmpdir(), 'plumecast-memory-'));
spawnSync(process.execPath, ['dist/cli.js', 'demo', store], { stdio: 'ignore' });
const server = spawn(
  process.execPath,
  ['--max-semi-space-size=8', 'dist/cli.js', 'serve', '--store', store, '--port', '0'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
try {
  const [line] = await new Promise((done) =>
    createInterface({ input: server.stdout }).once('line', (...all) => done(all)),
  );
  const url = /http:\S+/.exec(line)[0];
  await ask(url, FIRST);
  const early = residentMegabytes();
  await ask(url, ALL - FIRST);
  const late = residentMegabytes();
  const ratio = late / early;
  const summary = `${early.toFixed(0)} MB after ${FIRST} requests, ${late.toFixed(0)} MB after ${ALL}: ${ratio.toFixed(2)} times`;
  console.log(`${ratio > MAX_RATIO ? 'too much' : 'ok'}: ${summary}, at most ${MAX_RATIO}`);
  process.exitCode = ratio > MAX_RATIO ? 1 : 0;
} finally {
  server.kill();
  rmSync(store, { recursive: true });
}

async function ask(url, amount) {
  const request = { headers: { 'x-api-key': 'demo' }, setupRequest: (one) => ({ ...one, path: randomPath() }) };
  const { non2xx, errors } = await autocannon({ url, amount, connections: 32, requests: [request] });
  if (non2xx + errors > 0) throw new Error(`${non2xx} responses were not 2xx, ${errors} errors`);
}

function randomPath() {
  const latitude = (36.5 + 1.5 * Math.random()).toFixed(3);
  const longitude = (-80.5 + 1.5 * Math.random()).toFixed(3);
  return `/v2/forecast/statistics?lat=${latitude}&lon=${longitude}&var=precipitation&granularity=weekly`;
}

function residentMegabytes() {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
}
