import type { Pairing } from '../../src/blend/pairing/pairing.js';
import type { EnsembleField } from '../../src/core/field.js';
import { valuesOf } from '../property/examples.js';
import type { FieldShape } from './simulated-fields.js';

const WEEK = 7;

/** The days of a seam in fields whose first day is 0: the first of the overlap, and the day after its last. */
export interface SeamDays {
  readonly handOver: number;
  readonly complete: number;
}

/** What is compared: sums over runs, before they are divided. */
interface Sums {
  runs: number;
  /** By start of the week, from the first week with a day of the overlap on: variance, share of dry and of rare weeks. */
  readonly week: { variance: number; dry: number; rare: number; mean: number }[];
  insideWeek: { variance: number; dry: number; rare: number; mean: number };
  /** On each day of the overlap: of the timeline, and of the linear mixture of both ensembles. */
  readonly day: { mean: number; variance: number; mixedMean: number; mixedVariance: number }[];
  across: number;
  inside: number;
  own: number;
  after: number;
  neighbours: number;
  neighboursInside: number;
}

/** How a timeline across a seam compares with the inside of its horizons, pooled over runs. All are relative, or shares. */
export interface SeamQuality {
  /** Variance of weekly totals that straddle the switch, less inside: the worst start of the week, and the mean. */
  readonly week: { readonly worst: number; readonly mean: number };
  /** Mean weekly totals. */
  readonly total: { readonly worst: number; readonly mean: number };
  /** Share of weeks above the threshold, and of dry ones. */
  readonly rare: { readonly worst: number; readonly mean: number };
  readonly dry: { readonly worst: number; readonly mean: number };
  /** Covariance of a member on the days before and after its own switch, over the same inside. */
  readonly across: number;
  /** Variance after the seam, over the later ensemble's own on the same days. */
  readonly after: number;
  /** Correlation of neighbouring cells after the seam, less inside. */
  readonly neighbours: number;
  /** Mean and variance on days of the overlap against the linear mixture of both ensembles. */
  readonly dailyMean: number;
  readonly dailyVariance: number;
}

/** Compares one variable, at single cells or for the mean of some, over many runs. */
export class SeamComparison {
  readonly #shape: FieldShape;
  readonly #seam: SeamDays;
  /** The cells whose mean is compared; undefined where each cell is. */
  readonly #area: readonly number[] | undefined;
  readonly #threshold: number;
  readonly #sums: Sums;

  /** `threshold` is what a rare weekly total exceeds. */
  constructor(shape: FieldShape, seam: SeamDays, area: readonly number[] | undefined, threshold: number) {
    this.#shape = shape;
    this.#seam = seam;
    this.#area = area;
    this.#threshold = threshold;
    const none = () => ({ variance: 0, dry: 0, rare: 0, mean: 0 });
    this.#sums = {
      ...{ runs: 0, insideWeek: none(), across: 0, inside: 0, own: 0, after: 0, neighbours: 0, neighboursInside: 0 },
      week: Array.from({ length: WEEK - 1 + seam.complete - seam.handOver }, none),
      day: Array.from({ length: seam.complete - seam.handOver }, () => ({
        ...{ mean: 0, variance: 0, mixedMean: 0, mixedVariance: 0 },
      })),
    };
  }

  /** Adds a run: its two ensembles, and their timeline. The earlier ensemble begins on day 0. */
  add(
    earlier: EnsembleField,
    later: EnsembleField,
    timeline: EnsembleField,
    { seams: [seam], members, cells }: Pairing,
  ): void {
    const sums = this.#sums;
    const { handOver, complete } = this.#seam;
    const [x, y, z] = [earlier, later, timeline].map((field) => this.#series(field));
    sums.runs++;
    for (const [start, week] of sums.week.entries()) addWeek(week, z, handOver - WEEK + 1 + start, this.#threshold, 1);
    const starts = [x, y].flatMap((own) => Array.from({ length: own.days - WEEK + 1 }, (_, d) => [own, d] as const));
    for (const [own, start] of starts) {
      const share = 1 / 2 / (own.days - WEEK + 1);
      addWeek(sums.insideWeek, own, start, this.#threshold, share);
    }
    for (const [d, day] of sums.day.entries()) {
      const share = (d + 1) / (complete - handOver + 1);
      const [ours, theirs] = [moments(x, handOver + d), moments(y, handOver + d - later.firstDay)];
      const own = moments(z, handOver + d);
      day.mean += own.mean;
      day.variance += own.variance;
      day.mixedMean += (1 - share) * ours.mean + share * theirs.mean;
      day.mixedVariance += (1 - share) * ours.variance + share * theirs.variance;
    }
    const [dx, dz] = [centred(x), centred(z)];
    for (let m = 0; m < members; m++) {
      for (let place = 0; place < z.places; place++) {
        const switchDay = seam.switchDay[(cells === 1 || cells !== z.places ? 0 : place) * members + m];
        const at = place * z.days + switchDay;
        sums.across += (dz[m][at - 1] * dz[m][at]) / members / z.places;
      }
    }
    sums.inside += lagged(dx, x.days, 0, x.days - 1);
    for (let d = complete; d < z.days; d++) {
      sums.after += moments(z, d).variance;
      sums.own += moments(y, d - later.firstDay).variance;
    }
    if (this.#area === undefined && this.#shape.across > 1) {
      sums.neighbours += this.#neighbours(dz, z.days, complete, z.days);
      sums.neighboursInside += this.#neighbours(dx, x.days, 0, x.days);
    }
  }

  result(): SeamQuality {
    const { runs, week, insideWeek, day, across, inside, own, after, neighbours, neighboursInside } = this.#sums;
    const compared = (of: 'variance' | 'rare' | 'dry' | 'mean', scale = insideWeek[of]) => {
      const differences = week.map((each) => (each[of] - insideWeek[of]) / scale);
      return { worst: worstOf(differences), mean: differences.reduce((sum, each) => sum + each, 0) / week.length };
    };
    const spread = Math.sqrt(runs * insideWeek.variance);
    const dailySpread = Math.sqrt(day[0].mixedVariance * runs);
    return {
      week: compared('variance'),
      // In standard deviations where the mean is about 0.
      total: compared('mean', Math.abs(insideWeek.mean) > spread / 5 ? insideWeek.mean : spread),
      rare: compared('rare'),
      dry: compared('dry'),
      ...{ across: across / inside, after: after / own, neighbours: (neighbours - neighboursInside) / runs },
      dailyMean: worstOf(
        day.map((each) => {
          const scale = Math.abs(each.mixedMean) > dailySpread / 5 ? each.mixedMean : dailySpread;
          return (each.mean - each.mixedMean) / scale;
        }),
      ),
      dailyVariance: worstOf(day.map((each) => each.variance / each.mixedVariance - 1)),
    };
  }

  #series(field: EnsembleField): Series {
    const { days, cells, members } = field;
    const all = members.map((_, m) => Float64Array.from(valuesOf(field, m)));
    const area = this.#area;
    if (area === undefined) return { members: all, days, places: cells };
    const means = all.map((values) => {
      const mean = new Float64Array(days);
      for (const cell of area) for (let d = 0; d < days; d++) mean[d] += values[cell * days + d] / area.length;
      return mean;
    });
    return { members: means, days, places: 1 };
  }

  #neighbours(members: readonly Float64Array[], days: number, from: number, to: number): number {
    const { across } = this.#shape;
    let [products, squares, pairs, count] = [0, 0, 0, 0];
    for (const values of members) {
      for (let cell = 0; cell < across * across; cell++) {
        for (let day = from; day < to; day++) {
          const own = values[cell * days + day];
          squares += own * own;
          count++;
          if (cell % across < across - 1) {
            products += own * values[(cell + 1) * days + day];
            pairs++;
          }
          if (cell + across < across * across) {
            products += own * values[(cell + across) * days + day];
            pairs++;
          }
        }
      }
    }
    return products / pairs / (squares / count);
  }
}

/** Members' values, by place and day. */
interface Series {
  readonly members: readonly Float64Array[];
  readonly days: number;
  readonly places: number;
}

function worstOf(differences: readonly number[]): number {
  return differences.reduce((worst, each) => (Math.abs(each) > Math.abs(worst) ? each : worst), 0);
}

function addWeek(
  to: Sums['insideWeek'],
  { members, days, places }: Series,
  start: number,
  rare: number,
  share: number,
) {
  for (let place = 0; place < places; place++) {
    let [sum, squares] = [0, 0];
    for (const values of members) {
      let total = 0;
      for (let d = 0; d < WEEK; d++) total += values[place * days + start + d];
      sum += total;
      squares += total * total;
      to.rare += total > rare ? share / members.length / places : 0;
      to.dry += total < 0.1 ? share / members.length / places : 0;
    }
    const mean = sum / members.length;
    to.mean += (mean * share) / places;
    to.variance += (((squares - sum * mean) / (members.length - 1)) * share) / places;
  }
}

/** The mean over members and places, and the mean variance over members. */
function moments({ members, days, places }: Series, day: number): { mean: number; variance: number } {
  let [mean, variance] = [0, 0];
  for (let place = 0; place < places; place++) {
    let [sum, squares] = [0, 0];
    for (const values of members) {
      const value = values[place * days + day];
      sum += value;
      squares += value * value;
    }
    mean += sum / members.length / places;
    variance += (squares - (sum * sum) / members.length) / (members.length - 1) / places;
  }
  return { mean, variance };
}

function centred({ members, days, places }: Series): Float64Array[] {
  const means = new Float64Array(places * days);
  for (const values of members) {
    values.forEach((value, row) => {
      means[row] += value / members.length;
    });
  }
  return members.map((values) => values.map((value, row) => value - means[row]));
}

/** The mean product of neighbouring days. */
function lagged(members: readonly Float64Array[], days: number, from: number, to: number): number {
  let [sum, count] = [0, 0];
  for (const values of members) {
    for (let row = 0; row < values.length - 1; row++) {
      const day = row % days;
      if (day < from || day >= to || day === days - 1) continue;
      sum += values[row] * values[row + 1];
      count++;
    }
  }
  return sum / count;
}
