import { parseDate } from '../../period/day.js';
import type { Granularity, WindowTable } from '../../period/period.js';
import type { HorizonRange, Location, WindowSkill } from '../../respond/answer-data.js';
import { MIN_SKILL_CASES } from '../../respond/v2/statistics-answer.js';
import { leadOf, leadUnit } from '../../skill/pairing/lead.js';
import type { HorizonName } from '../../variable/availability.js';
import { leadClass } from '../record/lead-classes.js';
import { readSums } from '../record/record-sums.js';
import type { Axis } from '../source/dataset.js';
import type { SkillSeries, Snapshot } from '../source/source.js';

/** What skill is requested of. */
interface SkillOf {
  readonly slug: string;
  readonly windows: WindowTable;
  /** The days of each horizon, from the shortest; undefined where they are not known. */
  readonly horizons?: readonly HorizonRange[] | undefined;
}

/** The sums of a horizon at a place: a block of the record. */
interface PlaceRecord {
  readonly block: Float32Array<ArrayBuffer>;
  readonly classes: number;
  /** The day on which the run starts. */
  readonly start: number;
}

/**
 * How good earlier forecasts at a place were at the lead of each window: of the horizon that the middle day of the window is from, the
 * longer one where two share it. At once where values are at hand.
 */
export function windowSkill(data: Snapshot, point: Location, of: SkillOf): WindowSkill | Promise<WindowSkill> {
  const granularity = of.windows.granularity as Granularity;
  const records = new Map<HorizonName, PlaceRecord>();
  const reading: Promise<void>[] = [];
  for (const horizon of horizonsOf(data, of)) {
    const initTime = data.forecast?.horizons[horizon]?.initTime;
    const series = recordOf(data, horizon, granularity, of.slug);
    const cell = series?.data.places.covering(point);
    if (series === undefined || cell === undefined || initTime === undefined) continue;
    const { block, classes, read } = readPlace(series, cell);
    records.set(horizon, { block, classes, start: parseDate(initTime.slice(0, 10)) });
    if (read !== undefined) reading.push(read);
  }
  const skill = () => skillOf(data, of, granularity, records);
  return reading.length === 0 ? skill() : Promise.all(reading).then(skill);
}

/** The record of a horizon's variable and granularity; undefined where there is none. */
export function recordOf(
  { record }: Snapshot,
  horizon: HorizonName,
  granularity: Granularity,
  slug: string,
): SkillSeries | undefined {
  return record?.series.find(
    (each) => each.horizon === horizon && each.granularity === granularity && each.slug === slug,
  );
}

function readPlace({ data, slug }: SkillSeries, cell: number) {
  const { days: classes, members } = data.variables.get(slug) as Axis;
  const block = new Float32Array(classes * members);
  const read = data.read(slug, cell, block);
  return { block, classes, read: read === undefined ? undefined : read };
}

/** The horizons of windows. */
export function horizonsOf(data: Snapshot, { windows: { start, end }, horizons }: SkillOf): HorizonName[] {
  const last = start.length - 1;
  if (horizons === undefined) {
    const all = Object.keys(data.forecast?.horizons ?? {}) as HorizonName[];
    return all.length === 1 && last >= 0 ? all : [];
  }
  return horizons.flatMap(({ horizon, firstDay, lastDay }) =>
    last >= 0 && firstDay <= end[last] && lastDay >= start[0] ? horizon : [],
  );
}

function skillOf(
  data: Snapshot,
  { windows: { start, end, count }, horizons }: SkillOf,
  granularity: Granularity,
  records: ReadonlyMap<HorizonName, PlaceRecord>,
): WindowSkill {
  const [crps, rps] = [new Float32Array(count).fill(Number.NaN), new Float32Array(count).fill(Number.NaN)];
  const cases = new Int32Array(count);
  const unit = leadUnit(granularity);
  const [only] = Object.keys(data.forecast?.horizons ?? {}) as HorizonName[];
  let firstDay = Infinity;
  let lastDay = -Infinity;
  for (let w = 0; w < count; w++) {
    const horizon = horizons === undefined ? only : horizonOn(horizons, Math.floor((start[w] + end[w]) / 2));
    const record = horizon && records.get(horizon);
    if (record === undefined) continue;
    const at = leadClass(granularity, leadOf(unit, record.start, start[w], undefined));
    if (at < 0 || at >= record.classes) continue;
    const sums = readSums(record.block, record.classes, at);
    cases[w] = sums.cases;
    if (sums.cases === 0) continue;
    firstDay = Math.min(firstDay, sums.firstDay);
    lastDay = Math.max(lastDay, sums.lastDay);
    if (sums.cases < MIN_SKILL_CASES) continue;
    crps[w] = skillScore(sums.crps, sums.referenceCrps);
    rps[w] = skillScore(sums.rps, sums.referenceRps);
  }
  return { crps, rps, cases, period: firstDay <= lastDay ? { firstDay, lastDay } : undefined };
}

/** The horizon of a day: the longest one that has it. */
export function horizonOn(horizons: readonly HorizonRange[], day: number): HorizonName | undefined {
  for (let h = horizons.length - 1; h >= 0; h--) {
    if (horizons[h].firstDay <= day && horizons[h].lastDay >= day) return horizons[h].horizon;
  }
  return undefined;
}

/** NaN against a reference that is perfect. */
export function skillScore(score: number, reference: number): number {
  return reference > 0 ? 1 - score / reference : Number.NaN;
}
