import type { Core } from '../../core/load.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { DataError, isPlumecastError, OptionError } from '../../errors.js';
import { GRANULARITIES } from '../../period/period.js';
import type { Skill } from '../../skill/load-skill.js';
import { leadOf, leadUnit } from '../../skill/pairing/lead.js';
import { readVerified } from '../../skill/pairing/merge-verified.js';
import { checkVerify } from '../../skill/pairing/options.js';
import { planVerification, type VerifyPlan } from '../../skill/pairing/verify-plan.js';
import { type RunCases, verifyPlanned } from '../../skill/pairing/verify-sources.js';
import { stateJson } from '../../skill/state.js';
import { Verification } from '../../skill/verification.js';
import { verificationScores } from '../../skill/verification-scores.js';
import { requestedWindows } from '../../statistics/options.js';
import { HORIZONS } from '../../variable/availability.js';
import { resolveVariable } from '../../variable/find-variable.js';
import { historyOf } from '../ingest/history-of.js';
import type { Axis, Dataset } from '../source/dataset.js';
import type { RecordedLead } from '../source/folder/manifest.js';
import type { KeptRun, RecordedOf } from '../source/folder/store-record.node.js';
import type { StoreUpdate } from '../source/folder/store-update.node.js';
import { firstLeads, leadClass } from './lead-classes.js';
import { PlaceSums, RECORD_NUMBERS } from './record-sums.js';
import { ScoredRuns } from './scored-runs.js';
import { storeSource } from './store-source.js';

/** What is scored, and how it is reported. */
export interface VerifyStoreOptions {
  /** Slugs of variables. Default: all that issued runs and the history have. */
  readonly variables?: readonly string[] | undefined;
  /** Whether all kept runs are scored anew, as after corrections of the history. Default false. */
  readonly again?: boolean | undefined;
  /** Series that are not looked at, as `seriesKey` names them. */
  readonly without?: ReadonlySet<string>;
  /** Asked after each series that was scored: whether to stop there. Default: never. */
  readonly isEnough?: () => boolean;
  readonly onNotice?: (text: string) => void;
  /** Gets what is scored now, and the share of it that is done. */
  readonly onProgress?: (series: string, share: number) => void;
}

/** What was scored. */
export interface VerifiedStore {
  /** The series that were looked at, as `seriesKey` names them. */
  readonly series: readonly string[];
  /** The cases of all series that are new. */
  readonly cases: number;
  /** Whether all was looked at. */
  readonly isComplete: boolean;
}

/** A series as a text. */
export function seriesKey({ horizon, granularity, slug }: RecordedOf): string {
  return `${horizon} ${slug} ${granularity}`;
}

/**
 * Scores what came due of the issued runs of a store against its history, and adds it to the record: each window of a run once. Windows are
 * days, ISO weeks and months of one run, within the days of the history; what they are compared with is the history's climatology
 * without the year that is verified.
 *
 * Throws OptionError where the store has no history or no issued runs, and DataError for too few years.
 */
export async function verifyStore(
  core: Core,
  skill: Skill,
  update: Pick<StoreUpdate, 'record' | 'storedPart'>,
  options: VerifyStoreOptions = {},
): Promise<VerifiedStore> {
  const { record } = update;
  const { runs } = record;
  if (runs.length === 0) {
    const allowed = 'runs that an ingest has kept as they were issued, which it does on request';
    throw new OptionError({ subject: 'store', problem: 'has no issued forecasts', allowed });
  }
  const history = await historyOf(update);
  const known = [...history.variables.keys()].filter((slug) => runs.some(({ variables }) => variables.has(slug)));
  const unknown = options.variables?.find((slug) => !known.includes(slug));
  if (unknown !== undefined || known.length === 0) {
    const problem = 'is not in both the issued forecasts and the history';
    const allowed = known.join(', ') || 'a variable that both have';
    throw new OptionError({ subject: 'variable', problem, received: unknown, allowed });
  }
  const looked: string[] = [];
  let cases = 0;
  for (const slug of options.variables ?? known) {
    for (const horizon of HORIZONS) {
      for (const granularity of GRANULARITIES) {
        const of = { horizon, granularity, slug };
        if (options.without?.has(seriesKey(of))) continue;
        const added = await scoreSeries(core, skill, update.record, history, of, options);
        cases += added;
        looked.push(seriesKey(of));
        if (added > 0 && options.isEnough?.()) return { series: looked, cases, isComplete: false };
      }
    }
  }
  return { series: looked, cases, isComplete: true };
}

/** Scores what is due of a series, and writes it anew; returns how many cases are new. */
async function scoreSeries(
  core: Core,
  skill: Skill,
  record: StoreUpdate['record'],
  history: Dataset,
  of: RecordedOf,
  { again = false, onNotice, onProgress }: VerifyStoreOptions,
): Promise<number> {
  const { horizon, granularity, slug } = of;
  const name = seriesKey(of);
  const held = record.find(of);
  const known = held && readVerified(skill, await record.state(held), `the record of ${name}`);
  const before = again || known === undefined || held === undefined ? undefined : { ...known, series: held };
  const scored = new ScoredRuns().addTexts(before?.about.scored ?? [], name);
  const checked = checkVerify({ ...OPTIONS, granularity, variable: slug });
  const { firstDay, days } = history.variables.get(slug) as Axis;
  const kept = record.runs.filter((run) => run.horizon === horizon && run.variables.has(slug));
  const due = kept.filter(({ initTime, variables }) => {
    const windows = requestedWindows(variables.get(slug) as Axis, checked, undefined);
    return scored.isDue(initTime, windows, firstDay, firstDay + days - 1);
  });
  if (due.length === 0) return 0;
  if (again && known !== undefined) noteLost(new ScoredRuns().addTexts(known.about.scored, name), kept, name, onNotice);
  const { variable } = resolveVariable(slug);
  const observed = storeSource(history, { source: `${slug} of the history`, variable });
  const open = async (run: KeptRun) =>
    storeSource(await run.open(), {
      source: `${slug} of ${horizon} ${run.initTime}`,
      ...{ variable, metadata: new Map([['init_time', run.initTime]]) },
    });
  const old = before && (await record.values(before.series));
  const places = new UnitedPlaces(old?.places);
  const plans: { readonly plan: VerifyPlan; readonly cells: Int32Array }[] = [];
  for (const runs of byPlaces(due)) {
    const forecasts = await Promise.all(runs.map(open));
    const plan = planned(() => planVerification({ forecasts, observed }, checked, scored));
    plans.push({ plan, cells: places.add(plan.places) });
  }
  const unit = leadUnit(granularity);
  const classOf = (run: { readonly start: number }, day: number) =>
    leadClass(granularity, leadOf(unit, run.start, day, undefined));
  const classes = plans.flatMap(({ plan }) =>
    plan.runs.flatMap(({ run, windows }) => Array.from(windows.start, (day) => classOf(run, day))),
  );
  const oldClasses = old?.variables.get(slug)?.days ?? 0;
  const sums = new PlaceSums(places.count, Math.max(oldClasses, ...classes.map((each) => each + 1)));
  const [{ plan: first }] = plans;
  const verification = before?.verification ?? new Verification(skill, first.verification);
  let cases = 0;
  for (const { plan, cells } of plans) {
    const onCases = ({ planned: { run, windows }, cell, cells: count, windows: chosen, scores }: RunCases) => {
      for (const [k, w] of chosen.entries()) {
        const at = classOf(run, windows.start[w]);
        const days = { firstDay: windows.start[w], lastDay: windows.end[w] };
        for (let c = 0; at >= 0 && c < count; c++) {
          sums.add(cells[cell + c], at, days, scores, c * chosen.length + k);
        }
      }
    };
    const labelOfLead = (lead: number) => firstLeads(granularity)[leadClass(granularity, lead)] ?? -1;
    const progress = (share: number) => onProgress?.(name, share / plans.length);
    const made = await verifyPlanned(core, skill, plan, checked, { onCases, labelOfLead, progress });
    cases += made.groups.reduce((sum, group) => sum + group.sums.cases, 0);
    verification.merge(made);
  }
  const about = { ...first.about, horizon, scored: scored.texts() };
  await record.write({
    ...{ ...of, places, leads: leadsOf(verification) },
    axis: { firstDay: 0, days: sums.classes, members: RECORD_NUMBERS },
    blocks: blocksOf(sums, places.count, old, slug),
    state: stateJson(verification, about),
  });
  return cases;
}

/** How cases are made: terciles, and the climatology of the history. */
const OPTIONS = { by: ['lead'], against: 'climatology', categories: 3, block: 'month' } as const;

/** Runs at the same places together: a verification is at the places of its runs. */
function byPlaces(runs: readonly KeptRun[]): readonly KeptRun[][] {
  const groups = new Map<string, KeptRun[]>();
  for (const run of runs) groups.set(run.places, [...(groups.get(run.places) ?? []), run]);
  return [...groups.values()];
}

/** Calls what plans a verification, whose options are not the caller's. */
function planned<Plan>(make: () => Plan): Plan {
  try {
    return make();
  } catch (error) {
    if (!isPlumecastError(error, 'data') || !error.problem.includes('too few years')) throw error;
    const allowed = 'a history of more years: terciles need 3 besides the one that is verified';
    throw new DataError({
      subject: 'history',
      problem: error.problem,
      received: error.received,
      allowed,
      cause: error,
    });
  }
}

/** Says which runs a record loses as it is made anew. */
function noteLost(
  had: ScoredRuns,
  kept: readonly KeptRun[],
  name: string,
  onNotice: VerifyStoreOptions['onNotice'],
): void {
  const known = new Set(kept.map(({ initTime }) => initTime));
  const lost = had.initTimes.filter((initTime) => !known.has(initTime));
  if (lost.length === 0) return;
  onNotice?.(`${name}: ${lost.length} runs that the store does not keep any more are not in the record now`);
}

/** Places of several runs, each once. */
class UnitedPlaces implements Places {
  readonly #latitude: number[] = [];
  readonly #longitude: number[] = [];
  readonly #found = new Map<string, number>();

  constructor(first?: Places) {
    if (first !== undefined) this.add(first);
  }

  get count(): number {
    return this.#latitude.length;
  }

  get latitude(): Float64Array {
    return Float64Array.from(this.#latitude);
  }

  get longitude(): Float64Array {
    return Float64Array.from(this.#longitude);
  }

  /** Adds places that are new, and returns the number of each. */
  add({ latitude, longitude }: Places): Int32Array {
    return Int32Array.from(latitude, (north, place) => {
      const key = `${north},${longitude[place]}`;
      const found = this.#found.get(key);
      if (found !== undefined) return found;
      this.#found.set(key, this.#found.size);
      this.#latitude.push(north);
      this.#longitude.push(longitude[place]);
      return this.#found.size - 1;
    });
  }
}

/** The blocks of all places, with what the record had. */
async function* blocksOf(
  sums: PlaceSums,
  places: number,
  old: Dataset | undefined,
  slug: string,
): AsyncGenerator<Float32Array> {
  const classes = old?.variables.get(slug)?.days ?? 0;
  const count = old?.places.latitude.length ?? 0;
  const block = new Float32Array(RECORD_NUMBERS * classes);
  for (let place = 0; place < places; place++) {
    if (old !== undefined && place < count) {
      await old.read(slug, place, block);
      sums.addBlock(place, block, classes);
    }
    yield sums.block(place);
  }
}

/** The skill of all places together, by lead. */
function leadsOf(verification: Verification): RecordedLead[] {
  const groups = verificationScores(verification, { by: ['lead'] });
  return groups
    .map(({ labels, cases, scores }) => {
      const skill = (name: string) => {
        const value = scores.find(({ score, forecast }) => score === name && forecast === 'skill')?.value;
        return value === undefined || Number.isNaN(value) ? undefined : value;
      };
      const [crpsSkill, rpsSkill] = [skill('crps_skill'), skill('rps_skill')];
      return { lead: Number(labels.lead), cases, crpsSkill, rpsSkill };
    })
    .sort((a, b) => a.lead - b.lead);
}
