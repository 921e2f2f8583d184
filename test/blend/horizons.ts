import fc from 'fast-check';
import type { Horizon } from '../../src/blend/horizon.js';
import type { PairFieldsOptions } from '../../src/blend/pairing/pair-fields.js';
import type { BlendMethod } from '../../src/blend/pairing/pairing.js';
import type { EnsembleField } from '../../src/core/field.js';
import type { FloatType } from '../../src/core/number-arrays.js';
import type { TwinHorizon } from '../reference/blend.js';
import { seededField } from '../reference/fields.js';

/** Some horizons that match, and how to join them. */
interface HorizonsExample {
  readonly horizons: readonly Horizon[];
  readonly options: PairFieldsOptions;
}

interface Shape {
  readonly seed: number;
  readonly type: FloatType;
  readonly cells: number;
  readonly sizes: readonly number[];
  /**
   * The leads of each horizon: days that it shares with the one before (below 0: days that lie between), then days of
   * its own.
   */
  readonly shared: readonly number[];
  readonly own: readonly number[];
  /** Days at the end of each horizon that are not used. */
  readonly beyond: readonly number[];
  readonly fromBeforeToday: readonly boolean[];
  readonly overlaps: readonly number[];
  readonly missing: number;
  readonly chunkRows: number;
  readonly method: BlendMethod;
}

const FIRST_DAY = 20_500;

/**
 * 1 to 4 horizons of 2 to 60 members: with and without missing values, overlapping, touching, or with gaps between
 * them.
 */
export function horizonsExamples(more: Partial<{ [K in keyof Shape]: fc.Arbitrary<Shape[K]> }> = {}) {
  const four = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 4, maxLength: 4 });
  return fc
    .record({
      seed: fc.nat(),
      type: fc.constantFrom<FloatType>('float32', 'float64'),
      cells: fc.integer({ min: 1, max: 4 }),
      sizes: fc.array(fc.integer({ min: 2, max: 60 }), { minLength: 1, maxLength: 4 }),
      shared: four(fc.integer({ min: -2, max: 12 })),
      own: four(fc.integer({ min: 1, max: 12 })),
      beyond: four(fc.constantFrom(0, 0, 3)),
      fromBeforeToday: four(fc.constantFrom(false, false, true)),
      overlaps: four(fc.integer({ min: 1, max: 9 })),
      missing: fc.constantFrom(0, 0, 0.02, 0.3),
      chunkRows: fc.constantFrom(1000, 17),
      method: fc.constantFrom<BlendMethod>('field', 'field', 'cell', 'cell', 'splice'),
      ...more,
    })
    .map(horizonsOfShape);
}

function horizonsOfShape(shape: Shape): HorizonsExample {
  const { seed, type, cells, sizes, missing, chunkRows } = shape;
  let last = FIRST_DAY - 1;
  const lastLeads: number[] = [];
  const horizons = sizes.map((members, h): Horizon => {
    const isEarly = h > 0 && shape.fromBeforeToday[h];
    const begins = isEarly ? FIRST_DAY - 3 : Math.max(FIRST_DAY, last + 1 - (h === 0 ? 0 : shape.shared[h]));
    last = Math.max(last, begins - 1) + shape.own[h];
    lastLeads.push(last - FIRST_DAY);
    const days = last + shape.beyond[h] - begins + 1;
    const rows = Math.min(chunkRows, days * cells);
    const options = { type, firstDay: begins, days, cells, members, missing, chunkRows: rows };
    return { name: `horizon ${h + 1}`, field: seededField({ ...options, seed: seed + h }) };
  });
  const { method, overlaps } = shape;
  return { horizons, options: { method, overlaps, lastLeads, keepGaps: true } };
}

/** A field in the form of the twin. */
export function twinHorizon({ members, cells, days, firstDay }: EnsembleField): TwinHorizon {
  return {
    firstDay,
    lastDay: firstDay + days - 1,
    members: members.map((member) =>
      Array.from({ length: cells }, (_, cell) => {
        const series = Array.from({ length: days }, (_, d): [number, number] => [
          firstDay + d,
          member.value(cell * days + d),
        ]);
        return new Map(series.filter(([, value]) => !Number.isNaN(value)));
      }),
    ),
  };
}
