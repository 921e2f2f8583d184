import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { JsonWriter } from '../../src/respond/json-writer.js';
import { NumberText } from '../../src/respond/v2/statistics-skeleton.js';

const core = await loadCore();
const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

/** Puts columns of float32 numbers into the core's memory, some bytes apart. */
function hold(columns: readonly Float32Array[], gap: number) {
  const columnBytes = 4 * (columns[0].length + gap);
  const address = core.memory.allocate(columnBytes * columns.length);
  columns.forEach((column, k) => {
    core.memory.float32(address + k * columnBytes, column.length).set(column);
  });
  return { address, columnBytes };
}

/** As the usual writer writes a number. */
function written(value: number, decimals: number): string {
  const writer = new JsonWriter();
  writer.number(value, decimals);
  return decode(writer.finish()) as string;
}

/** All float32 bits, and numbers that are halfway between two roundings or change their number of digits. */
const value = fc.oneof(
  fc.float({ noNaN: false, noDefaultInfinity: true }).filter((x) => !(Math.abs(x) > 2e6)),
  fc.integer({ min: -2_000_000, max: 2_000_000 }).map((n) => Math.fround(n / 16)),
  fc.integer({ min: -2_000_000, max: 2_000_000 }).map((n) => Math.fround(n / 1000)),
  fc.constantFrom(0, -0, 9.9995, 99.995, 999.95, 999.9995, 9999.5, -0.0004, -0.05, 0.001, 1e-40, Number.NaN),
);

it('numbers between texts are those of the usual writer', () => {
  const text = fc.string({ maxLength: 40 }).map(encode);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }).chain((columns) =>
        fc.record({
          columns: fc.constant(columns),
          rows: fc.array(fc.array(fc.tuple(text, value), { minLength: columns, maxLength: columns }), {
            minLength: 1,
            maxLength: 30,
          }),
          decimals: fc.integer({ min: 0, max: 3 }),
          gap: fc.nat(5),
        }),
      ),
      ({ columns, rows, decimals, gap }) => {
        const mark = core.memory.mark();
        try {
          const all = Array.from({ length: columns }, (_, k) => Float32Array.from(rows, (row) => row[k][1]));
          const texts = rows.flatMap((row) => row.map(([before]) => before));
          const number = new NumberText(core, { texts, columns, decimals });
          const expected = rows.flat().map(([before, x]) => decode(before) + written(Math.fround(x), decimals));
          expect(decode(number.write(hold(all, gap)))).toBe(expected.join(''));
        } finally {
          core.memory.release(mark);
        }
      },
    ),
    { numRuns: 300 },
  );
});

it.each([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 3e9, -3e6, 2_147_483.6])(
  'a number that is infinite or too large for its decimals is left to the usual writer: %d',
  (large) => {
    const number = new NumberText(core, { texts: [encode('a'), encode('b')], columns: 1, decimals: 3 });
    expect(number.write(hold([Float32Array.of(1, large)], 0))).toBeUndefined();
    // Also where another follows.
    expect(number.write(hold([Float32Array.of(large, 1)], 0))).toBeUndefined();
    expect(decode(number.write(hold([Float32Array.of(1, 2)], 0)))).toBe('a1b2');
  },
);

it('a large number has all its digits', () => {
  const number = new NumberText(core, { texts: [encode('')], columns: 1, decimals: 0 });
  for (const large of [2_146_999, -2_000_000, 1_234_567, 999_999, 1_000_000]) {
    expect(decode(number.write(hold([Float32Array.of(large)], 0)))).toBe(String(large));
  }
});
