import type { Work } from '../../check/work.js';
import { requiredMembers } from '../../condition/count-members.js';
import { type EnsembleField, sliceCells } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import { type FloatArray, floatArray, valueBytes } from '../../core/number-arrays.js';
import type { SomeCells } from '../../ensemble/daily-source.js';
import type { WindowTable } from '../../period/period.js';
import { combineWindows } from '../../statistics/compute.js';
import type { Skill } from '../load-skill.js';
import { type EachCase, Verification, type VerifiedCases } from '../verification.js';
import { CaseLabels } from './case-labels.js';
import { type SampledWindows, sampleMembers, sampleQuantiles } from './left-out-climate.js';
import type { CheckedVerify } from './options.js';
import type { PlannedRun, VerifyPlan } from './verify-plan.js';

/** About how many bytes of daily values are in memory. */
const HELD_BYTES = 268_435_456;
/** About how many values of windows are scored at a time. */
const VALUES_AT_ONCE = 2_097_152;
/** The share of samples of a climatology that must be valid. */
const MIN_SAMPLE_SHARE = 0.8;

/** The scores of the cases of a run: of each place some of its windows, the scores of which are side by side. */
export interface RunCases {
  readonly planned: PlannedRun;
  /** The first place, and how many there are. */
  readonly cell: number;
  readonly cells: number;
  readonly windows: readonly number[];
  readonly scores: EachCase;
}

/** What is done with cases besides adding them up. */
export interface CaseUses {
  /** What ends the work, and counts the windows of runs at places. */
  readonly work?: Work | undefined;
  /** Gets the share of the work that was done. */
  readonly progress?: (share: number) => void;
  /** Gets the scores of cases that have a climatology. */
  readonly onCases?: (cases: RunCases) => void;
  /** The label of a lead, where several are together. */
  readonly labelOfLead?: (lead: number) => number;
}

/** Verifies what was planned: some places after the other, and for these all runs. */
export async function verifyPlanned(
  core: Core,
  skill: Skill,
  plan: VerifyPlan,
  options: CheckedVerify,
  { work, progress, onCases, labelOfLead }: CaseUses = {},
): Promise<Verification> {
  const { runs, observed, places, type } = plan;
  const verification = new Verification(skill, plan.verification);
  const labels = new CaseLabels(options, plan.calendar, labelOfLead);
  if (runs.length === 0) return verification;
  work?.expect(runs.reduce((sum, { windows }) => sum + places.count * windows.count, 0));
  for (const block of blocksOf(plan)) {
    const history = await observed.read(block, type, places.observed);
    const climate = plan.climate?.values(core, history, plan.rule);
    for (const planned of runs) {
      const { run, order, against } = planned;
      const field = await run.source.read(block, type, order);
      const other = await against?.source.read(block, type, against.order);
      const step = cellsAtOnce(plan, planned);
      for (let from = 0; from < block.cells; from += step) {
        const cells = Math.min(step, block.cells - from);
        const some = (all: EnsembleField) => sliceCells(all, from, from + cells);
        const values = {
          ...{ core, plan, planned, cell: block.cell + from, cells },
          ...{ forecast: some(field), observed: some(history), other: other && some(other) },
          climate: plan.climate && climate?.subarray(from * plan.climate.count, (from + cells) * plan.climate.count),
        };
        addRun(verification, labels, values, options, onCases);
        work?.advance(cells * planned.windows.count);
        await work?.pause();
      }
      progress?.(block.cells / places.count / runs.length);
    }
  }
  return verification;
}

/** Places that are read together: those that are best for the file of the first run where its cells are in order. */
function blocksOf({ runs: [{ run, order }], runs, observed, places, type }: VerifyPlan): readonly SomeCells[] {
  const valuesOf = (source: { readonly days: number; readonly members: readonly string[] }) =>
    source.days * source.members.length;
  const own = valuesOf(run.source);
  const most = Math.max(
    ...runs.map((each) => valuesOf(each.run.source) + (each.against ? valuesOf(each.against.source) : 0)),
  );
  const bytes = HELD_BYTES / valueBytes(type);
  if (order === undefined) return run.source.blocks((HELD_BYTES * own) / (most + observed.days));
  const step = Math.max(1, Math.floor(bytes / (most + observed.days)));
  const blocks: SomeCells[] = [];
  for (let cell = 0; cell < places.count; cell += step)
    blocks.push({ cell, cells: Math.min(step, places.count - cell) });
  return blocks;
}

function cellsAtOnce({ climate }: VerifyPlan, { run, windows }: PlannedRun): number {
  const samples =
    climate === undefined ? 0 : Math.max(...climate.plan(windows).map(({ samples: [first] }) => first.length));
  return Math.max(1, Math.floor(VALUES_AT_ONCE / (windows.count * (run.source.members.length + samples + 1))));
}

/** The values of a run at some places, and of observations there. */
interface RunValues {
  readonly core: Core;
  readonly plan: VerifyPlan;
  readonly planned: PlannedRun;
  readonly cell: number;
  readonly cells: number;
  readonly forecast: EnsembleField;
  readonly observed: EnsembleField;
  readonly other: EnsembleField | undefined;
  /** Values of the windows of the climatology, by cell. */
  readonly climate: FloatArray | undefined;
}

function addRun(
  verification: Verification,
  labels: CaseLabels,
  values: RunValues,
  { weights }: CheckedVerify,
  onCases?: CaseUses['onCases'],
): void {
  const { core, plan, planned, cell, cells, forecast, observed, climate } = values;
  const { windows } = planned;
  const members = combineWindows(core, forecast, windows, plan.rule);
  const [observations] = combineWindows(core, observed, windows, plan.rule);
  const reference = otherMembers(values);
  const grouped = labels.of(planned.run, windows, plan.places, cell, cells);
  const areas = weights === 'area' && plan.places.areCells ? areaWeights(plan, cell, cells, windows.count) : undefined;
  const all: VerifiedCases = {
    ...{ members, observations, ...grouped },
    ...(reference !== undefined && { reference }),
    ...(areas !== undefined && { weights: areas }),
  };
  if (plan.climate === undefined || climate === undefined) {
    verification.add(all);
    return;
  }
  const { count } = plan.climate;
  for (const sampled of plan.climate.plan(windows)) {
    if (sampled.samples[0].length === 0) {
      // A window without samples is missing: one that is never valid has as many members.
      verification.add(withoutClimate(chosen(all, cells, windows, sampled), plan));
      continue;
    }
    const cases = chosen(all, cells, windows, sampled);
    const samples = sampleMembers(climate, count, cells, sampled);
    const needed = requiredMembers(samples.length, MIN_SAMPLE_SHARE);
    const { length } = cases.observations;
    const scores = onCases && eachCase(length);
    verification.add(
      {
        ...cases,
        climate: sampleQuantiles(samples, length, plan.probabilities, needed),
        ...(plan.against === 'climatology' && { reference: samples }),
      },
      scores,
    );
    if (scores !== undefined) onCases?.({ planned, cell, cells, windows: sampled.windows, scores });
  }
}

function eachCase(length: number): EachCase {
  const numbers = () => new Float64Array(length);
  return { crps: numbers(), referenceCrps: numbers(), rps: numbers(), referenceRps: numbers() };
}

function withoutClimate(cases: VerifiedCases, { against, probabilities }: VerifyPlan): VerifiedCases {
  const { length } = cases.observations;
  const nothing = new Float64Array(length).fill(Number.NaN);
  return {
    ...cases,
    climate: new Map(probabilities.map((p) => [p, nothing])),
    ...(against === 'climatology' && { reference: [nothing] }),
  };
}

/** The cases of some of a run's windows. */
function chosen(all: VerifiedCases, cells: number, { count }: WindowTable, { windows }: SampledWindows): VerifiedCases {
  if (windows.length === count) return all;
  const { length } = windows;
  const pick = <Values extends FloatArray | Int32Array>(values: Values, into: Values): Values => {
    for (let cell = 0; cell < cells; cell++)
      for (let w = 0; w < length; w++) into[cell * length + w] = values[cell * count + windows[w]];
    return into;
  };
  const floats = (values: FloatArray) =>
    pick(values, floatArray(values instanceof Float32Array ? 'float32' : 'float64', cells * length));
  const { members, observations, reference, weights, group, groups } = all;
  return {
    ...{ groups, members: members.map(floats), observations: floats(observations) },
    group: pick(group as Int32Array, new Int32Array(cells * length)),
    ...(reference !== undefined && { reference: reference.map(floats) }),
    ...(weights !== undefined && { weights: floats(weights) }),
  };
}

/** The members of another forecast, or of persistence. */
function otherMembers({ core, plan, planned, cells, observed, other }: RunValues): FloatArray[] | undefined {
  const { windows, run } = planned;
  if (plan.against === 'persistence') return [persistence(core, observed, windows, run.start, cells, plan)];
  if (other === undefined) return undefined;
  const isThere = (w: number) => windows.start[w] >= other.firstDay && windows.end[w] < other.firstDay + other.days;
  const within = Array.from(windows.start.keys()).filter(isThere);
  const values = combineWindows(core, other, pickDays(windows, within), plan.rule);
  return values.map((own) => spread(own, within, windows.count, cells));
}

type Days = Pick<WindowTable, 'count' | 'first' | 'days' | 'firstDay'>;

function pickDays({ first, days, firstDay, rolling }: WindowTable, chosenWindows: readonly number[]): Days {
  return {
    count: chosenWindows.length,
    first: Int32Array.from(chosenWindows, (w) => first[w]),
    days: Int32Array.from(chosenWindows, (w) => days[w]),
    firstDay,
    ...(rolling !== undefined && { rolling }),
  };
}

/** Values of some windows among all; others are missing. */
function spread(values: FloatArray, windows: readonly number[], count: number, cells: number): FloatArray {
  const all = floatArray(values instanceof Float32Array ? 'float32' : 'float64', cells * count).fill(Number.NaN);
  for (let cell = 0; cell < cells; cell++)
    for (const [i, w] of windows.entries()) all[cell * count + w] = values[cell * windows.length + i];
  return all;
}

/** The observation of as many days as each window has, just before the start of the run. */
function persistence(
  core: Core,
  observed: EnsembleField,
  { end, start, count }: WindowTable,
  runStart: number,
  cells: number,
  { rule, type }: VerifyPlan,
): FloatArray {
  const lengthOf = (w: number) => end[w] - start[w] + 1;
  const isThere = (days: number) =>
    runStart - days >= observed.firstDay && runStart <= observed.firstDay + observed.days;
  // In order of time: the longest begins first.
  const lengths = [...new Set(Array.from(start, (_, w) => lengthOf(w)))].filter(isThere).sort((a, b) => b - a);
  const values = floatArray(type, cells * count).fill(Number.NaN);
  if (lengths.length === 0) return values;
  const days: Days = {
    count: lengths.length,
    first: Int32Array.from(lengths, (length) => runStart - length - observed.firstDay),
    days: Int32Array.from(lengths),
    firstDay: observed.firstDay,
  };
  const [own] = combineWindows(core, observed, days, rule);
  for (let w = 0; w < count; w++) {
    const at = lengths.indexOf(lengthOf(w));
    for (let cell = 0; at >= 0 && cell < cells; cell++) values[cell * count + w] = own[cell * lengths.length + at];
  }
  return values;
}

const DEGREE = Math.PI / 180;

/** The cosine of latitude: the area of cells of a grid with equal steps. */
function areaWeights({ places }: VerifyPlan, cell: number, cells: number, windows: number): Float64Array {
  return Float64Array.from({ length: cells * windows }, (_, i) =>
    Math.max(0, Math.cos(places.latitude[cell + Math.floor(i / windows)] * DEGREE)),
  );
}
