import { parseDate } from '../../period/day.js';
import type { WindowTable } from '../../period/period.js';
import type { HorizonRange, Location } from '../../respond/answer-data.js';
import { MIN_SKILL_CASES } from '../../respond/v2/statistics-answer.js';
import { leadOf, leadUnit } from '../../skill/pairing/lead.js';
import type { HorizonName } from '../../variable/availability.js';
import { leadClass } from '../record/lead-classes.js';
import { RECORD_NUMBERS } from '../record/record-sums.js';
import type { Axis } from '../source/dataset.js';
import type { SkillSeries, Snapshot } from '../source/source.js';
import { horizonOn, horizonsOf, recordOf, skillScore } from './window-skill.js';

/** The record of a horizon, and where its classes are among all classes. */
interface PreparedRecord {
  readonly series: SkillSeries;
  readonly block: Float32Array<ArrayBuffer>;
  readonly classes: number;
  readonly first: number;
}

/** What skill is prepared of. */
interface PreparedOf {
  readonly slug: string;
  readonly windows: WindowTable;
  readonly horizons: readonly HorizonRange[] | undefined;
}

/**
 * Like `windowSkill`, for all points of requests with one shape: which class of leads each window has is found once. What
 * classes have at a point is computed once for each class, and not for each window.
 */
export class PreparedSkill {
  readonly #records: readonly PreparedRecord[];
  /** The class of each window, among all classes of all records; -1 where it has none. */
  readonly #classOf: Int32Array;
  /** The classes that windows have. */
  readonly #used: Int32Array;
  readonly #crps: Float32Array;
  readonly #rps: Float32Array;
  readonly #cases: Float32Array;
  #firstDay = Infinity;
  #lastDay = -Infinity;

  constructor(data: Snapshot, of: PreparedOf) {
    const { windows, horizons } = of;
    const granularity = windows.granularity as SkillSeries['granularity'];
    const records = new Map<HorizonName, PreparedRecord & { readonly start: number }>();
    let first = 0;
    for (const horizon of horizonsOf(data, of)) {
      const initTime = data.forecast?.horizons[horizon]?.initTime;
      const series = recordOf(data, horizon, granularity, of.slug);
      if (series === undefined || initTime === undefined) continue;
      const { days: classes } = series.data.variables.get(of.slug) as Axis;
      const start = parseDate(initTime.slice(0, 10));
      records.set(horizon, { series, classes, first, start, block: new Float32Array(classes * RECORD_NUMBERS) });
      first += classes;
    }
    const [only] = Object.keys(data.forecast?.horizons ?? {}) as HorizonName[];
    const unit = leadUnit(granularity);
    this.#classOf = Int32Array.from(windows.start, (day, w) => {
      const middle = Math.floor((day + windows.end[w]) / 2);
      const horizon = horizons === undefined ? only : horizonOn(horizons, middle);
      const record = horizon && records.get(horizon);
      if (record === undefined) return -1;
      const at = leadClass(granularity, leadOf(unit, record.start, day, undefined));
      return at < 0 || at >= record.classes ? -1 : record.first + at;
    });
    this.#records = [...records.values()];
    this.#used = Int32Array.from(new Set(this.#classOf)).filter((at) => at >= 0);
    this.#crps = new Float32Array(first);
    this.#rps = new Float32Array(first);
    this.#cases = new Float32Array(first);
  }

  /** Reads the record at a point; false where it is not at hand. */
  read(point: Location): boolean {
    for (const { series, block, classes, first } of this.#records) {
      const cell = series.data.places.covering(point);
      if (cell === undefined) block.fill(0);
      else if (!series.data.readNow?.(series.slug, cell, block)) return false;
      this.#cases.set(block.subarray(0, classes), first);
    }
    this.#firstDay = Infinity;
    this.#lastDay = -Infinity;
    let r = 0;
    for (const at of this.#used) {
      while (r + 1 < this.#records.length && at >= this.#records[r + 1].first) r++;
      while (at < this.#records[r].first) r--;
      const { block, classes, first } = this.#records[r];
      this.#addClass(block, classes, at - first, at);
    }
    return true;
  }

  /** The first and the last day that were verified; Infinity and -Infinity where none was. */
  get firstDay(): number {
    return this.#firstDay;
  }

  get lastDay(): number {
    return this.#lastDay;
  }

  /** Writes the skill of each window and the number of cases. */
  write(crps: Float32Array, rps: Float32Array, cases: Float32Array): void {
    const classOf = this.#classOf;
    const [ownCrps, ownRps, ownCases] = [this.#crps, this.#rps, this.#cases];
    for (let w = 0; w < classOf.length; w++) {
      const at = classOf[w];
      if (at < 0) {
        crps[w] = Number.NaN;
        rps[w] = Number.NaN;
        cases[w] = 0;
      } else {
        crps[w] = ownCrps[at];
        rps[w] = ownRps[at];
        cases[w] = ownCases[at];
      }
    }
  }

  #addClass(block: Float32Array, classes: number, own: number, at: number): void {
    const cases = block[own];
    if (cases > 0) {
      this.#firstDay = Math.min(this.#firstDay, block[classes + own]);
      this.#lastDay = Math.max(this.#lastDay, block[2 * classes + own]);
    }
    const isKnown = cases >= MIN_SKILL_CASES;
    this.#crps[at] = isKnown ? skillScore(sumOf(block, classes, own, 3), sumOf(block, classes, own, 5)) : Number.NaN;
    this.#rps[at] = isKnown ? skillScore(sumOf(block, classes, own, 7), sumOf(block, classes, own, 9)) : Number.NaN;
  }
}

/** A sum of a class, which is two numbers. */
function sumOf(block: Float32Array, classes: number, at: number, first: number): number {
  return block[first * classes + at] + block[(first + 1) * classes + at];
}
