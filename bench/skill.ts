/**
 * Measures scores of ensembles beside libraries of Python, each with one thread; prints a table of ratios.
 *
 *   node build/bench/skill.js [--cells 20000] [--days 180] [--rounds 2]
 *
 * Times are those of the processor: other work of the machine disturbs them less than the clock. PLUMECAST_BENCH_PYTHON names
 * the Python.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type CaseScoreName, loadSkill, scoreCases, scoreEvent, Verification } from '../src/skill/index.js';
import { announce } from './timing.js';

const MEMBERS = 31;
const LIMIT = 2;
/** Cases that a library of Python is given at a time. */
const BLOCK = 90_000;
/** From here, and from build/bench, where the bundle lies. */
const SCRIPT = fileURLToPath(new URL('../../bench/native/skill.py', import.meta.url));
const PYTHON = process.env.PLUMECAST_BENCH_PYTHON ?? 'python3';

interface Measured {
  readonly library: string;
  readonly version: string;
  readonly score: string;
  readonly seconds: number;
}

const { values } = parseArgs({
  options: {
    cells: { type: 'string', default: '20000' },
    days: { type: 'string', default: '180' },
    rounds: { type: 'string', default: '2' },
  },
});
const cases = Number(values.cells) * Number(values.days);
const rounds = Number(values.rounds);
announce(`${cases} cases of ${MEMBERS} members`);
const rows = Array.from({ length: MEMBERS + 1 }, (_, m) => series(m));
const members = rows.slice(0, MEMBERS);
const observations = rows[MEMBERS];
const skill = await loadSkill();

const score = (only: CaseScoreName) => () => scoreCases(skill, { members, observations }, [only]);
const ours: Readonly<Record<string, () => unknown>> = {
  'CRPS and fair CRPS': score('crps'),
  ranks: score('ranks'),
  'Brier and fair Brier score': () => scoreEvent(skill, { members, observations }, `>${LIMIT}`),
  'all scores of a verification, and the event >2': () => {
    const verification = new Verification(skill, { conditions: [`>${LIMIT}`] });
    verification.add({ members, observations });
  },
};
const best = new Map<string, number>();
for (let round = 0; round <= rounds; round++) {
  for (const [name, run] of Object.entries(ours)) {
    const begin = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(begin);
    // The first round warms up.
    if (round > 0) best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, (user + system) / 1e6));
  }
  announce(`plumecast, round ${round} of ${rounds}`);
}

const theirs = beside();
console.log('| of plumecast | s | beside | s | times as long |\n|---|---|---|---|---|');
for (const { library, version, score: what, seconds } of theirs) {
  const name = what.includes('CRPS') ? 'CRPS and fair CRPS' : what.includes('rank') ? 'ranks' : [...best.keys()][2];
  const own = best.get(name) ?? Number.NaN;
  const ratio = (seconds / own).toFixed(1);
  console.log(`| ${name} | ${own.toFixed(2)} | ${what} by ${library} ${version} | ${seconds.toFixed(2)} | ${ratio} |`);
}

/** Values of a member, or the observations: quick to make, and without ties. */
function series(seed: number): Float64Array {
  let state = 1 + seed * 2_654_435_761;
  return Float64Array.from({ length: cases }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return 10 * ((state >>> 0) / 4_294_967_296 - 0.5);
  });
}

/** What the libraries of Python take for the same numbers. */
function beside(): Measured[] {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-skill-'));
  try {
    const path = join(folder, 'cases.f64');
    const file = openSync(path, 'w');
    for (const row of rows) writeSync(file, new Uint8Array(row.buffer));
    closeSync(file);
    const numbers = [MEMBERS, cases, BLOCK, LIMIT, rounds].map(String);
    const text = execFileSync(PYTHON, [SCRIPT, path, ...numbers], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return text
      .trim()
      .split('\n')
      .map((line): Measured => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
