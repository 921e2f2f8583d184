/**
 * Feeds a served store as the feeds of a service come, day after day, under load:
 *
 *   node scripts/check-month.mjs [DAYS] [SEED]      by default 30 days
 *
 * A short-term run comes every six hours, a subseasonal one of more members every week, a seasonal one every 30 days, and the
 * history every day. Some short-term runs lack members, some have too few to be used, some come late and are older than
 * the present one; where two feeds come at once, they are ingested at the same time. All the while four clients ask. No
 * request may fail, each answer must be that of one generation, byte for byte, and the answers of each generation must be the numbers that
 * the library computes from the tables that were fed. Exits with 1 where anything is wrong.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dayNumber, formatDate } from '../dist/calendar.js';
import { demoTables } from '../dist/demo.js';
import { encodeTable } from '../dist/files.js';
import { allMembers, blendVariables, loadCore, statistics } from '../dist/index.js';
import { checkStore } from '../dist/service-node.js';
import { startServer } from './start-server.mjs';

const days = Number(process.argv[2] ?? 30);
let seed = Number(process.argv[3] ?? Date.now() % 1e6);
console.log(`${days} days, seed ${seed}`);

const CLI = resolve('dist/cli.js');
const FIRST = dayNumber(2026, 3, 2);
const HISTORY_DAYS = 400;
const CLIENTS = 4;
const SLUGS = ['temp_mean', 'precipitation'];
const locations = [37, 37.25].flatMap((latitude) => [-80, -79.75].map((longitude) => ({ latitude, longitude })));
/** Members and whole days of the runs. */
const RUNS = {
  'short-term': { members: 5, days: 15 },
  subseasonal: { members: 11, days: 36 },
  seasonal: { members: 7, days: 130 },
};
const PATHS = locations.flatMap((at) => [
  { kind: 'statistics', at, query: '&granularity=weekly' },
  { kind: 'statistics', at, query: '&granularity=weekly&members=all' },
  { kind: 'members', at, query: '' },
  { kind: 'history', at, query: '' },
]);
const PATH_OF = { statistics: '/v2/forecast/statistics', members: '/v2/forecast', history: '/v2/history' };
const urlOf = ({ kind, at, query }) =>
  `${PATH_OF[kind]}?lat=${at.latitude}&lon=${at.longitude}&var=${SLUGS.join()}${query}`;

const core = await loadCore();
const folder = mkdtempSync(join(tmpdir(), 'plumecast-check-month-'));
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

/** Tables of a run whose first whole day is `day`. */
function tablesOf(horizon, day, members = RUNS[horizon].members) {
  const options = { horizon, locations, initDate: day, days: RUNS[horizon].days, members, seed: random(1e6) };
  const tables = demoTables(options);
  return Object.fromEntries(SLUGS.map((slug) => [slug, tables[slug]]));
}

/** Writes tables, and returns the names of the files. */
async function filesOf(name, tables, format) {
  const files = [];
  for (const [slug, table] of Object.entries(tables)) {
    files.push(`${name}-${slug}.${format}`);
    writeFileSync(join(folder, files.at(-1)), await encodeTable(table, format));
  }
  return files;
}

const took = [];
/** Runs an ingest; resolves to its exit code and what it says. */
async function ingest(args) {
  const began = performance.now();
  const child = spawn(process.execPath, [CLI, 'ingest', '-q', '--store', store, ...args], { cwd: folder });
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  const code = await new Promise((done) => child.once('close', done));
  took.push(performance.now() - began);
  return { code, said };
}

/* What is published: the tables of each horizon, and the values of the history by variable, place and day. */

const withRun = (horizon, tables) => (state) => ({ ...state, horizons: { ...state.horizons, [horizon]: tables } });

const withHistory = (tables, day, count) => (state) => {
  const history = new Map(state.history);
  for (const slug of SLUGS) {
    const values = tables[slug].getChild('member_00').toArray();
    for (let cell = 0; cell < locations.length; cell++) {
      for (let d = 0; d < count; d++) {
        const key = `${slug} ${cell} ${formatDate(day + d)}`;
        history.set(key, values[cell * count + d]);
      }
    }
  }
  return { ...state, history };
};

/** The feeds of a moment: what to ingest, the exit code, and what is published by it. */
async function feedsAt(day, hour) {
  const name = `${formatDate(day)}-${hour}`;
  const feeds = [];
  const run = async (horizon, wholeDay, format) => {
    const tables = tablesOf(horizon, wholeDay);
    const files = await filesOf(`${name}-${horizon}`, tables, format);
    const init = ['--init-time', `${formatDate(day)}T${String(hour).padStart(2, '0')}:00Z`];
    feeds.push({ kind: horizon, args: [`--${horizon}`, ...files, ...init], code: 0, change: withRun(horizon, tables) });
  };
  const step = (day - FIRST) * 4 + hour / 6;
  if (hour === 0 && (day - FIRST) % 30 === 0) await run('seasonal', day, 'arrow');
  if (hour === 6 && (day - FIRST) % 7 === 0) await run('subseasonal', day + 1, 'parquet');
  if (hour === 12) {
    const tables = demoTables({ locations, initDate: day - 1, days: 1, members: 1, seed: random(1e6) });
    const files = await filesOf(
      `${name}-history`,
      Object.fromEntries(SLUGS.map((slug) => [slug, tables[slug]])),
      'arrow',
    );
    feeds.push({ kind: 'history', args: ['--history', ...files], code: 0, change: withHistory(tables, day - 1, 1) });
  }
  const [isLate, isTooSmall, isIncomplete] = [step % 11 === 8, step % 13 === 7, step % 5 === 4];
  const members = isTooSmall ? 2 : isIncomplete ? 4 : 5;
  const wholeDay = isLate ? day - 2 : hour === 0 ? day : day + 1;
  const tables = tablesOf('short-term', wholeDay, members);
  const files = await filesOf(`${name}-short`, tables, step % 2 === 0 ? 'arrow' : 'parquet');
  const time = isLate ? `${formatDate(day - 2)}T00:00Z` : `${formatDate(day)}T${String(hour).padStart(2, '0')}:00Z`;
  feeds.push({
    kind: isLate ? 'late' : isTooSmall ? 'too small' : isIncomplete ? 'incomplete' : 'short-term',
    args: ['--short-term', ...files, '--init-time', time],
    code: isLate ? 1 : isTooSmall ? 3 : 0,
    change: withRun('short-term', tables),
  });
  return feeds;
}

/** What the library says of the horizons and the history of a state. */
function expectedAnswers({ horizons, history }) {
  const timelines = blendVariables(
    core,
    Object.keys(RUNS).map((horizon) => horizons[horizon]),
  );
  return new Map(PATHS.map((path) => [urlOf(path), expectedOf(path, timelines, history)]));
}

/** By variable: the numbers of each row, not rounded. */
function expectedOf({ kind, at, query }, timelines, history) {
  const point = at;
  const cell = locations.indexOf(at);
  return Object.fromEntries(
    SLUGS.map((slug) => {
      if (kind === 'history') {
        const rows = [...history].flatMap(([key, value]) => {
          const [of, place, date] = key.split(' ');
          return of === slug && Number(place) === cell ? [[date, [value]]] : [];
        });
        rows.sort(([a], [b]) => (a < b ? -1 : 1));
        return [slug, rows.slice(-366)];
      }
      const timeline = timelines[slug];
      if (kind === 'members') {
        const { table } = timeline;
        const count = table.numRows / locations.length;
        const columns = table.schema.fields
          .filter(({ name }) => name.startsWith('member_'))
          .map(({ name }) => table.getChild(name));
        const dates = table.getChild('date');
        const rows = Array.from({ length: count }, (_, d) => {
          const row = cell * count + d;
          return [new Date(dates.get(row)).toISOString().slice(0, 10), columns.map((column) => column.get(row))];
        });
        return [slug, rows];
      }
      const data = query.includes('members=all') ? allMembers(timeline) : timeline;
      const table = statistics(core, data, { granularity: 'weekly', point });
      const rows = [...table].map((row) => [row.period, [row.mean, row.q05, row.q25, row.q50, row.q75, row.q95]]);
      return [slug, rows];
    }),
  );
}

const ROWS_OF = { statistics: 'statistics', members: 'members', history: 'values' };

/** What of an answer is not as the library has it, whose numbers are rounded to two decimals; undefined where all is. */
function difference({ kind }, text, expected) {
  const body = JSON.parse(text);
  for (const slug of SLUGS) {
    const found = Object.entries((body.variables ?? body.data)[slug][ROWS_OF[kind]]);
    const wanted = expected[slug];
    if (found.length !== wanted.length) return `${slug} has ${found.length} rows in place of ${wanted.length}`;
    for (const [i, [key, values]] of found.entries()) {
      const [name, exact] = wanted[i];
      const numbers = kind === 'statistics' ? Object.values(values) : [values].flat();
      const isSame =
        key === name &&
        numbers.length === exact.length &&
        numbers.every((number, k) => (number === null ? exact[k] == null : Math.abs(number - exact[k]) <= 0.0051));
      if (!isSame) return `${slug} ${key} is ${numbers} in place of ${name} ${exact}`;
      compared += numbers.length;
    }
  }
  return undefined;
}

const serve = () => startServer(CLI, store, { cwd: folder, said: fault });

/* What was answered, by generation (of a history by its text alone) and path: one text each. */
const seen = new Map();
const times = [];
let compared = 0;
let isOver = false;

async function ask(path) {
  const url = urlOf(path);
  const began = performance.now();
  const response = await fetch(address + url, { headers: { 'X-Api-Key': KEY } });
  const text = await response.text();
  times.push(performance.now() - began);
  if (response.status !== 200) {
    fault(`${url}: ${response.status} ${text}`);
    return undefined;
  }
  const generation = path.kind === 'history' ? 'history' : JSON.parse(text).generation;
  const texts = seen.get(generation) ?? new Map();
  seen.set(generation, texts);
  const known = texts.get(url) ?? new Set();
  texts.set(url, known.add(text));
  if (path.kind !== 'history' && known.size > 1) fault(`${url}: two answers of ${generation}`);
  return { generation, text, header: response.headers.get('forecast-incomplete') };
}

async function load(client) {
  for (let i = client; !isOver; i += CLIENTS + 1)
    await ask(PATHS[i % PATHS.length]).catch((error) => fault(`${error}: ${error.cause}`));
}

/** Asks for the generation that is served. */
async function servedGeneration() {
  return (await (await fetch(`${address}/ready`)).json()).generation;
}

/**
 * Compares the answers of the generation that is published now, once the server has it; where several feeds were published
 * one after the other, also those of the generations between, each of which is of some of the feeds.
 */
async function verify(when, state, { before, between = [] }) {
  const expected = expectedAnswers(state);
  let generation = await servedGeneration();
  for (let turn = 0; before !== undefined && generation === before && turn < 500; turn++) {
    await wait(10);
    generation = await servedGeneration();
  }
  if (between.length > 0) {
    // The server looks once a second, and may have seen the first of them.
    await wait(1200);
    generation = await servedGeneration();
  }
  for (const path of PATHS) {
    const answer = await ask(path);
    if (answer === undefined) continue;
    if (path.kind !== 'history' && answer.generation !== generation)
      fault(`${when}: ${answer.generation} is served, not ${generation}`);
    const different = difference(path, answer.text, expected.get(urlOf(path)));
    if (different !== undefined) fault(`${when}, ${urlOf(path)}: ${different}`);
    if (path.kind === 'history') checkHistories(path, answer.text, when);
  }
  generations.add(generation);
  const possible = between.map(expectedAnswers);
  for (const [other, texts] of seen) {
    if (other === 'history' || generations.has(other)) continue;
    generations.add(other);
    for (const path of PATHS) {
      for (const text of texts.get(urlOf(path)) ?? []) {
        const isOfSome = possible.some((answers) => difference(path, text, answers.get(urlOf(path))) === undefined);
        if (!isOfSome) fault(`${when}, ${urlOf(path)}: ${other} is neither of before nor of some of the feeds`);
      }
    }
  }
  for (const known of seen.keys()) if (known !== 'history' && known !== generation) seen.delete(known);
  return generation;
}

/** A history is that of before a feed or of after it. */
const histories = new Map();
function checkHistories(path, now, when) {
  const url = urlOf(path);
  const texts = seen.get('history').get(url);
  const before = histories.get(url);
  for (const text of texts) if (text !== now && text !== before) fault(`${when}: ${url}: neither before nor after`);
  histories.set(url, now);
  seen.get('history').set(url, new Set([now]));
}

const generations = new Set();
const past = demoTables({
  locations,
  initDate: FIRST - 1 - HISTORY_DAYS,
  days: HISTORY_DAYS,
  members: 1,
  seed: random(1e6),
});
const start = {
  short: tablesOf('short-term', FIRST - 1),
  sub: tablesOf('subseasonal', FIRST - 3),
  seasonal: tablesOf('seasonal', FIRST - 20),
};
let state = withHistory(
  past,
  FIRST - 1 - HISTORY_DAYS,
  HISTORY_DAYS,
)({ horizons: { 'short-term': start.short, subseasonal: start.sub, seasonal: start.seasonal }, history: new Map() });
const began = await ingest([
  ...['--short-term', ...(await filesOf('start-short', start.short, 'arrow'))],
  ...['--subseasonal', ...(await filesOf('start-sub', start.sub, 'arrow'))],
  ...['--seasonal', ...(await filesOf('start-seasonal', start.seasonal, 'arrow'))],
  ...[
    '--history',
    ...(await filesOf('start-history', Object.fromEntries(SLUGS.map((slug) => [slug, past[slug]])), 'arrow')),
  ],
]);
if (began.code !== 0) throw new Error(began.said);
const created = spawnSync(process.execPath, [CLI, 'key', 'create', '--store', store, '--owner', 'me'], {
  encoding: 'utf8',
});
const KEY = created.stdout.trim();

const { child, address } = await serve();
const counts = {};
const started = performance.now();
try {
  let generation = await verify('at the start', state, {});
  const loading = Array.from({ length: CLIENTS }, (_, client) => load(client));
  for (let day = FIRST; day < FIRST + days; day++) {
    for (const hour of [0, 6, 12, 18]) {
      const when = `${formatDate(day)} ${hour}:00`;
      const feeds = await feedsAt(day, hour);
      const ended = await Promise.all(feeds.map(({ args }) => ingest(args)));
      for (const [f, { kind, code }] of feeds.entries()) {
        counts[kind] = (counts[kind] ?? 0) + 1;
        const { code: found, said } = ended[f];
        if (found !== code) fault(`${when}: ${kind} ended with ${found} in place of ${code}: ${said}`);
      }
      const changes = feeds.flatMap(({ code, change }) => (code === 0 ? change : []));
      const between = changes.length > 1 ? changes.map((change) => change(state)) : [];
      state = changes.reduce((now, change) => change(now), state);
      generation = await verify(when, state, { before: changes.length > 0 ? generation : undefined, between });
    }
  }
  isOver = true;
  await Promise.all(loading);
} finally {
  isOver = true;
  child.kill('SIGKILL');
}
const { faults: damage } = await checkStore(store);
for (const { object, problem } of damage) fault(`${object}: ${problem}`);
const left = readdirSync(store, { recursive: true }).filter((name) => /\.part$|\.lock$/.test(name));
if (left.length > 0) fault(`${left.join(', ')} are left`);
const sizes = readdirSync(store, { recursive: true }).map((name) => statSync(join(store, name)));
const bytes = sizes.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
const at = (list, share) =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(share * list.length))].toFixed(1);
const seconds = (performance.now() - started) / 1000;
console.log(
  `feeds: ${Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')}; ${generations.size} generations`,
);
console.log(
  `requests: ${times.length} (${(times.length / seconds).toFixed(0)} a second), ms at 50 %, 99 %, most: ${at(times, 0.5)}, ${at(times, 0.99)}, ${at(times, 1)}`,
);
console.log(
  `numbers compared with the library: ${compared}; ingests, ms at 50 %, most: ${at(took, 0.5)}, ${at(took, 1)}; the store has ${bytes} bytes; ${seconds.toFixed(0)} s`,
);
rmSync(folder, { recursive: true, force: true });
if (faults.length > 0) {
  console.error(`${faults.length} faults`);
  process.exit(1);
}
console.log('no fault');
