/**
 * A drill of a fleet: two servers of two workers each and two feeds on one store in a bucket, keys in PostgreSQL, clients that
 * ask all the time; and one after the other, what may happen to it:
 *
 *   npm run drill -- [SECONDS] [--before DIR]      by default 10 seconds for each event
 *
 * Each answer is compared with what the library computes from the files that were fed. Ends with a table of what clients saw,
 * for docs/reliability.md; exits with 1 where any answer was wrong, or the store is damaged. DIR is a built checkout of the
 * version before, from which one server is upgraded; without it, the last commit is cloned and built. The bucket is of
 * versitygw, where PLUMECAST_VERSITYGW names its program, else of the server of the tests.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ACCOUNT, startS3 } from '../build/drill/files/remote/s3-server.js';
import { HAS_POSTGRES, PostgresServer } from '../build/drill/reference/postgres.js';
import { Collector } from './drill-collector.mjs';
import { DrillFeeds } from './drill-feeds.mjs';

const { values, positionals } = parseArgs({ options: { before: { type: 'string' } }, allowPositionals: true });
const seconds = Number(positionals[0] ?? 10);
// The line that says so is printed: skipped.
if (!HAS_POSTGRES) process.exit(0);

const folder = mkdtempSync(join(tmpdir(), 'plumecast-drill-'));
const STORE = 's3://bucket/drill';
const NEW = resolve('dist/cli.js');
const faults = [];
const fault = (text) => {
  faults.push(text);
  console.error(`FAULT: ${text}`);
};

/** A port that is free now. */
async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function answers(url) {
  for (let tries = 0; tries < 300; tries++) {
    const isThere = await fetch(url).then(
      (response) => response.arrayBuffer().then(() => true),
      () => false,
    );
    if (isThere) return;
    await wait(100);
  }
  throw new Error(`${url} does not answer`);
}

/** The bucket, which can be stopped and started again. */
async function startBucket() {
  const program = process.env.PLUMECAST_VERSITYGW;
  if (program === undefined) return { name: 'the server of the tests', ...(await startS3AsBucket()) };
  mkdirSync(join(folder, 'objects', 'bucket'), { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const keys = ['--access', ACCOUNT.AWS_ACCESS_KEY_ID, '--secret', ACCOUNT.AWS_SECRET_ACCESS_KEY];
  let child;
  const start = async () => {
    child = spawn(program, ['--port', `127.0.0.1:${port}`, ...keys, 'posix', join(folder, 'objects')], {
      stdio: 'ignore',
    });
    await answers(url);
  };
  await start();
  return { name: 'versitygw', url, start, stop: () => ended(child, 'SIGKILL') };
}

async function startS3AsBucket() {
  const server = await startS3();
  return { url: server.url, start: () => server.start(), stop: () => server.stop() };
}

/** Ends a process, and waits for it. */
function ended(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const closed = new Promise((done) => child.once('close', done));
  child.kill(signal);
  return closed;
}

const bucket = await startBucket();
const postgres = await PostgresServer.start();
const database = await postgres.database();
const env = { ...process.env, ...ACCOUNT, AWS_ENDPOINT_URL: bucket.url, AWS_REGION: 'us-east-1', NO_COLOR: '1' };

const collector = new Collector();
await collector.start();
const tracing = {
  NODE_OPTIONS: `--import ${pathToFileURL(resolve('scripts/drill-spans.mjs'))}`,
  PLUMECAST_COLLECTOR: collector.url,
};

function plumecast(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [NEW, ...args], {
    env,
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`plumecast ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** Runs the command without keeping this process from what it does. */
function later(...args) {
  const child = spawn(process.execPath, [NEW, ...args], { env, cwd: folder });
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  return new Promise((done) => child.once('close', (status) => done({ status, out: out.trim(), err })));
}

plumecast('database', 'migrate', '--database', database);
const keys = [1, 2, 3].map((n) => plumecast('key', 'create', '--database', database, '--owner', `customer ${n}`));
const idOf = async (owner) => {
  const { out } = await later('key', 'list', '--database', database);
  return out
    .split('\n')
    .find((line) => line.includes(owner))
    .split(/\s+/)[0];
};

/** A server at a port of its own, of this version or another. */
class Server {
  constructor(name, port, cache) {
    Object.assign(this, { name, port, cache, url: `http://127.0.0.1:${port}`, said: '' });
  }

  async start(cli = NEW) {
    const args = ['serve', '--store', STORE, '--database', database, '--cache', this.cache, '--workers', '2'];
    const more = ['--port', String(this.port), '--drain-seconds', '1', '--traces'];
    this.child = spawn(process.execPath, [cli, ...args, ...more], {
      env: { ...env, ...tracing },
      cwd: folder,
    });
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on('data', (text) => (this.said += text));
    await answers(`${this.url}/health`);
  }

  end(signal) {
    return ended(this.child, signal);
  }

  /** Its workers' process ids. */
  workers() {
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(this.child.pid)], { encoding: 'utf8' });
    return stdout.trim().split(/\s+/).map(Number);
  }
}

/** What clients see, by event. */
const seen = new Map();
let event = 'nothing';
let isOver = false;
const KINDS = [
  'requests',
  'right',
  'right at the second server',
  'with Source-Age',
  'with Keys-Age',
  '503',
  'cut',
  '401',
  'failed at both',
  'wrong',
];
function count(kind, when) {
  const row = seen.get(when) ?? Object.fromEntries(KINDS.map((name) => [name, 0]));
  seen.set(when, row);
  row[kind]++;
}

/** Asks one server; returns whether the answer was right. */
async function ask(server, request, key, when) {
  let response;
  let body;
  try {
    response = await fetch(`${server.url}${request.path}`, {
      headers: { 'X-Api-Key': key },
      signal: AbortSignal.timeout(30_000),
    });
    body = await response.json();
  } catch {
    count('cut', when);
    return false;
  }
  if (response.status === 503 || response.status === 401) {
    count(String(response.status), when);
    return false;
  }
  const problem =
    response.status === 200 ? request.problemOf(body) : `status ${response.status}: ${JSON.stringify(body)}`;
  if (problem !== undefined) {
    count('wrong', when);
    fault(`${when}: ${server.name}: ${request.path}: ${problem}`);
    return false;
  }
  if (response.headers.has('source-age')) count('with Source-Age', when);
  if (response.headers.has('keys-age')) count('with Keys-Age', when);
  return true;
}

/** A client behind a load balancer: what fails at one server is asked of the other. */
async function client(number, servers, feeds) {
  for (let i = number; !isOver; i++) {
    const when = event;
    const request = feeds.request(i * 7 + number);
    const key = keys[number % 2];
    const order = i % 2 === 0 ? servers : servers.toReversed();
    count('requests', when);
    if (await ask(order[0], request, key, when)) count('right', when);
    else if (await ask(order[1], request, key, when)) count('right at the second server', when);
    else count('failed at both', when);
    await wait(5);
  }
}

/** The version before, built. */
function versionBefore() {
  if (values.before !== undefined) return resolve(values.before, 'dist/cli.js');
  const clone = join(folder, 'before');
  const run = (...command) =>
    spawnSync(command[0], command.slice(1), { cwd: command[0] === 'git' ? undefined : clone, stdio: 'ignore' }).status;
  const isCloned =
    run('git', 'clone', '-q', '.', clone) === 0 &&
    spawnSync('git', ['checkout', '-q', 'HEAD~1'], { cwd: clone }).status === 0;
  if (!isCloned) return undefined;
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
  return run('npm', 'run', '--silent', 'build') === 0 ? join(clone, 'dist/cli.js') : undefined;
}

const before = versionBefore();
if (before === undefined) console.log('skipped: the upgrade (the version before cannot be built)');
const small = join(folder, 'small');
mkdirSync(small);
const hasSmall = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', small]).status === 0;
if (!hasSmall) console.log('skipped: the full disk (a small tmpfs cannot be mounted)');

const feeds = await DrillFeeds.create({ folder, env, cli: NEW, store: STORE, fault });
await feeds.begin();
const servers = [
  new Server('first', await freePort(), join(folder, 'cache')),
  new Server('second', await freePort(), small),
];
await servers[0].start(before ?? NEW);
await servers[1].start();
const clients = [0, 1, 2, 3].map((number) => client(number, servers, feeds));
const feeding = feeds.run();

async function during(name, act, settle = seconds / 2) {
  event = name;
  console.log(`${new Date().toISOString().slice(11, 19)} ${name}`);
  await act();
  await wait(1000 * settle);
}

try {
  await during('nothing', () => wait(500 * seconds));
  await during('a worker of each server is killed', async () => {
    for (const server of servers) {
      process.kill(server.workers()[0], 'SIGKILL');
      await wait(250 * seconds);
    }
  });
  await during('a server is killed, and started again', async () => {
    await servers[1].end('SIGKILL');
    await wait(200 * seconds);
    await servers[1].start();
  });
  await during('PostgreSQL is killed, and started again', async () => {
    await postgres.end();
    await wait(500 * seconds);
    await postgres.begin();
  });
  await during('the bucket is killed, and started again', async () => {
    await bucket.stop();
    await wait(500 * seconds);
    await bucket.start();
  });
  await during('the collector of traces is killed, and started again', async () => {
    await collector.stop();
    await wait(500 * seconds);
    const { spans } = collector;
    await collector.start();
    await wait(2000);
    if (collector.spans === spans) fault('no spans come to the collector that was started again');
  });
  await during('feeds are killed', async () => {
    for (let kill = 0; kill < 4; kill++) {
      await wait(125 * seconds);
      feeds.kill();
    }
  });
  if (hasSmall) {
    await during(
      'the disk of a cache is full',
      async () => writeFileSync(join(small, 'full'), Buffer.alloc(600_000)),
      0,
    ).catch(() => undefined);
    await wait(1000 * seconds);
  }
  await during('the clock of a feed is two hours ahead', async () => {
    feeds.shiftClock(7_200_000);
    await wait(500 * seconds);
    feeds.shiftClock(0);
  });
  await during('keys are rotated', async () => {
    for (const number of [0, 1]) {
      const id = await idOf(`customer ${number + 1}`);
      const { out } = await later('key', 'rotate', id, '--database', database, '--overlap', '10s');
      keys[number] = out;
    }
  });
  await during('a key is revoked', async () => {
    const id = await idOf('customer 3');
    await later('key', 'revoke', id, '--database', database);
    await wait(2000);
    for (const server of servers) {
      const { status } = await fetch(`${server.url}${feeds.request(1).path}`, { headers: { 'X-Api-Key': keys[2] } });
      if (status !== 401) fault(`a revoked key gets ${status} of the ${server.name} server`);
    }
  });
  if (before !== undefined) {
    await during('a server is upgraded from the version before', async () => {
      await servers[0].end('SIGTERM');
      await servers[0].start();
    });
  }
  event = 'the end';
  await feeds.end();
  await feeding;
  await wait(2500);
  for (const server of servers) {
    for (const request of feeds.newestRequests()) await ask(server, request, keys[0], event);
  }
} finally {
  isOver = true;
  await Promise.all(clients);
  await Promise.all(servers.map((server) => server.end('SIGKILL')));
}

const check = await later('store', 'check', '-q', '--store', STORE);
console.log(check.out);
if (check.status !== 0) fault(`store check: ${check.out}${check.err}`);
for (const { said } of [...servers, collector]) {
  for (const secret of [ACCOUNT.AWS_SECRET_ACCESS_KEY, ...keys])
    if (said.includes(secret)) fault('a log or a span shows a secret');
}
await collector.stop();
await bucket.stop();
await postgres.remove();
if (hasSmall) spawnSync('umount', [small]);
rmSync(folder, { recursive: true, force: true });

console.log(`\n${feeds.summary()}; ${collector.spans} spans; bucket: ${bucket.name}\n`);
console.log(`| while | ${KINDS.join(' | ')} |\n|---|${KINDS.map(() => '---:').join('|')}|`);
for (const [name, row] of seen) console.log(`| ${name} | ${KINDS.map((kind) => row[kind]).join(' | ')} |`);
if (faults.length > 0) {
  console.error(`\n${faults.length} faults`);
  process.exit(1);
}
console.log('\nno fault');
process.exit(0);
