import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { statistics as compute, loadCore } from '../../dist/arrays.js';
import { normal, randomNumbers } from './random.mjs';

const [MEMBERS, CASES] = [31, 600];
const PROBABILITIES = [0.01, 0.05, 0.1, 0.2, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99];
const TYPES = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const LIMIT = 2.5;

/** A third of the cases has many ties, and a third members that are missing. */
function membersOfCases() {
  const random = randomNumbers(5);
  return Float64Array.from({ length: MEMBERS * CASES }, (_, i) => {
    const kind = Math.floor((3 * (i % CASES)) / CASES);
    const value = 3 * normal(random);
    if (kind === 1) return Math.round(value);
    return kind === 2 && random() < 0.3 ? Number.NaN : value;
  });
}

async function ours(data) {
  const core = await loadCore();
  const array = { data, shape: [MEMBERS, CASES], dims: ['member', 'time'], start: '2026-01-01' };
  const options = {
    ...{ granularity: 'daily', window: 'mean', minMemberShare: 0, quantiles: PROBABILITIES, thresholds: [`>${LIMIT}`] },
    spread: true,
  };
  const results = {};
  for (const quantileType of TYPES) {
    const { columns } = compute(core, array, { ...options, quantileType });
    results[`type ${quantileType}`] = PROBABILITIES.flatMap((p) => [...columns[nameOf(p)]]);
    results.mean = [...columns.mean];
    results.spread = [...columns.spread];
    results.share = [...(columns[`p_gt_${LIMIT}`.replace('.', '_')] ?? columns[`p_gt_${LIMIT}`])];
  }
  return results;
}

function nameOf(probability) {
  return `q${String(Math.round(100 * probability)).padStart(2, '0')}`;
}

/** Runs a peer on the members; it prints lines of a tool, a name and numbers. */
async function rows({ folder }, run) {
  const data = membersOfCases();
  const path = join(folder, 'members.f64');
  await writeFile(path, data);
  const results = await ours(data);
  return run([path, MEMBERS, CASES, LIMIT, PROBABILITIES.join(',')].map(String))
    .trim()
    .split('\n')
    .map((line) => {
      const [tool, what, numbers] = line.split('\t');
      const theirs = numbers.split(' ').map(Number);
      // The last probabilities, where a program was not asked for the first.
      return {
        tool,
        what: TITLES[what] ?? `quantiles, ${what}`,
        ours: results[what].slice(-theirs.length),
        theirs,
        bound: 1e-13,
      };
    });
}

const TITLES = { mean: 'mean', spread: 'standard deviation', share: `share of members above ${LIMIT}` };
const PEER = 'scripts/verify/peers/statistics.py';

export const statistics = {
  title: 'Statistics over members',
  about: `${CASES} cases of ${MEMBERS} members, a third of them with many ties, a third with missing members. Quantiles of ${PROBABILITIES.length} probabilities, of the nine types of Hyndman and Fan (1996).`,
  notes: [
    'CDO 2.1.1 does not interpolate between the two lowest members: `enspctl` with `--percentile numpy_linear` returns the lowest. It is asked for probabilities from 0.1 on.',
  ],
  comparisons: [
    ...['numpy', 'scipy', 'pandas', 'xarray', 'polars', 'duckdb'].map((name) => ({
      needs: [...new Set(['numpy', name])],
      compare: (tools) => rows(tools, (args) => tools.python(PEER, [name, ...args])),
    })),
    {
      needs: ['R'],
      compare: (tools) => rows(tools, (args) => tools.rscript('scripts/verify/peers/statistics.R', args)),
    },
    {
      needs: ['CDO', 'numpy', 'xarray', 'netCDF4'],
      compare: (tools) => rows(tools, (args) => tools.python(PEER, ['CDO', ...args])),
    },
  ],
};
