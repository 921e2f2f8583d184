import { arch, availableParallelism, cpus, loadavg, platform } from 'node:os';
import manifest from '../package.json' with { type: 'json' };
import type { Contestant } from './contestant.js';
import type { Deviation } from './reference.js';

/** The size that the aim is set for. */
const GOAL_CELLS = 2_000;

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
    'Nanoseconds per output (one cell and window; mean and five quantiles over 31 members; 180 days), the median of a turn and',
    'the best turn where contestants take several; one thread.',
    'Timed: from float32 values in memory to new float32 arrays of results. In brackets: how many times as fast as the best',
    'plain JavaScript of that column, which is set in bold. Error: the worst relative one against the correctly rounded float32,',
    'and the share of results that differ from it. A dash: not measured, as a single run would take too long.',
  ];
  return `${head.join('\n')}\n\n${reports.map(table).join('\n\n')}\n`;
}

function table(report: WorkloadReport): string {
  const { key, title, windows, sizes, lines } = report;
  const best = sizes.map((_, i) => bestPlain(lines, i));
  const heads = sizes.map((cells) => `${cells.toLocaleString('en')} ${cells === 1 ? 'cell' : 'cells'}`);
  return [
    `### ${key}: ${title}, ${windows} windows`,
    '',
    `| contestant | ${heads.join(' | ')} | worst error | differ |`,
    `|---|${'---:|'.repeat(sizes.length + 2)}`,
    ...lines.map(({ contestant, kind, nanoseconds, deviation }) => {
      const figures = nanoseconds.map((time, i) => (time === null ? '–' : cellText(time, best[i])));
      const name = kind === 'plain JavaScript' ? `JavaScript: ${contestant}` : contestant;
      return `| ${[name, ...figures, errorText(deviation.worst), shareText(deviation.share)].join(' | ')} |`;
    }),
    '',
    summary(report),
  ].join('\n');
}

function bestPlain(lines: readonly Line[], size: number, mostError = Number.POSITIVE_INFINITY): number {
  const plain = lines.filter((line) => line.kind === 'plain JavaScript' && line.deviation.worst <= mostError);
  return Math.min(...plain.map((line) => line.nanoseconds[size] ?? Number.POSITIVE_INFINITY));
}

/** The aim: plumecast beside the best plain JavaScript, and beside the best that is right to the last bit. */
function summary({ sizes, lines }: WorkloadReport): string {
  const size = sizes.indexOf(GOAL_CELLS);
  const best = bestPlain(lines, size);
  const exact = bestPlain(lines, size, 0);
  const beside = lines.flatMap(({ contestant, kind, nanoseconds }) => {
    const time = nanoseconds[size];
    if (kind !== 'plumecast' || time === null) return [];
    return `${contestant}: ${times(best, time)} and ${times(exact, time)}`;
  });
  const cells = GOAL_CELLS.toLocaleString('en');
  return `At ${cells} cells, beside the best plain JavaScript and the best that is correctly rounded: ${beside.join('; ')}.`;
}

function times(slow: number, fast: number): string {
  return `${(slow / fast).toFixed(slow / fast < 10 ? 2 : 1)}×`;
}

function cellText(time: number, best: number): string {
  const text = time.toLocaleString('en', { maximumSignificantDigits: 3 });
  return time === best ? `**${text}**` : `${text} (${times(best, time)})`;
}

function errorText(error: number): string {
  return error === 0 ? '0' : error.toExponential(1);
}

function shareText(share: number): string {
  return share === 0 ? '0' : `${(share * 100).toPrecision(2)} %`;
}
