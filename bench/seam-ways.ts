import { blendFields } from '../src/blend/blend-fields.js';
import type { Horizon } from '../src/blend/horizon.js';
import { leastCostAssignment } from '../src/blend/pairing/assignment.js';
import { chooseMembers, drawSwitchSteps, drawsOfRun } from '../src/blend/pairing/draws.js';
import { type PairFieldsOptions, planPairing } from '../src/blend/pairing/pair-fields.js';
import type { Pairing } from '../src/blend/pairing/pairing.js';
import type { EnsembleField } from '../src/core/field.js';
import type { Core } from '../src/core/load.js';

/** How to join two ensembles: each of `variables` has the earlier and the later horizon. */
export type Way = (core: Core, variables: readonly (readonly Horizon[])[], options: WayOptions) => Pairing;
type WayOptions = Omit<PairFieldsOptions, 'method'>;

const paired = (method: PairFieldsOptions['method'], withPlaces: boolean): Way => {
  return (core, [first, ...also], { places, ...options }) =>
    blendFields(core, first, { ...options, method, also, ...(withPlaces && { places }) }).pairing;
};

/** Ways to join two ensembles, that of the library first. */
export const WAYS = {
  'as fields': paired('field', true),
  'as fields, without regions': paired('field', false),
  'by least distance alone': byDistance,
  "by rank of the field's mean": byMean,
  'by cell': paired('cell', true),
  spliced: paired('splice', true),
} satisfies Record<string, Way>;

/** The five that differ for every field. */
export const FIVE_WAYS = [
  'as fields',
  'by least distance alone',
  "by rank of the field's mean",
  'by cell',
  'spliced',
] as const;

/** Joins members by the permutation of least distance over the overlap, in standard deviations, of all variables. */
function byDistance(_: Core, variables: readonly (readonly Horizon[])[], options: WayOptions): Pairing {
  const plan = openPlan(variables[0], options);
  const [seam] = plan.seams;
  const size = plan.members;
  const costs = new Float64Array(size * size);
  for (const pair of variables) {
    const [x, y] = pair.map(({ field }) => standardized(field, seam.handOver, seam.overlapDays));
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        for (let k = 0; k < x[i].length; k++) costs[i * size + j] += (x[i][k] - y[j][k]) ** 2;
      }
    }
  }
  return filled(plan, leastCostAssignment(costs, size));
}

/** Members' departures from their mean on some days, by cell and day, in standard deviations of all. */
function standardized(field: EnsembleField, from: number, days: number): Float64Array[] {
  const first = from - field.firstDay;
  const rows = field.cells * days;
  const members = field.members.map((member) =>
    Float64Array.from({ length: rows }, (_, row) => {
      return member.value(Math.floor(row / days) * field.days + first + (row % days));
    }),
  );
  let squares = 0;
  for (let row = 0; row < rows; row++) {
    const centre = members.reduce((sum, values) => sum + values[row], 0) / members.length;
    for (const values of members) {
      values[row] -= centre;
      squares += values[row] ** 2;
    }
  }
  const spread = Math.sqrt(squares / rows / members.length);
  return members.map((values) => values.map((value) => value / spread));
}

/** A pairing whose tables are not filled. */
function openPlan(pair: readonly Horizon[], options: WayOptions): Pairing {
  const heads = pair.map(({ name, field }) => ({ ...field, name, members: field.members.length }));
  return planPairing(heads, 1, { ...options, method: 'field' });
}

/** Fills the tables of a pairing: the later member of each trajectory, and days that are drawn. */
function filled(plan: Pairing, members: Int32Array): Pairing {
  const [seam] = plan.seams;
  seam.member.set(members);
  const steps = drawSwitchSteps(plan.members, seam.overlapDays, drawsOfRun(plan.firstDay, 0, 'days'));
  steps.forEach((step, t) => {
    seam.switchDay[t] = seam.handOver - plan.firstDay + step;
  });
  return plan;
}

function byMean(_: Core, [pair]: readonly (readonly Horizon[])[], options: WayOptions): Pairing {
  const plan = openPlan(pair, options);
  const [seam] = plan.seams;
  const means = pair.map(({ field }) => {
    const from = seam.handOver - field.firstDay;
    return Float64Array.from(field.members, (member) => {
      let sum = 0;
      for (let cell = 0; cell < field.cells; cell++) {
        for (let d = 0; d < seam.overlapDays; d++) sum += member.value(cell * field.days + from + d);
      }
      return sum;
    });
  });
  const chosen = chooseMembers(means[1], plan.members, drawsOfRun(plan.firstDay, 0, 'members')());
  const ranked = (values: Float64Array) => Array.from(values.keys()).sort((a, b) => values[a] - values[b]);
  const partners = ranked(Float64Array.from(chosen, (member) => means[1][member]));
  const members = new Int32Array(plan.members);
  ranked(means[0]).forEach((trajectory, rank) => {
    members[trajectory] = chosen[partners[rank]];
  });
  return filled(plan, members);
}
