import { describe, expect, it } from 'vitest';

const numbers = Array.from({ length: 40 }, (_, i) => i / 7);
const withLast = (value: unknown) => [...numbers.slice(1), value];

describe('expect finds long arrays different', () => {
  it.each<[string, unknown, unknown]>([
    ['in one value', new Float64Array(numbers), new Float64Array(withLast(9) as number[])],
    ['in the sign of a zero', Float32Array.from(numbers).fill(0), Float32Array.from(numbers).fill(-0)],
    ['in their type', new Uint8Array(40), new Int8Array(40)],
    ['in their length', new Uint8Array(40), new Uint8Array(41)],
    ['in one value of an ordinary array', withLast(1), withLast(2)],
    ['in a zero of an ordinary array', withLast(0), withLast(-0)],
    ['in a text', withLast('1'), withLast(1)],
    ['in a property', Object.assign([...numbers], { index: 1 }), [...numbers]],
    ['deep within', { a: [numbers, withLast(1)] }, { a: [numbers, withLast(2)] }],
  ])('%s', (_, a, b) => {
    expect(a).not.toEqual(b);
    expect(b).not.toEqual(a);
    expect(a).not.toStrictEqual(b);
  });

  it('in a hole, where it is strict', () => {
    const hole = withLast(undefined);
    delete hole[39];
    expect(hole).toEqual(withLast(undefined));
    expect(hole).not.toStrictEqual(withLast(undefined));
  });
});

describe('expect finds long arrays equal', () => {
  it.each<[string, unknown, unknown]>([
    ['of the same bytes', new Float64Array(numbers), new Float64Array([0, ...numbers]).subarray(1)],
    [
      'of other NaNs',
      new Float64Array(40).fill(Number.NaN),
      new Float64Array(new BigUint64Array(40).fill(0x7ff8_0000_0000_0001n).buffer),
    ],
    ['with matchers in them', withLast(3), withLast(expect.any(Number))],
    ['of primitives', withLast(Number.NaN), withLast(Number.NaN)],
  ])('%s', (_, a, b) => {
    expect(a).toEqual(b);
    expect(a).toStrictEqual(b);
  });
});
