import { arch, availableParallelism, cpus, loadavg, platform } from 'node:os';
import manifest from '../package.json' with { type: 'json' };
import type { Contestant } from './contestant.js';
import { peerVersions } from './peers.js';
import type { Deviation } from './reference.js';
import type { Absent } from './rivals/absent.js';
import type { Rival } from './rivals/rival.js';

/** What one contestant did with one workload. */
export interface Line {
  readonly name: string;
  readonly formulation?: string;
  readonly kind: Contestant['kind'] | Rival['kind'];
  /** Nanoseconds per output for each of the sizes; null where it was not measured. */
  readonly nanoseconds: readonly (number | null)[];
  /** Absent where nothing is computed. */
  readonly deviation?: Deviation;
}

export interface WorkloadReport {
  readonly key: string;
  readonly title: string;
  readonly windows: number;
  readonly sizes: readonly number[];
  readonly lines: readonly Line[];
}

/** Where and with what a run was made; call it before the work, for the load of the machine. */
export function describeRun(rivals: readonly Rival[], absent: readonly Absent[]) {
  const { tinybench, 'd3-array': d3 } = manifest.devDependencies;
  const { 'simple-statistics': simple, arquero } = peerVersions;
  const libraries = { 'simple-statistics': simple, Arquero: arquero };
  const others = Object.assign({}, ...rivals.map(({ versions }) => versions)) as Record<string, string>;
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: `${cpus()[0].model.trim()}, ${availableParallelism()} cores, ${platform()} ${arch()}`,
    loadBefore: loadavg()[0],
    node: process.versions.node,
    versions: { plumecast: manifest.version, 'd3-array': d3, ...libraries, ...others, tinybench },
    timed: rivals.flatMap(({ name, timed }) => (timed === undefined ? [] : `${name}: ${timed}`)),
    absent: absent.map(({ name, reason }) => `${name}: ${reason}`),
  };
}

export type RunDescription = ReturnType<typeof describeRun>;

/** Machine, load, versions and date in one line. */
export function machineLine({ processor, loadBefore, node, versions, date }: RunDescription): string {
  const all = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${processor}, load ${loadBefore.toFixed(1)} before the run; Node ${node}; ${all.join(', ')}; ${date}.`;
}
