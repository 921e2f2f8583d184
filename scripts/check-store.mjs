/**
 * Feeds a store as a service is fed, while it is served under load and the feeds are killed at random moments:
 *
 *   node scripts/check-store.mjs [KILLS] [SEED]      by default 200 kills
 *
 * Short-term runs come every six hours, seasonal ones now and then, the history day by day, and some runs are incomplete or
 * late. Each is killed with SIGKILL, then `plumecast store check` must find nothing, and each answer that the server gave
 * meanwhile, and gives then, must be that of before or that of after, as the same feed makes it in a copy of the store; no
 * request may fail. Then the feed is run again, and the answers must be those of after. At last a bit is changed in every
 * object of a copy: each must be found, and no other value may be served. Exits with 1 where anything is wrong.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dayNumber } from '../dist/calendar.js';
import { demoTables } from '../dist/demo.js';
import { encodeTable } from '../dist/files.js';
import { createHandler, memoryKeys } from '../dist/service.js';
import { checkStore, openStore } from '../dist/service-node.js';
import { startServer } from './start-server.mjs';

/** The server looks once a second. */
const REFRESH = 1100;

const kills = Number(process.argv[2] ?? 200);
let seed = Number(process.argv[3] ?? Date.now() % 1e6);
console.log(`${kills} kills, seed ${seed}`);

const CLI = resolve('dist/cli.js');
const FIRST = dayNumber(2026, 3, 2);
const locations = [37, 37.25].flatMap((latitude) => [-80, -79.75].map((longitude) => ({ latitude, longitude })));
const SLUGS = ['temp_mean', 'precipitation'];

const folder = mkdtempSync(join(tmpdir(), 'plumecast-check-store-'));
const store = join(folder, 'store');
const faults = [];
const fault = (text) => {
  faults.push(text);
  console.error(`FAULT: ${text}`);
};

/** A number below `below`; the same for the same seed. */
function random(below) {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

/** Writes the files of demo tables, and returns their names. */
async function filesOf(name, options) {
  const tables = demoTables({ locations, members: 3, ...options });
  return Promise.all(
    SLUGS.map(async (slug) => {
      const file = `${name}-${slug}.arrow`;
      writeFileSync(join(folder, file), await encodeTable(tables[slug], 'arrow'));
      return file;
    }),
  );
}

/** The feed of a step: the arguments of its ingest, and the exit code that it should end with. */
async function feedOf(step) {
  const day = FIRST + Math.floor(step / 4);
  const generation = ['--generation', `step-${step}`];
  if (step % 7 === 3) {
    const files = await filesOf('history', { initDate: day - 1, days: 1, members: 1, seed: step + 1 });
    return { args: ['--history', ...files], code: 0 };
  }
  if (step % 9 === 5) {
    const files = await filesOf('seasonal', { initDate: day, days: 60, horizon: 'seasonal', seed: step + 1 });
    return { args: ['--seasonal', ...files, ...generation], code: 0 };
  }
  const time = new Date(day * 86_400_000 + (step % 4) * 21_600_000).toISOString().slice(0, 16);
  const isLate = step % 11 === 8;
  const isIncomplete = step % 5 === 4;
  const members = isIncomplete ? 2 : 3;
  const files = await filesOf('short', { initDate: day, days: 16, horizon: 'short-term', members, seed: step + 1 });
  const initTime = ['--init-time', isLate ? '2026-01-01T00:00Z' : `${time}Z`];
  return { args: ['--short-term', ...files, ...initTime, ...generation], code: isLate ? 1 : 0 };
}

function ingest(dir, args, flags = ['-q']) {
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'ingest', ...flags, '--store', dir, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { code: status, stderr };
}

const PATHS = locations.flatMap(({ latitude, longitude }) => {
  const at = `lat=${latitude}&lon=${longitude}`;
  return [
    `/v2/forecast/statistics?${at}&var=temp_mean,precipitation&granularity=weekly`,
    `/v2/forecast?${at}&var=temp_mean`,
    `/v1/forecast/seasonal?${at}&var=precipitation&granularity=weekly`,
    `/v2/history?${at}&var=temp_mean`,
  ];
});

/** The generation of an update that is not named is made from the time. */
const bodyOf = (text) => text.replace(/"generation":"\d{8}T\d{6}-[0-9a-f]{8}"/, '"generation":"*"');

/** What the library answers from a store. */
async function answersOf(dir) {
  const source = await openStore(dir);
  const handler = createHandler({
    source,
    keys: memoryKeys([{ id: 'k', owner: 'me', downscaling: false, key: KEY }]),
  });
  const answers = new Map();
  for (const path of PATHS) {
    const response = await handler(new Request(`http://localhost${path}`, { headers: { 'X-Api-Key': KEY } }));
    answers.set(path, `${response.status} ${bodyOf(await response.text())}`);
  }
  await source.close();
  return answers;
}

const serve = () => startServer(CLI, store, { cwd: folder, said: fault });

async function ask(address, path) {
  const response = await fetch(`${address}${path}`, { headers: { 'X-Api-Key': KEY } });
  return `${response.status} ${bodyOf(await response.text())}`;
}

/** Asks until `isOver`, and returns what was answered, by path. */
async function load(address, isOver) {
  const seen = new Map(PATHS.map((path) => [path, new Set()]));
  for (let i = 0; !isOver(); i++) {
    const path = PATHS[i % PATHS.length];
    seen.get(path).add(await ask(address, path).catch((error) => `failed: ${error}`));
  }
  return seen;
}

async function assertSound(dir, when) {
  const { faults: found } = await checkStore(dir);
  for (const { object, problem } of found) fault(`${when}: ${object}: ${problem}`);
}

/** The files of the store's folder that are not part of it. */
function partsLeft() {
  return readdirSync(store, { recursive: true }).filter((name) => /\.part$|\.lock$/.test(name));
}

const first = await filesOf('short', { initDate: FIRST - 1, days: 16, horizon: 'short-term' });
const season = await filesOf('seasonal', { initDate: FIRST - 1, days: 60, horizon: 'seasonal' });
const past = await filesOf('history', { initDate: FIRST - 402, days: 400, members: 1 });
const started = ingest(store, ['--short-term', ...first, '--seasonal', ...season, '--history', ...past]);
if (started.code !== 0) throw new Error(started.stderr);
const created = spawnSync(process.execPath, [CLI, 'key', 'create', '--store', store, '--owner', 'me'], {
  encoding: 'utf8',
});
const KEY = created.stdout.trim();

const { child, address } = await serve();
let [killed, kept, replaced, continued, requests] = [0, 0, 0, 0, 0];
try {
  for (let step = 0; killed < kills; step++) {
    const { args, code } = await feedOf(step);
    const before = await answersOf(store);
    const copy = join(folder, 'after');
    rmSync(copy, { recursive: true, force: true });
    cpSync(store, copy, { recursive: true });
    const began = performance.now();
    const made = ingest(copy, args);
    const took = performance.now() - began;
    if (made.code !== code) fault(`step ${step}: exit code ${made.code} in place of ${code}: ${made.stderr}`);
    const after = await answersOf(copy);

    const feed = spawn(process.execPath, [CLI, 'ingest', '-q', '--store', store, ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
    let isOver = false;
    // Under load it takes longer than it took.
    const ended = new Promise((done) => feed.once('close', done));
    const loading = load(address, () => isOver);
    await Promise.race([wait(took * (0.3 + random(3000) / 1000)), ended]);
    feed.kill('SIGKILL');
    await ended;
    killed++;
    await assertSound(store, `step ${step}, after the kill`);
    await wait(REFRESH);
    isOver = true;
    for (const [path, seen] of await loading) {
      requests += seen.size;
      for (const answer of seen) {
        if (answer !== before.get(path) && answer !== after.get(path))
          fault(`step ${step}: ${path}: ${answer.slice(0, 200)}`);
      }
    }
    const now = await answersOf(store);
    const isAll = (other) => PATHS.every((path) => now.get(path) === other.get(path));
    if (isAll(after)) replaced++;
    else if (isAll(before)) kept++;
    else fault(`step ${step}: the answers are neither those of before nor those of after`);
    if (!isAll(after)) {
      const again = ingest(store, args, []);
      if (again.stderr.includes('taken from an ingest that was stopped')) continued++;
      if (again.code !== code) fault(`step ${step}, again: exit code ${again.code}: ${again.stderr}`);
      // The next step begins when the server has seen it.
      await wait(REFRESH);
    }
    const final = await answersOf(store);
    for (const path of PATHS)
      if (final.get(path) !== after.get(path)) fault(`step ${step}: ${path} is not that of after`);
    // What a kill leaves after the feed was published goes with the next update.
    const left = isAll(after) ? [] : partsLeft();
    if (left.length > 0) fault(`step ${step}: ${left.join(', ')} are left`);
  }
} finally {
  child.kill('SIGKILL');
}
console.log(
  `${killed} feeds were killed: ${kept} changed nothing, ${continued} of these were continued, ${replaced} were published; ${requests} different answers`,
);

const flipped = join(folder, 'flipped');
cpSync(store, flipped, { recursive: true });
const right = await answersOf(flipped);
let flips = 0;
for (const name of readdirSync(flipped, { recursive: true })) {
  if (!/^(updates|generations)\/.*\.(blocks|arrow|json)$/.test(name)) continue;
  const file = join(flipped, name);
  const bytes = readFileSync(file);
  const damaged = Buffer.from(bytes);
  damaged[random(bytes.length)] ^= 1 << random(8);
  writeFileSync(file, damaged);
  flips++;
  const { faults: found } = await checkStore(flipped);
  if (!found.some(({ object }) => object === file)) fault(`a changed bit in ${name} was not found`);
  const answers = await answersOf(flipped).catch(() => new Map());
  for (const [path, answer] of answers) {
    if (answer !== right.get(path) && !answer.startsWith('503 ')) fault(`a changed bit in ${name} is served: ${path}`);
  }
  writeFileSync(file, bytes);
}
console.log(`${flips} objects, a bit changed in each`);
rmSync(folder, { recursive: true, force: true });
if (faults.length > 0) {
  console.error(`${faults.length} faults`);
  process.exit(1);
}
console.log('no fault');
