import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareUnits, type Unit } from '../../../src/batch/shards/share-units.js';

const unit = (name: string, bytes: number, inputs = name): Unit => ({ name, bytes, inputs });
const names = (shares: readonly (readonly Unit[])[]) => shares.map((share) => share.map(({ name }) => name));

describe('shareUnits', () => {
  it('takes the largest first, each for the shard with the least so far', () => {
    const units = [unit('a', 10), unit('b', 50), unit('c', 30), unit('d', 40)];
    expect(names(shareUnits(units, 2))).toEqual([
      ['b', 'a'],
      ['d', 'c'],
    ]);
  });

  it('orders units of the same size by name', () => {
    expect(names(shareUnits([unit('b', 5), unit('c', 5), unit('a', 5)], 3))).toEqual([['a'], ['b'], ['c']]);
  });

  it('divides units of unknown size evenly', () => {
    const units = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => unit(name, 0));
    expect(shareUnits(units, 3).map(({ length }) => length)).toEqual([2, 2, 2]);
  });

  it('keeps units of the same inputs together, unless they are more than the share of a shard', () => {
    const small = [unit('a', 10, 'x'), unit('b', 10, 'y'), unit('c', 10, 'x'), unit('d', 10, 'y')];
    expect(names(shareUnits(small, 2))).toEqual([
      ['a', 'c'],
      ['b', 'd'],
    ]);
    expect(names(shareUnits(small, 4))).toEqual([['a'], ['b'], ['c'], ['d']]);
  });

  it('leaves shards empty if there are more than units', () => {
    expect(names(shareUnits([unit('a', 1)], 3))).toEqual([['a'], [], []]);
  });

  const units = fc.uniqueArray(
    fc.record({ name: fc.string(), bytes: fc.nat(1000), inputs: fc.constantFrom('x', 'y', 'z') }),
    { selector: ({ name }) => name, maxLength: 40 },
  );

  it('gives each unit to one shard, whatever the order of the units', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 1, max: 9 }), (all, shards) => {
        const shares = names(shareUnits(all, shards));
        expect(shares.flat().sort()).toEqual(all.map(({ name }) => name).sort());
        expect(names(shareUnits([...all].reverse(), shards))).toEqual(shares);
      }),
    );
  });

  it('gives no shard more than the share of each and the largest unit', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 1, max: 9 }), (all, shards) => {
        const weight = (list: readonly Unit[]) => list.reduce((sum, { bytes }) => sum + bytes + 1, 0);
        const share = weight(all) / shards;
        const largest = Math.max(share, ...all.map((each) => weight([each])));
        for (const own of shareUnits(all, shards)) expect(weight(own)).toBeLessThanOrEqual(share + largest);
      }),
    );
  });
});
