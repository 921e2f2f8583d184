import { arch, availableParallelism, cpus, loadavg, platform } from 'node:os';
import manifest from '../package.json' with { type: 'json' };
import type { Contestant } from './contestant.js';
import type { Deviation } from './reference.js';

/** What one contestant did with one workload. */
export interface Line {
  readonly contestant: string;
  readonly kind: Contestant['kind'];
  /** Nanoseconds per output for each of the sizes; null where it was not measured. */
  readonly nanoseconds: readonly (number | null)[];
  readonly deviation: Deviation;
}

export interface WorkloadReport {
  readonly key: string;
  readonly title: string;
  readonly windows: number;
  readonly sizes: readonly number[];
  readonly lines: readonly Line[];
}

/** Where and with what a run was made; call it before the work, for the load of the machine. */
export function describeRun() {
  const { tinybench, 'd3-array': d3 } = manifest.devDependencies;
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: `${cpus()[0].model.trim()}, ${availableParallelism()} cores, ${platform()} ${arch()}`,
    loadBefore: loadavg()[0],
    node: process.versions.node,
    versions: { plumecast: manifest.version, 'd3-array': d3, tinybench },
  };
}

export function markdown(run: ReturnType<typeof describeRun>, reports: readonly WorkloadReport[]): string {
  const versions = Object.entries(run.versions).map(([name, version]) => `${name} ${version}`);
  const head = [
    `${run.processor}, load ${run.loadBefore.toFixed(1)} before the run; Node ${run.node}; ${versions.join(', ')}; ${run.date}.`,
    'Nanoseconds per output (one cell and window; mean and five quantiles over 31 members; 180 days), medians, one thread.',
    'Timed: from float32 values in memory to new float32 arrays of results. In brackets: how many times as fast as the best',
    'plain JavaScript of that column, which is set in bold. Error: the worst relative one against the correctly rounded float32,',
    'and the share of results that differ from it. A dash: not measured, as a single run would take too long.',
  ];
  return `${head.join('\n')}\n\n${reports.map(table).join('\n\n')}\n`;
}

function table({ key, title, windows, sizes, lines }: WorkloadReport): string {
  const best = sizes.map((_, i) => bestPlain(lines, i));
  const columns = sizes.map((cells) => `${cells.toLocaleString('en')} ${cells === 1 ? 'cell' : 'cells'}`);
  return [
    `### ${key}: ${title}, ${windows} windows`,
    '',
    `| contestant | ${columns.join(' | ')} | worst error | differ |`,
    `|---|${'---:|'.repeat(sizes.length + 2)}`,
    ...lines.map(({ contestant, kind, nanoseconds, deviation }) => {
      const times = nanoseconds.map((time, i) => (time === null ? '–' : cellText(time, best[i])));
      const name = kind === 'plain JavaScript' ? `JavaScript: ${contestant}` : contestant;
      return `| ${[name, ...times, errorText(deviation.worst), shareText(deviation.share)].join(' | ')} |`;
    }),
  ].join('\n');
}

function bestPlain(lines: readonly Line[], size: number): number {
  const times = lines.filter(({ kind }) => kind === 'plain JavaScript').map(({ nanoseconds }) => nanoseconds[size]);
  return Math.min(...times.filter((time) => time !== null));
}

function cellText(time: number, best: number): string {
  const text = time.toLocaleString('en', { maximumSignificantDigits: 3 });
  return time === best ? `**${text}**` : `${text} (${(best / time).toFixed(best / time < 10 ? 2 : 1)}×)`;
}

function errorText(error: number): string {
  return error === 0 ? '0' : error.toExponential(1);
}

function shareText(share: number): string {
  return share === 0 ? '0' : `${(share * 100).toPrecision(2)} %`;
}
