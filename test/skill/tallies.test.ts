import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Tallies } from '../../src/skill/tallies.js';

const entry = fc.tuple(
  fc.nat({ max: 3 }),
  fc.nat({ max: 2 }),
  fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 400 }), fc.constantFrom(2 ** 47, 2 ** 47 + 1)),
  fc.nat({ max: 9 }),
);

it('hold the sum of weights of each key, in the order of keys, also of rows that were added up', () => {
  const tallies = new Tallies(3);
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 600 }), (entries) => {
      // Space of the run before is used again.
      tallies.clear();
      const rows = Array.from({ length: 4 }, () => tallies.rowAt(tallies.addRow()));
      const expected = Array.from({ length: 4 }, () => Array.from({ length: 3 }, () => new Map<number, number>()));
      const count = (to: Map<number, number>, key: number, weight: number) => to.set(key, (to.get(key) ?? 0) + weight);
      for (const [row, tally, key, weight] of entries) {
        rows[row].add(tally, key, weight);
        count(expected[row][tally], key, weight);
      }
      for (const [to, from] of [
        [0, 1],
        [2, 2],
        [3, 0],
      ]) {
        rows[to].addRow(rows[from], 3);
        expected[from].forEach((own, tally) => {
          for (const [key, weight] of [...own]) count(expected[to][tally], key, weight);
        });
      }
      expected.forEach((own, row) => {
        own.forEach((counts, tally) => {
          expect(rows[row].entries(tally)).toEqual([...counts].sort(([a], [b]) => a - b));
        });
      });
    }),
    { numRuns: 100 },
  );
});

it('hold lists that are longer than a chunk', () => {
  const tallies = new Tallies(1);
  const [row, other] = [0, 1].map(() => tallies.rowAt(tallies.addRow()));
  for (let key = 0; key < 40_000; key++) row.add(0, key, key + 1);
  other.add(0, 7, 1);
  other.addRow(row, 1);
  const entries = other.entries(0);
  expect([entries.length, entries[7], entries[39_999]]).toEqual([40_000, [7, 9], [39_999, 40_000]]);
});
