import fc from 'fast-check';
import { beforeAll, describe, expect } from 'vitest';
import { blendFields, blendInGroups } from '../../src/blend/blend-fields.js';
import type { Horizon } from '../../src/blend/horizon.js';
import { horizonShares } from '../../src/blend/pairing/pairing.js';
import type { EnsembleField } from '../../src/core/field.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { horizonsExamples } from '../blend/horizons.js';
import { seeded } from '../reference/fields.js';
import { compute, granularities, shuffled, valuesOf } from './examples.js';
import { holds } from './fuzz.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const allValues = (field: EnsembleField) => field.members.map((_, m) => valuesOf(field, m));

/** The horizons with other values. */
function withValues(horizons: readonly Horizon[], value: (h: number, m: number, row: number) => number): Horizon[] {
  return horizons.map(({ name, field }, h) => {
    const members = field.members.map((member, m) => {
      const values = valuesOf(field, m).map((_, row) => value(h, m, row));
      return new MemberColumn(member.name, [{ values }]);
    });
    return { name, field: { ...field, members } };
  });
}

/** Values that are the same nowhere: ties would be decided by the order of members. */
function continuous(horizons: readonly Horizon[], seed: number): Horizon[] {
  const random = seeded(seed);
  return withValues(horizons, () => random() * 40 - 10 + random() / 65_536);
}

/** Horizons whose values say of which horizon and member they are. */
const labelled = (horizons: readonly Horizon[]) => withValues(horizons, (h, m) => 1000 * h + m);

describe('the order of members before blending', () => {
  holds(
    'changes no bit of quantiles and counts of the timeline, and its mean within 1e-12',
    100,
    fc.record({
      example: horizonsExamples({ method: fc.constant('cell'), type: fc.constant('float64'), missing: fc.constant(0) }),
      seed: fc.nat(),
      granularity: granularities,
    }),
    ({ example: { horizons, options }, seed, granularity }) => {
      const drawn = continuous(horizons, seed);
      const permuted = drawn.map(({ name, field }, h): Horizon => {
        const order = shuffled(field.members.length, seed + h);
        return { name, field: { ...field, members: order.map((m) => field.members[m]) } };
      });
      const [a, b] = [drawn, permuted].map((some) =>
        compute(core, blendFields(core, some, options).field, granularity, { minMemberShare: 0 }),
      );
      expect(b.members).toEqual(a.members);
      expect(b.quantiles).toEqual(a.quantiles);
      for (let i = 0; i < a.length; i++) {
        const close = Number.isNaN(a.mean[i])
          ? Number.isNaN(b.mean[i])
          : Math.abs(a.mean[i] - b.mean[i]) <= 1e-12 * 1000;
        if (!close) expect(b.mean[i]).toBe(a.mean[i]);
      }
    },
  );
});

describe('a timeline', () => {
  holds('of one horizon is that horizon', 60, horizonsExamples({ beyond: fc.constant([0]) }), (example) => {
    const { options } = example;
    const [first] = example.horizons;
    const { field, pairing } = blendFields(core, [first], options);
    expect(allValues(field)).toEqual(allValues(first.field));
    expect([field.firstDay, field.days, field.cells]).toEqual([
      first.field.firstDay,
      first.field.days,
      first.field.cells,
    ]);
    expect(horizonShares(pairing).map((share) => [...share])).toEqual([Array(field.days).fill(1)]);
  });

  holds('begins with the first horizon and ends with the last', 60, horizonsExamples(), ({ horizons, options }) => {
    const { field } = blendFields(core, horizons, options);
    const [first] = horizons;
    expect([field.firstDay, field.members.length, field.cells, field.type]).toEqual([
      ...[first.field.firstDay, first.field.members.length, first.field.cells, first.field.type],
    ]);
    expect(field.days).toBe((options.lastLeads.at(horizons.length - 1) ?? 0) + 1);
    expect(field.members.map(({ name }) => name)).toEqual(first.field.members.map(({ name }) => name));
  });

  holds('a group of cells at a time has the same values', 60, horizonsExamples(), ({ horizons, options }) => {
    const { field, pairing } = blendFields(core, horizons, options);
    const [before, after] = [options, pairing].map((how) => {
      const parts: number[][] = field.members.map(() => []);
      for (const { field: part } of blendInGroups(core, horizons, how)) {
        part.members.forEach((_, m) => {
          parts[m].push(...valuesOf(part, m));
        });
      }
      return parts;
    });
    const expected = allValues(field).map((values) => [...values]);
    expect(before).toEqual(expected);
    expect(after).toEqual(expected);
  });
});

describe('the shares of horizons', () => {
  holds(
    'are those counted from the values, at every location, and sum to 1 on each day that a horizon has',
    150,
    horizonsExamples(),
    (example) => {
      const { options } = example;
      const horizons = example.horizons;
      const { pairing } = blendFields(core, horizons, options);
      const { field } = blendFields(core, labelled(horizons), pairing);
      const shares = horizonShares(pairing);
      const size = field.members.length;
      for (let row = 0; row < field.days * field.cells; row++) {
        const labels = field.members.map((member) => Math.floor(member.value(row) / 1000));
        const counted = horizons.map((_, h) => labels.filter((label) => label === h).length / size);
        const found = shares.map((share) => share[row % field.days]);
        const sum = found.reduce((total, share) => total + share, 0);
        if (counted.some((share, h) => share !== found[h])) expect(found).toEqual(counted);
        const isGap = labels.every(Number.isNaN);
        if (Math.abs(sum - (isGap ? 0 : 1)) > 1e-15) expect(sum).toBe(isGap ? 0 : 1);
      }
    },
  );

  holds(
    'change by no more than one member more or less than a straight line across the overlap',
    100,
    horizonsExamples({ method: fc.constantFrom('field', 'cell') }),
    ({ horizons, options }) => {
      const { pairing } = blendFields(core, horizons, options);
      const shares = horizonShares(pairing);
      pairing.seams.forEach(({ handOver, overlapDays }, s) => {
        for (let d = 1; d <= overlapDays; d++) {
          const later = shares.slice(s + 1).reduce((sum, share) => sum + share[handOver - pairing.firstDay + d - 1], 0);
          expect(Math.abs(later - d / (overlapDays + 1)) * pairing.members).toBeLessThanOrEqual(0.5 + 1e-9);
        }
      });
    },
  );
});

describe('each member of a later horizon', () => {
  holds(
    'is used as often as another, or once more: at most once where they are enough',
    150,
    horizonsExamples({ seed: fc.nat({ max: 1000 }) }),
    ({ horizons, options }) => {
      const { pairing } = blendFields(core, horizons, options);
      const { members: size } = pairing;
      pairing.seams.forEach(({ member, distinctMembers }, s) => {
        const available = horizons[s + 1].field.members.length;
        for (let start = 0; start < member.length; start += size) {
          const uses = new Array<number>(available).fill(0);
          for (const m of member.subarray(start, start + size)) uses[m]++;
          expect(uses.filter((count) => count > 0).length).toBe(distinctMembers);
          expect(distinctMembers).toBe(Math.min(size, available));
          expect(Math.min(...uses)).toBe(Math.floor(size / available));
          expect(Math.max(...uses)).toBe(Math.ceil(size / available));
        }
      });
    },
  );
});

describe('another variable with the same pairing', () => {
  holds('is of the same horizon and member on each day', 100, horizonsExamples(), ({ horizons, options }) => {
    const first = blendFields(core, horizons, options);
    const labels = blendFields(core, labelled(horizons), first.pairing).field;
    const values = first.field;
    for (let t = 0; t < labels.members.length; t++) {
      for (let row = 0; row < labels.days * labels.cells; row++) {
        const label = labels.members[t].value(row);
        if (Number.isNaN(label)) continue;
        const { field } = horizons[Math.floor(label / 1000)];
        const [cell, day] = [Math.floor(row / labels.days), row % labels.days];
        const own = cell * field.days + labels.firstDay + day - field.firstDay;
        const expected = field.members[label % 1000].value(own);
        if (!Object.is(values.members[t].value(row), expected)) expect(values.members[t].value(row)).toBe(expected);
      }
    }
  });
});
