import type { Pairing } from '../../src/blend/pairing.js';
import { evenRank, switchOrder } from '../../src/blend/switch-order.js';

/** A horizon's members, day after day for each cell in turn; all begin on one day. */
export interface PlainHorizon {
  readonly days: number;
  readonly members: readonly Float32Array[];
}

/** Timelines in plain TypeScript, of one formulation: ranks by sorting indices, days copied one by one. */
export function plainBlend(horizons: readonly PlainHorizon[], plan: Pairing, cells: number): Float32Array[] {
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
