import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { blendVariables } from '../../src/blend/blend-variables.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { demoTables } from '../../src/demo/index.js';
import { defineVariable } from '../../src/variable/index.js';
import { holds } from '../property/fuzz.js';
import { membersOf, messageOf, read, table } from '../table/tables.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const INIT = 20_514;
const locations = [
  { latitude: 37.3, longitude: -79.84 },
  { latitude: -16.92, longitude: 145.77 },
];

describe('blendVariables', () => {
  holds(
    'keeps temp_min <= temp_mean <= temp_max on every day, whichever variable members are paired by',
    25,
    fc.record({
      seed: fc.integer({ min: 1, max: 1e6 }),
      sizes: fc.array(fc.integer({ min: 2, max: 40 }), { minLength: 3, maxLength: 3 }),
      pairBy: fc.constantFrom('temp_mean' as const, 'temp_min' as const, 'temp_max' as const),
      method: fc.constantFrom('field' as const, 'cell' as const, 'splice' as const),
    }),
    ({ seed, sizes, ...options }) => {
      const spans = [
        [INIT, 15],
        [INIT - 4, 34],
        [INIT - 1, 60],
      ];
      const slugs = ['temp_mean', 'temp_min', 'temp_max'] as const;
      const horizons = spans.map(([initDate, days], h) =>
        demoTables({ seed: seed + h, initDate, days, members: sizes[h], locations }),
      );
      const timelines = blendVariables(core, horizons, { ...options, lastLeads: [14, 28, null] });
      const [middle, low, high] = slugs.map((slug) => timelines[slug].field);
      expect([middle.days, middle.cells, middle.members.length]).toEqual([59, 2, sizes[0]]);
      for (let m = 0; m < sizes[0]; m++) {
        for (let row = 0; row < middle.days * middle.cells; row++) {
          const values = [low, middle, high].map(({ members }) => members[m].value(row));
          if (!(values[0] <= values[1] && values[1] <= values[2])) expect([m, row, values]).toEqual('in order');
        }
      }
    },
  );

  it('would not keep them if each variable were paired separately', () => {
    const slugs = ['temp_mean', 'temp_min'] as const;
    const [near, far] = [15, 40].map((days, h) => demoTables({ seed: 5 + h, initDate: INIT, days, members: 31 }));
    const [middle, low] = slugs.map((slug) => blendVariables(core, [near, far], { pairBy: slug })[slug].field);
    const isWrong = (m: number, day: number) => low.members[m].value(day) > middle.members[m].value(day);
    const wrong = Array.from({ length: 31 * 40 }, (_, i) => isWrong(Math.floor(i / 40), i % 40)).filter(Boolean);
    expect(wrong.length).toBeGreaterThan(0);
  });

  const days = (count: number) => Array.from({ length: count }, (_, i) => `2026-03-${String(i + 2).padStart(2, '0')}`);
  const series = (count: number, value: (lead: number, member: number) => number) => {
    const member = (m: number) => Array.from({ length: count }, (_, lead) => value(lead, m));
    return table({ date: days(count), member_00: member(0), member_01: member(1) });
  };
  const heat = (count: number) => series(count, (lead, m) => 10 * m + lead);

  it('ends a variable that only the first horizon has with its own data', () => {
    const gust = series(5, (lead, m) => 100 * m + lead);
    const horizons: Record<string, Table>[] = [{ temp_mean: heat(8), wind_gust_max: gust }, { temp_mean: heat(12) }];
    const { wind_gust_max: found, temp_mean } = blendVariables(core, horizons);
    expect(membersOf(found.table)).toEqual({ member_00: [0, 1, 2, 3, 4], member_01: [100, 101, 102, 103, 104] });
    expect(found.shares.map((share) => [...share])).toEqual([
      [1, 1, 1, 1, 1],
      [0, 0, 0, 0, 0],
    ]);
    expect(temp_mean.field.days).toBe(12);
    expect(JSON.parse(found.table.schema.metadata.get('horizons') ?? '')).toMatchObject([
      { start: '2026-03-02', end: '2026-03-06' },
    ]);
  });

  it('keeps every member of such a variable to its last day, as no horizon follows', () => {
    const horizons: Record<string, Table>[] = [{ temp_mean: heat(8), wind_gust_max: heat(8) }, { temp_mean: heat(12) }];
    const { wind_gust_max: found } = blendVariables(core, horizons, { overlaps: [1] });
    expect(Object.values(membersOf(found.table)).map((values) => values[7])).toEqual([7, 17]);
    expect(found.shares.map((share) => [...share])).toEqual([new Array(8).fill(1), new Array(8).fill(0)]);
  });

  it('keeps the days of earlier horizons where a variable ends earlier in its last horizon than in the one before', () => {
    const horizons = [
      { temp_mean: heat(5), precipitation: heat(5) },
      { temp_mean: heat(12), precipitation: heat(12) },
      { temp_mean: heat(20), precipitation: heat(9) },
    ];
    const { precipitation } = blendVariables(core, horizons, { overlaps: [1, 2] });
    const expected = (m: number) => Array.from({ length: 12 }, (_, lead) => 10 * m + lead);
    const { member_00: found } = membersOf(precipitation.table);
    expect(found.length).toBe(12);
    // Days 10 and 11 are the overlap; members that have switched are missing there, and all members from day 12 on.
    expect(found.slice(0, 10)).toEqual(expected(0).slice(0, 10));
    const last = Object.values(membersOf(precipitation.table)).map((values) => values[10]);
    expect(last.filter(Number.isNaN).length).toBe(1);
  });

  it('takes the caller’s own variables', () => {
    const soil = defineVariable({ slug: 'soil_temp', units: 'degC', window: 'mean' });
    const horizons = [
      { temp_mean: heat(5), soil_temp: heat(5) },
      { temp_mean: heat(9), soil_temp: heat(9) },
    ];
    const found = blendVariables(core, horizons, { variables: [soil] });
    expect(Object.keys(found)).toEqual(['temp_mean', 'soil_temp']);
    expect(found.soil_temp.table.schema.metadata.get('variable')).toBe('soil_temp');
    expect(found.soil_temp.table.schema.metadata.get('pair_by')).toBe('temp_mean');
    expect(messageOf(() => blendVariables(core, horizons))).toMatch(/soil_temp/);
  });

  it('with a pairing at each location follows the leading variable there, for any order of locations', () => {
    const made = (seed: number, count: number, places: typeof locations) => {
      const { temp_mean, temp_min } = demoTables({ seed, initDate: INIT, days: count, members: 9, locations: places });
      return { temp_mean, temp_min };
    };
    const [near, far] = [made(3, 15, locations), made(4, 40, locations)];
    const turned = [made(3, 15, locations.toReversed()), made(4, 40, locations.toReversed())];
    const blended = (...horizons: Record<string, Table>[]) =>
      read(blendVariables(core, horizons, { method: 'cell' }).temp_min.table);
    const expected = blended(near, far);
    expect(blended(near, { ...far, temp_min: turned[1].temp_min })).toEqual(expected);
    expect(blended({ ...near, temp_min: turned[0].temp_min }, far)).toEqual(expected);
    expect(blended(near, turned[1])).toEqual(expected);
  });

  it('pairs by temp_mean and precipitation where all horizons have them, else by the first variable that all have', () => {
    const made = [15, 40].map((count, h) => demoTables({ seed: 6 + h, initDate: INIT, days: count, members: 9 }));
    const pairedBy = (horizons: Record<string, Table>[], pairBy?: string[]) =>
      Object.values(blendVariables(core, horizons, { pairBy }))[0].table.schema.metadata.get('pair_by');
    expect(pairedBy(made)).toBe('temp_mean, precipitation');
    const { temp_mean: _, ...others } = made[1];
    expect(pairedBy([made[0], others])).toBe('precipitation');
    const { precipitation: __, ...fewer } = others;
    const { wind_speed } = made[0];
    expect(pairedBy([{ wind_speed }, { wind_speed: fewer.wind_speed }])).toBe('wind_speed');
    expect(pairedBy(made, ['wind_speed', 'temp_min'])).toBe('wind_speed, temp_min');
  });

  it.each<[string, Parameters<typeof blendVariables>[1], object, string]>([
    [
      'a variable that is missing in an earlier horizon',
      [{ temp_mean: heat(5) }, { temp_mean: heat(9), precipitation: heat(9) }],
      {},
      'variable precipitation: not in horizon 1; received "temp_mean"; allowed: a table of it in every horizon up to the last that has one',
    ],
    [
      'a horizon without the variable that members are paired by',
      [{ temp_mean: heat(5), precipitation: heat(5) }, { precipitation: heat(9) }],
      { pairBy: ['precipitation', 'temp_mean'] },
      'variable temp_mean: not in horizon 2; received "precipitation"; allowed: a table of it in every horizon',
    ],
    [
      'a variable to pair by that there is nowhere',
      [{ temp_mean: heat(5) }, { temp_mean: heat(9) }],
      { pairBy: 'precipitation' },
      'variable precipitation: not in horizon 1; received "temp_mean"; allowed: a table of it in every horizon',
    ],
    [
      'tables without the names of their variables',
      [heat(5), heat(9)] as never,
      {},
      'horizons[0]: cannot be used; received a table of 5 rows; allowed: tables by variable, such as { temp_mean: table }',
    ],
    ['no horizon at all', [], {}, 'horizons: none; allowed: a table for each, from the shortest on'],
    [
      'an unknown option',
      [{ temp_mean: heat(5) }, { temp_mean: heat(9) }],
      { pairby: 'precipitation' },
      'options: unknown option, the nearest is pairBy; received "pairby"; allowed: names, sources, method, overlaps, lastLeads, keepGaps, variables, columns, pairBy',
    ],
  ])('rejects %s', (_, horizons, options, expected) => {
    expect(messageOf(() => blendVariables(core, horizons, options))).toBe(`OptionError ${expected}`);
  });
});
