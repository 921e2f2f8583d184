import { blendFields, blendInGroups } from '../src/blend/blend-fields.js';
import { computeBlendedStatistics } from '../src/blend/compute-blended-statistics.js';
import type { Horizon } from '../src/blend/horizon.js';
import type { PairFieldsOptions } from '../src/blend/pairing/pair-fields.js';
import type { Pairing } from '../src/blend/pairing/pairing.js';
import { evenRank, switchOrder } from '../src/blend/pairing/switch-order.js';
import type { EnsembleField } from '../src/core/field.js';
import type { Core } from '../src/core/load.js';
import { MemberColumn } from '../src/core/member-column.js';
import { createRandomStream } from '../src/demo/random.js';
import { windowTable } from '../src/period/period.js';
import { computeStatistics } from '../src/statistics/compute.js';
import { statisticsRequest } from './fields.js';
import { medianTurns } from './timing.js';
import { FIRST_DAY, MEMBERS } from './workloads.js';

/** Days of a short-term, a subseasonal and a seasonal forecast. */
const HORIZON_DAYS = [15, 46, 215];
const OPTIONS: PairFieldsOptions = { method: 'field', overlaps: [3, 7], lastLeads: [14, 41, 214], keepGaps: false };
const BY_CELL: PairFieldsOptions = { ...OPTIONS, method: 'cell' };
const SEED = 20_260_202;

/**
 * Blending three horizons to one timeline, beside one weekly pass of statistics over it and plain TypeScript: a
 * Markdown table.
 */
export function blendingReport(core: Core, cells: number, turns: number): string {
  const horizons = HORIZON_DAYS.map(
    (days, h): Horizon => ({ name: `horizon ${h}`, field: temperatures(h, days, cells) }),
  );
  const plain = horizons.map(({ field }) => ({ days: field.days, members: field.members.map(valuesOf) }));
  const { field: timeline, pairing } = blendFields(core, horizons, OPTIONS);
  const byCell = blendFields(core, horizons, BY_CELL);
  assertSameValues(byCell.field, plainBlend(plain, byCell.pairing, cells));
  const windows = windowTable('weekly', timeline.firstDay, timeline.firstDay + timeline.days - 1);
  const request = statisticsRequest('mean');
  const weekly = (field: EnsembleField) => computeStatistics(core, field, windows, request);
  const jobs = [
    { name: 'weekly statistics of the timeline', run: () => void weekly(timeline) },
    { name: 'blend, a group of cells at a time', run: () => drain(blendInGroups(core, horizons, OPTIONS)) },
    { name: 'blend, with the pairing of another variable', run: () => drain(blendInGroups(core, horizons, pairing)) },
    { name: 'blend by cell, a group of cells at a time', run: () => drain(blendInGroups(core, horizons, BY_CELL)) },
    { name: 'blend, the whole in new arrays', run: () => void blendFields(core, horizons, OPTIONS) },
    {
      name: 'blend and weekly statistics (`computeBlendedStatistics`)',
      run: () => void computeBlendedStatistics(core, horizons, OPTIONS, windows, request),
    },
    {
      name: 'blend and weekly statistics, with the pairing of another variable',
      run: () => void computeBlendedStatistics(core, horizons, pairing, windows, request),
    },
    {
      name: 'blend a group of cells at a time, and weekly statistics of each',
      run: () => {
        for (const { field } of blendInGroups(core, horizons, OPTIONS)) weekly(field);
      },
    },
    {
      name: 'JavaScript: blend by cell, the whole in new arrays',
      run: () => void plainBlend(plain, byCell.pairing, cells),
    },
  ];
  const times = medianTurns(jobs, turns);
  const rows = jobs.map(({ name }, j) => {
    return `| ${name} | ${times[j].toFixed(0)} | ${(times[j] / times[0]).toFixed(2)} |`;
  });
  const size = `${cells.toLocaleString('en')} cells, ${MEMBERS} members`;
  return [
    `### Blending: ${size}, ${HORIZON_DAYS.join(', ')} days to one timeline of ${timeline.days}`,
    '',
    '| | ms | times the weekly pass |',
    '|---|---:|---:|',
    ...rows,
  ].join('\n');
}

function drain(groups: Iterable<unknown>): void {
  for (const _ of groups);
}

function temperatures(horizon: number, days: number, cells: number): EnsembleField {
  const members = Array.from({ length: MEMBERS }, (_, m) => {
    const random = createRandomStream([SEED, horizon, m]);
    const values = new Float32Array(cells * days);
    let x = 0;
    for (let row = 0; row < values.length; row++) {
      x = 0.7 * x + random.nextUniform() - 0.5;
      values[row] = 10 + 8 * x;
    }
    return new MemberColumn(`member ${m}`, [{ values }]);
  });
  return { type: 'float32', order: 'day-fastest', firstDay: FIRST_DAY, days, cells, members };
}

function valuesOf({ chunks }: MemberColumn): Float32Array {
  return chunks[0].values as Float32Array;
}

function assertSameValues({ members }: EnsembleField, expected: readonly Float32Array[]): void {
  members.forEach((member, m) => {
    const values = valuesOf(member);
    const row = expected[m].findIndex((value, at) => value !== values[at]);
    if (row >= 0) throw new Error(`member ${m}, row ${row}: ${values[row]}; expected ${expected[m][row]}`);
  });
}

/** A horizon's members, day after day for each cell in turn; all horizons begin on one day. */
interface PlainHorizon {
  readonly days: number;
  readonly members: readonly Float32Array[];
}

/** Timelines in plain TypeScript: ranks by sorting indices, days copied one by one. */
function plainBlend(horizons: readonly PlainHorizon[], plan: Pairing, cells: number): Float32Array[] {
  const trajectories = horizons[0].members.length;
  const timeline = Array.from({ length: trajectories }, () => new Float32Array(cells * plan.days));
  const orders = plan.seams.map(({ overlapDays }) => switchOrder(trajectories, overlapDays));
  for (let cell = 0; cell < cells; cell++) {
    const on = (h: number, m: number, day: number) => horizons[h].members[m][cell * horizons[h].days + day];
    let member = Array.from({ length: trajectories }, (_, t) => t);
    let from = new Array<number>(trajectories).fill(0);
    plan.seams.forEach((seam, s) => {
      const first = seam.handOver - plan.firstDay;
      const last = seam.complete - plan.firstDay;
      const later = horizons[s + 1].members.map((_, m) => m);
      const mine = sorted(member.map((m) => mean(on, s, m, first, last)));
      const theirs = sorted(later.map((m) => mean(on, s + 1, m, first, last)));
      const { steps, swaps } = orders[s];
      const next = new Array<number>(trajectories);
      const to = new Array<number>(trajectories);
      mine.forEach((t, rank) => {
        next[t] = theirs[evenRank(rank, trajectories, later.length)];
        to[t] = first + steps[rank];
      });
      for (const { atEdge, inside } of swaps) {
        const day = steps[atEdge] === 0 ? first : last;
        const [all, others] = [horizons[s].members.length, later.length];
        const before = centre(on, s, all, day - 1);
        const after = centre(on, s + 1, others, day);
        const stays = (t: number) => on(s, member[t], day - 1) > before === on(s + 1, next[t], day) > after;
        const [a, b] = [mine[atEdge], mine[inside]];
        if (!stays(a) && stays(b)) [to[a], to[b]] = [to[b], to[a]];
      }
      for (let t = 0; t < trajectories; t++) {
        for (let day = from[t]; day < to[t]; day++) timeline[t][cell * plan.days + day] = on(s, member[t], day);
      }
      member = next;
      from = to;
    });
    const h = horizons.length - 1;
    for (let t = 0; t < trajectories; t++) {
      for (let day = from[t]; day < plan.days; day++) timeline[t][cell * plan.days + day] = on(h, member[t], day);
    }
  }
  return timeline;
}

type Value = (horizon: number, member: number, day: number) => number;

function mean(on: Value, horizon: number, member: number, from: number, to: number): number {
  let sum = 0;
  for (let day = from; day < to; day++) sum += on(horizon, member, day);
  return sum / (to - from);
}

function centre(on: Value, horizon: number, members: number, day: number): number {
  let sum = 0;
  for (let m = 0; m < members; m++) sum += on(horizon, m, day);
  return sum / members;
}

/** Indices in the order of their values; the sort is stable. */
function sorted(values: readonly number[]): number[] {
  return [...values.keys()].sort((a, b) => values[a] - values[b]);
}
