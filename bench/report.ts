import { arch, availableParallelism, cpus, loadavg, platform } from 'node:os';
import manifest from '../package.json' with { type: 'json' };
import type { Deviation } from './check.js';
import { type Absent, type Contestant, fullName, type Rival } from './contestant.js';
import { peerVersions } from './peers.js';

/** What one contestant or rival did with one workload. */
export interface Line {
  readonly name: string;
  readonly formulation?: string;
  readonly kind: Contestant['kind'] | Rival['kind'];
  /** Nanoseconds per output for each of the sizes; null where it was not measured. */
  readonly nanoseconds: readonly (number | null)[];
  /** Undefined where nothing is computed. */
  readonly deviation?: Deviation;
}

export interface WorkloadReport {
  readonly key: string;
  readonly title: string;
  readonly windows: number;
  readonly sizes: readonly number[];
  readonly lines: readonly Line[];
}

/** Machine, load, versions and date in one line; call it before the work, because of the load. */
export function machineLine(rivals: readonly Rival[]): string {
  const { tinybench } = manifest.devDependencies;
  const { 'simple-statistics': simple, arquero } = peerVersions;
  const libraries = {
    'd3-array': manifest.dependencies['d3-array'].slice(1),
    'simple-statistics': simple,
    Arquero: arquero,
  };
  const others = Object.assign({}, ...rivals.map(({ versions }) => versions)) as Record<string, string>;
  const versions = Object.entries({ plumecast: manifest.version, ...libraries, ...others, tinybench });
  const processor = `${cpus()[0].model.trim()}, ${availableParallelism()} cores, ${platform()} ${arch()}`;
  const load = `load ${loadavg()[0].toFixed(1)} before the run`;
  const date = new Date().toISOString().slice(0, 10);
  const all = versions.map(([name, version]) => `${name} ${version}`).join(', ');
  return `${processor}, ${load}; Node ${process.versions.node}; ${all}; ${date}.`;
}

/** What is measured, what the rivals time instead, and who is absent. */
export function notes(rivals: readonly Rival[], absent: readonly Absent[]): string {
  return [
    'Nanoseconds per output (one cell and window; mean and five quantiles over 31 members; 180 days), one thread: the',
    'median of a turn, and the best turn where contestants take several. Timed: from float32 values in memory, in the',
    'layout that is fastest for the contestant, to new arrays of results.',
    ...rivals.flatMap(({ name, timed }) => (timed === undefined ? [] : `${name}: ${timed}`)),
    ...absent.map(({ name, reason }) => `Absent: ${name}: ${reason}.`),
  ].join('\n');
}

/** The fastest formulation of one contestant in one workload, at the largest size that it was measured at. */
interface Entry {
  readonly line: Line;
  readonly time: number;
  readonly cells: number;
}

/**
 * One row for each contestant, the fastest in the first workload first; a column for each workload, at the largest
 * size, beside the best plain JavaScript. Where a contestant was measured at fewer cells, the number of cells is shown.
 */
export function summaryTable(reports: readonly WorkloadReport[]): string {
  const names = [...new Set(reports.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  const firstTime = (entries: readonly (Entry | undefined)[]) => entries[0]?.time ?? Number.POSITIVE_INFINITY;
  const rows = names
    .map((name) => ({ name, entries: reports.map((report) => findEntry(report, name)) }))
    .sort((a, b) => firstTime(a.entries) - firstTime(b.entries));
  const largest = Math.max(...reports.flatMap(({ sizes }) => sizes));
  const best = reports.map(({ lines, sizes }) => bestPlain(lines, sizes.indexOf(largest)));
  const heads = [
    `at ${countText(largest, 'cell')}`,
    ...reports.map(({ key, title }) => `${key}: ${title}`),
    ...['fastest of the ways tried', 'results not correctly rounded'],
  ];
  return [
    `| ${heads.join(' | ')} |`,
    `|---|${'---:|'.repeat(reports.length)}---|---|`,
    ...rows.map(({ name, entries }) => {
      const figures = entries.map((entry, i) => (entry === undefined ? '–' : entryText(entry, largest, best[i])));
      return `| ${[name, ...figures, formulations(reports, entries), shares(reports, entries)].join(' | ')} |`;
    }),
  ].join('\n');
}

function findEntry({ lines, sizes }: WorkloadReport, name: string): Entry | undefined {
  const entries = lines.flatMap((line): Entry[] => {
    const size = line.nanoseconds.findLastIndex((time) => time !== null);
    return line.name === name && size >= 0 ? [{ line, time: line.nanoseconds[size]!, cells: sizes[size] }] : [];
  });
  // The largest size counts before the time.
  return entries.sort((a, b) => b.cells - a.cells || a.time - b.time).at(0);
}

function entryText({ time, cells }: Entry, largest: number, best: number): string {
  return cells === largest ? besideBest(time, best) : `${timeText(time)} (${countText(cells, 'cell')})`;
}

/** A formulation that is the same in all workloads is named once. */
function formulations(reports: readonly WorkloadReport[], entries: readonly (Entry | undefined)[]): string {
  const texts = entries.map((entry) => entry?.line.formulation ?? '');
  if (new Set(texts).size === 1) return texts[0];
  return texts.flatMap((text, i) => (text === '' ? [] : `${reports[i].key} ${text}`)).join('; ');
}

function shares(reports: readonly WorkloadReport[], entries: readonly (Entry | undefined)[]): string {
  const texts = entries.flatMap((entry, i) => {
    const share = entry?.line.deviation?.share ?? 0;
    return share === 0 ? [] : `${reports[i].key} ${shareText(share)}`;
  });
  if (texts.length > 0) return texts.join(', ');
  return entries.some((entry) => entry?.line.deviation !== undefined) ? 'none' : '–';
}

/** Every formulation of one workload at every size, beside the best plain JavaScript. */
export function workloadTable({ key, title, windows, sizes, lines }: WorkloadReport): string {
  const best = sizes.map((_, i) => bestPlain(lines, i));
  const heads = sizes.map((cells) => countText(cells, 'cell'));
  return [
    `### ${key}: ${title}, ${windows} windows`,
    '',
    `| contestant | ${heads.join(' | ')} | worst error | differ |`,
    `|---|${'---:|'.repeat(sizes.length + 2)}`,
    ...lines.map((line) => {
      const figures = line.nanoseconds.map((time, i) => (time === null ? '–' : besideBest(time, best[i])));
      const { worst, share } = line.deviation ?? {};
      return `| ${[fullName(line), ...figures, errorText(worst), shareText(share)].join(' | ')} |`;
    }),
  ].join('\n');
}

/** The nanoseconds of the fastest plain JavaScript, at the size of that index. */
function bestPlain(lines: readonly Line[], size: number): number {
  const plain = lines.filter(({ kind }) => kind === 'plain JavaScript');
  return Math.min(...plain.map(({ nanoseconds }) => nanoseconds[size] ?? Number.POSITIVE_INFINITY));
}

/** A time, and how many times as fast as the best plain JavaScript it is; the best one itself is set in bold. */
function besideBest(time: number, best: number): string {
  if (best === Number.POSITIVE_INFINITY) return timeText(time);
  return time === best ? `**${timeText(time)}**` : `${timeText(time)} (${ratioText(best, time)})`;
}

/** `20,000 cells`, `1 cell`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

export function timeText(time: number): string {
  return time.toLocaleString('en', { maximumSignificantDigits: 3 });
}

/** How many times as fast. */
export function ratioText(slow: number, fast: number): string {
  return `${(slow / fast).toFixed(slow / fast < 10 ? 2 : 1)}×`;
}

function errorText(error: number | undefined): string {
  if (error === undefined) return '–';
  return error === 0 ? '0' : error.toExponential(1);
}

function shareText(share: number | undefined): string {
  if (share === undefined) return '–';
  return share === 0 ? '0' : `${(share * 100).toPrecision(2)} %`;
}
