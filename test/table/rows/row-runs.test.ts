import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowRuns, type RunBytes } from '../../../src/table/rows/row-runs.js';

/** Bytes in memory, and how many reads there were. */
function bytesInMemory(): RunBytes & { size: number } {
  const all = new Uint8Array(1 << 20);
  return {
    size: 0,
    write(bytes, at) {
      expect(at).toBe(this.size);
      all.set(bytes, at);
      this.size += bytes.length;
    },
    read(into, at) {
      into.set(all.subarray(at, at + into.length));
    },
  };
}

const rows = fc.array(
  fc.record({
    location: fc.oneof(fc.nat(5), fc.nat(900)),
    member: fc.oneof(fc.nat(4), fc.nat(70_000)),
    day: fc.oneof(fc.integer({ min: -3, max: 9 }), fc.integer({ min: -719_162, max: 2_932_896 })),
    value: fc.float({ noNaN: true }),
    gap: fc.oneof(fc.nat(3), fc.nat(2 ** 33)),
  }),
  { minLength: 1, maxLength: 60 },
);

/** The rows of a run one after the other. */
function* unpacked(runs: RowRuns, from: number, to: number) {
  for (const { firstLocation, starts, values, series, dayBits, firstDay, rows: offsets, firstRow } of runs.between(
    from,
    to,
  )) {
    for (let i = 0; i < starts.length - 1; i++) {
      for (let at = starts[i]; at < starts[i + 1]; at++) {
        const day = firstDay + (series[at] & (2 ** dayBits - 1));
        yield {
          location: firstLocation + i,
          member: series[at] >>> dayBits,
          day,
          value: values[at * runs.width],
          last: values[at * runs.width + runs.width - 1],
          row: firstRow + offsets[at],
        };
      }
    }
  }
}

/** Rows by location, in the order that those of each location have. */
function byLocation<Row extends { location: number }>(given: readonly Row[]): Row[] {
  return [...given].sort((a, b) => a.location - b.location);
}

describe('RowRuns', () => {
  it('gives the rows of each location in their order, whatever their days, members and numbers', () => {
    fc.assert(
      fc.property(
        rows,
        fc.integer({ min: 1, max: 70 }),
        fc.nat(10),
        fc.boolean(),
        fc.integer({ min: 1, max: 5 }),
        (given, length, from, isSingle, width) => {
          const runs = new RowRuns(bytesInMemory(), { type: isSingle ? 'float32' : 'float64', width, length });
          let row = 0;
          const numbered = given.map(({ gap, ...each }) => ({
            ...each,
            last: width === 1 ? each.value : row % 1000,
            row: (row += gap + 1),
          }));
          for (const { location, member, day, value, last, row: number } of numbered) {
            const at = runs.add(location, member, day, number);
            runs.values[at + width - 1] = last;
            runs.values[at] = value;
          }
          runs.end();
          for (const to of [from + 1, from + 4, 1000]) {
            const expected = numbered.filter(({ location }) => location >= from && location < to);
            expect(byLocation([...unpacked(runs, from, to)])).toEqual(byLocation(expected));
          }
        },
      ),
      { numRuns: 25, seed: 20_261_123 },
    );
  });

  it('takes 12 bytes for a row of float32, 16 for one of float64, and as many more for each further value', () => {
    for (const [type, width, size] of [
      ['float32', 1, 12],
      ['float64', 1, 16],
      ['float32', 31, 132],
    ] as const) {
      const bytes = bytesInMemory();
      const runs = new RowRuns(bytes, { type, width, length: 1000 });
      for (let row = 0; row < 1000; row++) runs.add(70_000 + (row % 3), row % 5, row, row);
      runs.end();
      expect(bytes.size).toBe(1000 * size + 16);
    }
  });
});
