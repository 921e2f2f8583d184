import { beforeAll, describe, expect, it } from 'vitest';
import { blendFields, blendInGroups, pairFields } from '../../src/blend/blend-fields.js';
import type { Horizon } from '../../src/blend/horizon.js';
import { horizonShares } from '../../src/blend/pairing/pairing.js';
import type { EnsembleField } from '../../src/core/field.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { valuesOf } from '../property/examples.js';
import { holds } from '../property/fuzz.js';
import { twinBlend } from '../reference/blend.js';
import { seededField } from '../reference/fields.js';
import { messageOf } from '../table/tables.js';
import { horizonsExamples, twinHorizon } from './horizons.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const all = [undefined, undefined, undefined];
const options = { method: 'cell', overlaps: [3, 7], lastLeads: all, keepGaps: false } as const;

/** Three horizons of 15, 30 and 40 days. */
function three(more: { cells?: number; missing?: number; sizes?: number[]; chunkRows?: number } = {}): Horizon[] {
  const { sizes = [11, 17, 7], ...rest } = more;
  return [
    [0, 15],
    [2, 30],
    [20, 20],
  ].map(([lead, days], h) => ({
    name: `horizon ${h + 1}`,
    field: seededField({ ...rest, firstDay: 20_500 + lead, days, members: sizes[h], seed: h + 1 }),
  }));
}

const allValues = (field: EnsembleField) => field.members.map((_, m) => valuesOf(field, m));

describe('blendFields', () => {
  holds('equals its twin to the last bit, shares and paired members included', 150, horizonsExamples(), (example) => {
    const { horizons } = example;
    const { lastLeads, ...requested } = example.options;
    const { field, pairing } = blendFields(core, horizons, example.options);
    const twin = twinBlend(
      horizons.map((horizon) => twinHorizon(horizon.field)),
      {
        ...{ ...requested, lastLeads: lastLeads.map(Number) },
        pairing: requested.method === 'field' ? pairing : undefined,
      },
    );
    expect([field.firstDay, field.firstDay + field.days - 1]).toEqual([twin.firstDay, twin.lastDay]);
    const shares = horizonShares(pairing);
    for (let cell = 0; cell < field.cells; cell++) {
      for (let d = 0; d < field.days; d++) {
        const day = field.firstDay + d;
        const counts = horizons.map(() => 0);
        for (let t = 0; t < field.members.length; t++) {
          const [found, expected] = [field.members[t].value(cell * field.days + d), twin.value(t, cell, day)];
          if (!Object.is(found, expected)) expect([found, t, cell, d]).toEqual([expected, t, cell, d]);
          const { horizon } = twin.source(t, cell, day);
          if (day <= pairing.horizons[horizon].lastDay) counts[horizon]++;
        }
        const expected = counts.map((count) => count / field.members.length);
        expect(shares.map((share) => share[d])).toEqual(expected);
      }
    }
  });

  it('equals its twin on more locations than are paired at a time', () => {
    const cells = 700;
    const horizons = three({ cells, missing: 0.01, sizes: [31, 51, 31] });
    const { field } = blendFields(core, horizons, options);
    const groups = [...blendInGroups(core, horizons, options)].map(({ cell }) => cell);
    expect(groups.length).toBeGreaterThan(2);
    const last = Number.POSITIVE_INFINITY;
    const twin = twinBlend(
      horizons.map((horizon) => twinHorizon(horizon.field)),
      { ...options, lastLeads: [last, last, last] },
    );
    const values = allValues(field);
    for (let cell = 0; cell < cells; cell++) {
      for (let row = 0; row < field.days; row++) {
        for (let t = 0; t < values.length; t++) {
          const [found, expected] = [values[t][cell * field.days + row], twin.value(t, cell, field.firstDay + row)];
          if (!Object.is(found, expected)) expect([found, t, cell, row]).toEqual([expected, t, cell, row]);
        }
      }
    }
  });

  it('returns the values of a single horizon', () => {
    const [horizon] = three({ missing: 0.1 });
    const { field, pairing } = blendFields(core, [horizon], options);
    expect(allValues(field)).toEqual(allValues(horizon.field));
    expect(pairing.seams).toEqual([]);
  });

  it('takes values that lie in the memory of the core, before and after it has grown', () => {
    const own = three({ cells: 40 });
    const mark = core.memory.mark();
    const inMemory = own.map((horizon): Horizon => {
      const members = horizon.field.members.map((member, m) => {
        const values = valuesOf(horizon.field, m) as Float32Array;
        const address = core.memory.allocate(values.byteLength);
        core.memory.float32(address, values.length).set(values);
        return new MemberColumn(member.name, [{ values: core.memory.float32(address, values.length) }]);
      });
      return { ...horizon, field: { ...horizon.field, members } };
    });
    const expected = allValues(blendFields(core, own, options).field);
    core.memory.allocate(64 * 1024 * 1024);
    // Views made before are detached now: the address of the values decides.
    expect(allValues(blendFields(core, inMemory, options).field)).toEqual(expected);
    expect(messageOf(() => blendFields(core, inMemory, { ...options, method: 'field' }))).toMatch(
      /^CoreError column m0: .*detached/,
    );
    core.memory.release(mark);
  });

  it('releases all of the core’s memory that it took, also where it fails', () => {
    const mark = core.memory.mark();
    const horizons = three();
    blendFields(core, horizons, options);
    pairFields(core, horizons, { ...options, method: 'field' });
    expect(core.memory.mark()).toBe(mark);
    for (const _ of blendInGroups(core, horizons, options)) break;
    expect(core.memory.mark()).toBe(mark);
    const value = () => Number.POSITIVE_INFINITY;
    const broken = { name: 'broken', field: seededField({ firstDay: 20_510, days: 40, members: 4, value }) };
    expect(() => blendFields(core, [horizons[0], broken], options)).toThrow('broken, row 3, column m0: infinite value');
    expect(() => blendFields(core, [horizons[0], broken], { ...options, method: 'field' })).toThrow(
      'broken, row 3, column m0: inf',
    );
    expect(core.memory.mark()).toBe(mark);
  });
});

describe('an infinite value that members are paired by', () => {
  const horizon = (name: string, days: number, infiniteDay?: number): Horizon => {
    const members = Array.from({ length: 5 }, (_, m) => {
      const values = Float32Array.from({ length: days }, (_, day) =>
        m === 2 && day === infiniteDay ? Number.POSITIVE_INFINITY : ((m + day) * 7) % 5,
      );
      return new MemberColumn(`m${m}`, [{ values }]);
    });
    return { name, field: { type: 'float32', order: 'day-fastest', firstDay: 20_500, days, cells: 1, members } };
  };
  const pair = (earlier?: number, later?: number) =>
    pairFields(core, [horizon('earlier', 10, earlier), horizon('later', 20, later)], { ...options, overlaps: [3] });

  it('is an error with its place: on a compared day, and on the days next to the switches', () => {
    expect(messageOf(() => pair(8))).toMatch(/^DataError earlier, row 9, column m2: infinite value/);
    expect(messageOf(() => pair(6))).toMatch(/^DataError earlier, row 7, column m2: infinite value/);
    expect(messageOf(() => pair(undefined, 10))).toMatch(/^DataError later, row 11, column m2: infinite value/);
  });

  it('is an error also beyond the locations that are paired first', () => {
    const [cells, days] = [6000, 40];
    const broken = seededField({ firstDay: 20_510, days, cells, members: 5 });
    const values = valuesOf(broken, 3);
    values[5990 * days + 1] = Number.POSITIVE_INFINITY;
    const members = broken.members.map((own, m) => (m === 3 ? new MemberColumn('m3', [{ values }]) : own));
    const earlier = { name: 'earlier', field: seededField({ firstDay: 20_500, days: 14, cells, members: 5 }) };
    const later = { name: 'later', field: { ...broken, members } };
    const row = 5990 * days + 2;
    expect(messageOf(() => pairFields(core, [earlier, later], options))).toContain(`later, row ${row}, column m3: inf`);
  });

  it('is not looked for on other days', () => {
    expect(pair(5, 11)).toEqual(pair());
  });
});

describe('blendInGroups', () => {
  it('gives the same values as blendFields, group by group, each in the core’s memory', () => {
    const horizons = three({ cells: 300, missing: 0.02, chunkRows: 1000, sizes: [31, 51, 31] });
    const { field, pairing } = blendFields(core, horizons, options);
    let cells = 0;
    const groups = blendInGroups(core, horizons, options);
    let next = groups.next();
    for (; !next.done; next = groups.next()) {
      const { cell, field: part } = next.value;
      expect([cell, part.firstDay, part.days]).toEqual([cells, field.firstDay, field.days]);
      part.members.forEach((member, m) => {
        expect(member.addressIn(core)).toBeDefined();
        expect(valuesOf(part, m)).toEqual(
          valuesOf(field, m).subarray(cell * field.days, (cell + part.cells) * field.days),
        );
      });
      cells += part.cells;
    }
    expect(cells).toBe(300);
    expect(next.value.cells).toBe(300);
    expect(next.value).toEqual(pairing);
  });
});

describe('a pairing', () => {
  it('of pairFields is that of blendFields: by cell, for a whole field, and by index', () => {
    const horizons = three({ cells: 700 });
    const weights = Float64Array.from({ length: 700 }, (_, cell) => 1 + (cell % 3));
    for (const how of [options, { ...options, weights }, { ...options, method: 'splice' as const }]) {
      expect(pairFields(core, horizons, how)).toEqual(blendFields(core, horizons, how).pairing);
    }
  });

  it('of another variable picks the same members on the same days', () => {
    const horizons = three({ cells: 5 });
    const { field, pairing } = blendFields(core, horizons, options);
    // The values of the other variable show which value of the first they belong to.
    const twice = horizons.map((horizon): Horizon => {
      const members = horizon.field.members.map((member, m) => {
        const values = valuesOf(horizon.field, m).map((x) => 2 * x + 1);
        return new MemberColumn(member.name, [{ values }]);
      });
      return { ...horizon, field: { ...horizon.field, members } };
    });
    const followed = blendFields(core, twice, pairing);
    expect(allValues(followed.field)).toEqual(allValues(field).map((values) => values.map((x) => 2 * x + 1)));
    expect(followed.pairing).toBe(pairing);
  });

  it('for a whole field can be used for a part of it', () => {
    const horizons = three({ cells: 4 });
    const { pairing, field } = blendFields(core, horizons, { ...options, method: 'field' });
    const parts = horizons.map(({ name, field: whole }) => {
      const members = whole.members.map((member) => member.slice(0, 2 * whole.days));
      return { name, field: { ...whole, cells: 2, members } };
    });
    const part = allValues(blendFields(core, parts, pairing).field);
    expect(part).toEqual(allValues(field).map((values) => values.subarray(0, 2 * field.days)));
  });
});

describe('blendFields rejects', () => {
  const [first, second] = three();
  const message = (...horizons: Horizon[]) => messageOf(() => blendFields(core, horizons, options));
  const changed = (change: Partial<EnsembleField>) => ({ ...second, field: { ...second.field, ...change } });

  it('no horizon', () => {
    expect(message()).toBe('OptionError horizons: none; allowed: at least one, from the shortest on');
  });

  it('horizons that are not alike', () => {
    expect(message(first, changed({ cells: 2 }))).toBe(
      'DataError horizon 2: another number of locations; received 2; allowed: 3, as horizon 1 has',
    );
    expect(message(first, changed({ type: 'float64' }))).toBe(
      'DataError horizon 2: another type of float; received "float64"; allowed: float32, as horizon 1 has',
    );
    expect(message(first, changed({ order: 'cell-fastest' }))).toBe(
      'DataError horizon 2: rows are not by location; received "cell-fastest"; allowed: day-fastest',
    );
  });

  it('a pairing for another number of locations', () => {
    const { pairing } = blendFields(core, three({ cells: 4 }), options);
    expect(messageOf(() => blendFields(core, three({ cells: 3 }), pairing))).toBe(
      'DataError horizon 1: another number of locations than was paired; received 3; allowed: 4',
    );
  });
});
