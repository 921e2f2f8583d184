import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemberColumn } from '../../../../src/core/member-column.js';
import { WeightsBuilder } from '../../../../src/files/cf/weights/cell-weights.js';
import { OrderedRuns } from '../../../../src/files/cf/weights/ordered-runs.js';
import { PlaceValues, type Weighing } from '../../../../src/files/cf/weights/place-values.js';

const [CELLS, DAYS, MEMBERS] = [40, 5, 3];
const STATISTICS = ['mean', 'min', 'max', (value: number) => value > 4] as const;

/** What a place is given: for each cell its weight, 0 where it is of another place. */
type PlaceWeights = readonly number[];

function weightsOf(places: readonly PlaceWeights[]) {
  const builder = new WeightsBuilder(CELLS);
  for (const weights of places) {
    for (const [cell, weight] of weights.entries()) if (weight > 0) builder.add(cell, weight);
    builder.end();
  }
  return builder.build();
}

/** The value of a place, cell by cell. */
function slowValue(values: readonly number[], weights: PlaceWeights, statistic: Weighing['statistic'], least: number) {
  let [total, valid, all] = [0, 0, 0];
  const found: number[] = [];
  for (const [cell, weight] of weights.entries()) {
    if (weight === 0) continue;
    all += weight;
    const value = values[cell];
    if (Number.isNaN(value)) continue;
    valid += weight;
    found.push(value);
    if (typeof statistic === 'function') total += statistic(value) ? weight : 0;
    else total += weight * value;
  }
  if (valid === 0 || valid < all * least) return Number.NaN;
  if (statistic === 'min') return Math.min(...found);
  if (statistic === 'max') return Math.max(...found);
  return total / valid;
}

const someWeights = fc.array(fc.constantFrom(0, 0, 0.25, 0.5, 1, 1), { minLength: CELLS, maxLength: CELLS });
const someValues = fc.array(fc.constantFrom(1, 2, 3.5, 5, 8, Number.NaN), {
  minLength: CELLS * DAYS * MEMBERS,
  maxLength: CELLS * DAYS * MEMBERS,
});

describe('values of regions', () => {
  it('are those of a slow twin, from blocks and from the needed cells alone, however cells are divided', () => {
    const given = fc.record({
      places: fc.array(someWeights, { minLength: 1, maxLength: 5 }),
      values: someValues,
      cut: fc.integer({ min: 1, max: CELLS - 1 }),
      day: fc.integer({ min: 1, max: DAYS - 1 }),
      statistic: fc.constantFrom(...STATISTICS),
      isSeries: fc.boolean(),
    });
    const property = fc.property(given, ({ places, values, cut, day, statistic, isSeries }) => {
      const at = (member: number, time: number, cell: number) => values[(member * DAYS + time) * CELLS + cell];
      const whole = Float64Array.from(
        places.map((weights) => weights.reduce<number>((sum, weight) => sum + weight, 0) || 1),
      );
      const weighing: Weighing = { runs: new OrderedRuns(weightsOf(places)), statistic, whole, minShare: 0.5 };
      const block = { cell: 0, cells: places.length, day: 0, days: DAYS };
      const create = () => new PlaceValues(weighing, block, MEMBERS, 'float64');
      const [blocks, needed] = [create(), create()];
      for (const [cell, cells] of [
        [0, cut],
        [cut, CELLS - cut],
      ] as const) {
        for (const [first, days] of [
          [0, day],
          [day, DAYS - day],
        ] as const) {
          const some = { cell, cells, day: first, days };
          const members = Array.from({ length: MEMBERS }, (_, m) =>
            Float64Array.from({ length: cells * days }, (_, i) =>
              isSeries
                ? at(m, first + (i % days), cell + Math.floor(i / days))
                : at(m, first + Math.floor(i / cells), cell + (i % cells)),
            ),
          );
          const order = isSeries ? 'day-fastest' : 'cell-fastest';
          const columns = members.map((own, m) => new MemberColumn(`${m}`, [{ values: own }]));
          const place = () => ({ source: 'test', column: '' });
          blocks.add({ type: 'float64', order, firstDay: first, days, cells, members: columns, place }, some);
          const chosen = needed.chosenCells(some);
          expect(chosen).toEqual(chosen.toSorted());
          needed.addChosen(
            members.map((_, m) =>
              Float64Array.from({ length: chosen.length * days }, (_, i) =>
                at(m, first + Math.floor(i / chosen.length), cell + chosen[i % chosen.length]),
              ),
            ),
            some,
          );
        }
      }
      expect(needed.end()).toEqual(blocks.end());
      expect(needed.shares()).toEqual(blocks.shares());
      for (const [m, own] of needed.end().entries()) {
        for (let time = 0; time < DAYS; time++) {
          const fieldOf = Array.from({ length: CELLS }, (_, cell) => at(m, time, cell));
          for (const [p, weights] of places.entries()) {
            expect(own[time * places.length + p]).toBe(slowValue(fieldOf, weights, statistic, 0.5));
          }
        }
      }
    });
    fc.assert(property, { numRuns: 200, seed: 44 });
  });
});
