import fc from 'fast-check';
import { normalStream } from '../../reference/autoregressive.js';

export const NAN_BITS = 0x7fc00000;

export const bitsOf = (values: Float32Array) => new Uint32Array(values.buffer, values.byteOffset, values.length);
export const floats = (bits: readonly number[]) => new Float32Array(Uint32Array.from(bits).buffer);

/** Any pattern of bits, and those at the edges more often. */
const patterns = fc.oneof(
  fc.nat(0xffffffff),
  fc.constantFrom(0, 0x80000000, NAN_BITS, 0x7f800000, 0xff800000, 0xffffffff, 0x7f800001, 1, 0x80000001, 0x7f7fffff),
);

const shapes = fc.record({ members: fc.integer({ min: 1, max: 40 }), days: fc.integer({ min: 1, max: 70 }) });

/** Blocks of values that are mostly of one kind. */
export const blocks = shapes.chain(({ members, days }) =>
  fc
    .oneof(
      fc.array(patterns, { minLength: members * days, maxLength: members * days }).map(floats),
      fc
        .record({
          quantum: fc.constantFrom(0.01, 0.1, 2 ** -10, 2 ** -9 / 8, 1 / 3, 1, 1e-4 * 86_400),
          origin: fc.constantFrom(0, -273.15, 0.123456),
          span: fc.constantFrom(0, 1, 5, 300, 100_000),
          zeros: fc.constantFrom(0, 0.3, 0.97),
          others: fc.constantFrom(0, 0.01, 0.5),
          seed: fc.nat(1000),
          other: patterns,
        })
        .map(({ quantum, origin, span, zeros, others, seed, other }) => {
          const normal = normalStream(seed);
          const below = (share: number) => Math.abs(normal()) % 1 < share;
          const [odd] = floats([other]);
          return Float32Array.from({ length: members * days }, () => {
            if (below(others)) return odd;
            return below(zeros) ? 0 : origin + quantum * Math.round(span * normal());
          });
        }),
    )
    .map((values) => ({ members, values })),
);
