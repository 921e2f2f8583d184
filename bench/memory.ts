/**
 * The memory that a workload takes beyond its input, as the operating system counts it.
 *
 *   node build/bench/memory.js [W|T|M] [CELLS]
 *
 * Three processes: an empty Node, one that makes the input, one that computes on it as well. Their peaks are compared.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loadCore } from '../src/core/load.js';
import { plumecastContestants } from './contestants/plumecast.js';
import { createMembers } from './data.js';
import { WORKLOADS, type Workload } from './workloads.js';

const [key = 'W', cells = '20000', stage] = process.argv.slice(2);
const workload = WORKLOADS.find((each) => each.key === key);
if (workload === undefined) {
  throw new Error(`${key}: no workload; allowed: ${WORKLOADS.map((each) => each.key).join(', ')}`);
}

if (stage === undefined) compare(workload);
else await printPeak(workload);

function compare({ title }: Workload): void {
  const script = fileURLToPath(import.meta.url);
  const empty = child(['-e', 'console.log(JSON.stringify({ peak: process.resourceUsage().maxRSS * 1024 }))']).peak;
  const { peak: peakWithInput } = child([script, key, cells, 'input']);
  const { peak, input, results } = child([script, key, cells, 'statistics']);
  const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  console.log(
    [
      `${title}, ${cells} cells; input beside the core's memory, copied in blocks; Node ${process.versions.node}`,
      `peak ${megabytes(peak)}; empty Node ${megabytes(empty)}; with nothing but the input ${megabytes(peakWithInput)}`,
      `input ${megabytes(input)}, results ${megabytes(results)}`,
      `beyond empty Node and input: ${megabytes(peak - empty - input)}`,
      `beyond empty Node, input and results: ${megabytes(peak - empty - input - results)}`,
    ].join('\n'),
  );
}

function child(args: string[]): { peak: number; input: number; results: number } {
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

async function printPeak(workload: Workload): Promise<void> {
  const members = createMembers(Number(cells));
  // Pages count once they are written; the values do not matter.
  for (const values of members) values.fill(1);
  const input = members.reduce((sum, { byteLength }) => sum + byteLength, 0);
  let results = 0;
  if (stage === 'statistics') {
    const [copying] = plumecastContestants(await loadCore());
    const columns = copying.prepare(workload, [members])(0);
    const counts = 4 * columns[0].length;
    results = columns.reduce((sum, { byteLength }) => sum + byteLength, counts);
  }
  console.log(JSON.stringify({ peak: process.resourceUsage().maxRSS * 1024, input, results }));
}
