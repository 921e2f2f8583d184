import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blendFields } from '../../src/blend/blend-fields.js';
import type { Horizon } from '../../src/blend/horizon.js';
import type { BlendMethod } from '../../src/blend/pairing/pairing.js';
import type { EnsembleField } from '../../src/core/field.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { casesOf } from '../full-check.js';
import { valuesOf } from '../property/examples.js';
import { autoregressiveField, normalStream } from '../reference/autoregressive.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/**
 * The leads of three horizons, cut down to the surroundings of their seams: what is further away does not matter, as
 * each day of such a process depends only on the one before. Members of the first seam switch on days 5 to 8, of the
 * second on days 11 to 18.
 */
const LEADS = [
  [0, 7],
  [5, 17],
  [11, 20],
] as const;
const OVERLAPS = [3, 7];
/** From two days before each hand-over to two after its end; the two overlap. */
const DAYS = Array.from({ length: 18 }, (_, i) => i + 3);

const LOCATIONS = 20_000;
const LOCATIONS_OF_OTHER = 2_000;
const BATCH = 500;

/** Variance about the process's mean 0 on each day, and the correlation with the day before. */
interface DayMoments {
  readonly variance: number[];
  readonly correlation: number[];
}

/** Pools fields of one shape. */
class Moments {
  readonly #squares: number[] = [];
  readonly #products: number[] = [];
  #count = 0;

  add(field: EnsembleField): void {
    const { cells, days } = field;
    for (let m = 0; m < field.members.length; m++) {
      const values = valuesOf(field, m);
      for (let row = 0; row < values.length; row++) {
        const day = row % days;
        this.#squares[day] = (this.#squares[day] ?? 0) + values[row] ** 2;
        if (day > 0) this.#products[day] = (this.#products[day] ?? 0) + values[row] * values[row - 1];
      }
    }
    this.#count += cells * field.members.length;
  }

  byDay(): DayMoments {
    const variance = this.#squares.map((sum) => sum / this.#count);
    const correlation = this.#products.map(
      (sum, day) => sum / this.#count / Math.sqrt(variance[day] * variance[day - 1]),
    );
    return { variance, correlation };
  }
}

function process(coefficient: number, sizes: readonly number[], normal: () => number): Horizon[] {
  return LEADS.map(([first, last], h) => ({
    name: `horizon ${h + 1}`,
    field: autoregressiveField(
      { firstDay: 20_500 + first, days: last - first + 1, cells: BATCH, members: sizes[h], coefficient },
      normal,
    ),
  }));
}

/**
 * The moments of timelines of the variable that is paired, and of another one, independent of it, that follows its
 * pairing.
 */
function blended(coefficient: number, sizes: readonly number[], method: BlendMethod, locations: number) {
  const normal = normalStream(100 * coefficient + sizes[0] + 2 * sizes[1] + 3 * sizes[2]);
  const [paired, other] = [new Moments(), new Moments()];
  const options = { method, overlaps: OVERLAPS, lastLeads: [undefined, undefined, undefined], keepGaps: false };
  for (let done = 0; done < locations; done += BATCH) {
    const { field, pairing } = blendFields(core, process(coefficient, sizes, normal), options);
    paired.add(field);
    if (done < LOCATIONS_OF_OTHER) other.add(blendFields(core, process(coefficient, sizes, normal), pairing).field);
  }
  return { paired: paired.byDay(), other: other.byDay() };
}

/** The maximum difference between `moments` and the process near the seams. */
function worstOf({ variance, correlation }: DayMoments, coefficient: number) {
  return {
    variance: Math.max(...DAYS.map((day) => Math.abs(variance[day] - 1))),
    correlation: Math.max(...DAYS.map((day) => Math.abs(correlation[day] - coefficient))),
  };
}

const SIZES = [
  [31, 31, 31],
  [31, 51, 51],
  [51, 31, 31],
  [31, 31, 51],
];
const cases = casesOf(
  [0.3, 0.6, 0.8].flatMap((coefficient) => SIZES.map((sizes): [number, string] => [coefficient, sizes.join(' to ')])),
  // The least and the greatest coefficient: members of one number, and fewer from the second horizon on.
  [0, 10],
);

/** The share of `members` trajectories that switch on a day of `DAYS`. */
function switching(members: number, day: number): number {
  const seam = day < 9 ? 0 : 1;
  const switched = (count: number) =>
    Math.round((members * Math.min(Math.max(0, count), OVERLAPS[seam] + 1)) / (OVERLAPS[seam] + 1));
  const nth = day - [5, 11][seam] + 1;
  return (switched(nth) - switched(nth - 1)) / members;
}

const rows: string[] = [];
afterAll(() => {
  const head = [
    'coefficient',
    'members',
    'variance off by',
    'correlation off by',
    'of another variable: variance off by',
  ];
  console.log([`| ${head.join(' | ')} | its lowest correlation |`, '|---|---|---|---|---|---|', ...rows].join('\n'));
});

describe('a timeline of Gaussian AR(1) processes, pooled over 20,000 locations, has on each day around the seams', () => {
  it.each(cases)(
    'of coefficient %d, %s members: a variance within 3 percent, a correlation within 0.05',
    (...given) => {
      const [coefficient, members] = given;
      const sizes = members.split(' to ').map(Number);
      const { paired, other } = blended(coefficient, sizes, 'cell', LOCATIONS);
      const [worst, worstOther] = [worstOf(paired, coefficient), worstOf(other, coefficient)];
      const lowest = Math.min(...DAYS.map((day) => other.correlation[day]));
      const percents = [worst, worstOther].map(({ variance }) => `${(100 * variance).toFixed(2)} %`);
      rows.push(
        `| ${coefficient} | ${members} | ${percents[0]} | ${worst.correlation.toFixed(4)} | ${percents[1]} | ${lowest.toFixed(3)} |`,
      );
      expect(worst.variance).toBeLessThan(0.03);
      expect(worst.correlation).toBeLessThan(0.05);
      // Of a variable independent of the one that is paired, the members that switch are a random choice.
      expect(worstOther.variance).toBeLessThan(0.03);
      for (const day of DAYS) {
        const expected = coefficient * (1 - switching(sizes[0], day));
        expect(Math.abs(other.correlation[day] - expected), `day ${day}`).toBeLessThan(0.02);
      }
    },
  );

  it('no bias where the first horizon is so short that the overlap begins on its first day', () => {
    const normal = normalStream(5);
    const sums = new Float64Array(9);
    let count = 0;
    for (let done = 0; done < 5_000; done += BATCH) {
      const horizons = [3, 9].map((days, h): Horizon => {
        const options = { firstDay: 20_500, days, cells: BATCH, members: 31, coefficient: 0.6 };
        return { name: `horizon ${h + 1}`, field: autoregressiveField(options, normal) };
      });
      const { field } = blendFields(core, horizons, {
        ...{ method: 'cell', overlaps: [3], lastLeads: [undefined, undefined], keepGaps: false },
      });
      for (let m = 0; m < 31; m++) {
        valuesOf(field, m).forEach((x, row) => {
          sums[row % 9] += x;
        });
      }
      count += BATCH * 31;
    }
    // The standard error is 0.0025.
    for (const sum of sums) expect(Math.abs(sum / count)).toBeLessThan(0.012);
  });
});

describe('other methods', () => {
  const LOCATIONS_OF_BASELINE = 1_000;

  it('splice loses all correlation at the cut', () => {
    const { paired } = blended(0.8, [31, 31, 31], 'splice', LOCATIONS_OF_BASELINE);
    const cuts = [8, 18];
    for (const day of DAYS) {
      const lost = 0.8 - paired.correlation[day];
      if (cuts.includes(day)) expect(lost).toBeGreaterThan(0.75);
      else expect(Math.abs(lost)).toBeLessThan(0.03);
    }
    expect(worstOf(paired, 0.8).variance).toBeLessThan(0.03);
  });

  it('averaging the two ensembles over the overlap loses variance: half of it in the middle', () => {
    const sizes = [31, 31, 31];
    const [earlier, later] = process(0.8, sizes, normalStream(6));
    const overlapDays = OVERLAPS[0];
    const variances = Array.from({ length: overlapDays }, (_, d) => {
      const weight = (d + 1) / (overlapDays + 1);
      let sum = 0;
      for (let m = 0; m < 31; m++) {
        for (let cell = 0; cell < BATCH; cell++) {
          const ours = earlier.field.members[m].value(cell * earlier.field.days + LEADS[1][0] + d);
          const theirs = later.field.members[m].value(cell * later.field.days + d);
          sum += ((1 - weight) * ours + weight * theirs) ** 2;
        }
      }
      return sum / (31 * BATCH);
    });
    expect(variances[0]).toBeCloseTo(0.75 ** 2 + 0.25 ** 2, 1);
    expect(variances[1]).toBeCloseTo(0.5, 1);
    expect(Math.max(...variances)).toBeLessThan(0.7);
  });
});
