import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Condition, ConditionLimit } from '../../src/condition/condition.js';
import { countMembers, type MemberValues, memberBits, shareOfMembers } from '../../src/condition/count-members.js';
import { parseCondition } from '../../src/condition/parse-condition.js';
import { shareOver } from '../reference/conditions.js';
import { seeded } from '../reference/fields.js';

const NAMES = [undefined, 'a', 'b'] as const;

/** Values of small steps, so that many tie with limits, and some that are missing. */
function example(seed: number, members: number, length: number, type: 'float32' | 'float64') {
  const random = seeded(seed);
  const cell = () => (random() < 0.15 ? Number.NaN : Math.floor(random() * 8) / 4);
  const array = () => Array.from({ length }, cell);
  const rows = new Map(NAMES.map((name) => [name, Array.from({ length: members }, array)]));
  const limits = array();
  const typed = (values: number[]) => (type === 'float32' ? Float32Array.from(values) : Float64Array.from(values));
  const values: MemberValues = {
    ...{ members, length },
    of: (name) => memberBits(type, (rows.get(name as 'a') as number[][]).map(typed)),
    limit: () => Float64Array.from(limits),
  };
  return { values, rows, limits };
}

const CONDITIONS = [
  '>1',
  '0.5..1.25',
  '<0.5 or >=1.5',
  '>q90 and <1.75',
  'q90..q90',
  'a>1 and b<0.5',
  'a>1 or b<0.5',
  '(a>0.25 or b>0.25) and >0.75',
  'a>0.5 given b>1',
  'a>0.5 or >1 given b>1 or b<0.5',
  'a given b>=1.75',
];

const inputs = fc.record({
  seed: fc.nat(),
  // Members are looked at as words of 32 bits.
  members: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 31, max: 70 })),
  length: fc.integer({ min: 1, max: 20 }),
  type: fc.constantFrom('float32' as const, 'float64' as const),
  required: fc.integer({ min: 1, max: 12 }),
});

const shares = (condition: Condition | string, values: MemberValues, required = 1) =>
  shareOfMembers(countMembers(typeof condition === 'string' ? parseCondition(condition) : condition, values), required);

describe('countMembers', () => {
  it.each(CONDITIONS)('of %s is what its slow twin gives', (text) => {
    const condition = parseCondition(text);
    fc.assert(
      fc.property(inputs, ({ seed, members, length, type, required }) => {
        const { values, rows, limits } = example(seed, members, length, type);
        const expected = Float64Array.from({ length }, (_, i) => {
          const value = (m: number, name: string | undefined) => (rows.get(name as 'a') as number[][])[m][i];
          const limitOf = (limit: ConditionLimit) => (typeof limit === 'number' ? limit : limits[i]);
          return shareOver(condition, members, value, limitOf, required);
        });
        expect(shares(condition, values, required)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('a or b is at least each, a and b at most each, where all values are there', () => {
    fc.assert(
      fc.property(inputs, ({ seed, members, length, type }) => {
        const { values, rows } = example(seed, members, length, type);
        for (const arrays of rows.values())
          for (const row of arrays)
            row.forEach((x, i) => {
              row[i] = Number.isNaN(x) ? 0 : x;
            });
        const [a, b, either, both] = ['a>1', 'b<0.5', 'a>1 or b<0.5', 'a>1 and b<0.5'].map((text) =>
          shares(text, values),
        );
        const given = shares('a>1 given b<0.5', values);
        for (let i = 0; i < length; i++) {
          expect(either[i]).toBeGreaterThanOrEqual(Math.max(a[i], b[i]));
          expect(both[i]).toBeLessThanOrEqual(Math.min(a[i], b[i]));
          expect(either[i] + both[i]).toBeCloseTo(a[i] + b[i], 12);
          if (b[i] === 0) expect(given[i]).toBeNaN();
          else expect(given[i] * b[i]).toBeCloseTo(both[i], 12);
        }
      }),
    );
  });

  it('a condition and its complement add to 1, missing values or not', () => {
    fc.assert(
      fc.property(inputs, ({ seed, members, length, type }) => {
        const { values } = example(seed, members, length, type);
        const pairs = [
          ['>1', '<=1'],
          ['0.5..1.25', '<0.5 or >1.25'],
          ['a>1 and b<0.5', 'a<=1 or b>=0.5'],
        ];
        for (const [one, other] of [...pairs, ['a>1 given b>1', 'a<=1 given b>1']]) {
          const [first, second] = [shares(one, values), shares(other, values)];
          for (let i = 0; i < length; i++) {
            if (Number.isNaN(first[i])) expect(second[i]).toBeNaN();
            else expect(first[i] + second[i]).toBeCloseTo(1, 12);
          }
        }
      }),
    );
  });

  it('a missing value leaves a member out only where it decides', () => {
    const rows = { a: [[Number.NaN], [Number.NaN], [2]], b: [[0], [2], [2]] };
    const of = (name: string | undefined) =>
      memberBits(
        'float64',
        rows[name as 'a'].map((row) => Float64Array.from(row)),
      );
    const values: MemberValues = { members: 3, length: 1, of, limit: () => new Float64Array(1) };
    // The first fails b>1 whatever a is; of the second it is not known.
    expect(countMembers(parseCondition('a>1 and b>1'), values).known[0]).toBe(2);
    expect(shares('a>1 and b>1', values)[0]).toBe(0.5);
    expect(countMembers(parseCondition('a>1 or b>1'), values).known[0]).toBe(2);
    expect(shares('a>1 given b>1', values)[0]).toBe(1);
  });
});
