import { beforeAll, describe, expect, it } from 'vitest';
import { blendFields, blendInGroups, pairFields } from '../../src/blend/blend-fields.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { OptionError } from '../../src/errors.js';
import { seededField } from '../reference/fields.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const field = seededField({ days: 10, cells: 2, members: 4, firstDay: 100 });
const later = seededField({ days: 20, cells: 2, members: 4, firstDay: 102 });
const how = { method: 'field', keepGaps: false, overlaps: [3], lastLeads: [9, 21] } as const;
const good = [
  { name: 'one', field },
  { name: 'two', field: later },
];

const HORIZONS: [string, unknown][] = [
  ['no list', {}],
  ['null', null],
  ['a horizon of null', [null, good[1]]],
  ['a horizon without a field', [good[0], { name: 'two' }]],
  ['a field of null', [{ name: 'one', field: null }, good[1]]],
  ['more days than values', [good[0], { name: 'two', field: { ...later, days: 40 } }]],
  [
    'fewer cells than values',
    [
      { name: 'one', field: { ...field, cells: 1 } },
      { name: 'two', field: { ...later, cells: 1 } },
    ],
  ],
  ['another type than the values', good.map((one) => ({ ...one, field: { ...one.field, type: 'float64' } }))],
  ['no members', [good[0], { name: 'two', field: { ...later, members: [] } }]],
  ['a first day that is none', [{ name: 'one', field: { ...field, firstDay: 0.5 } }, good[1]]],
];

describe('fields are not blended', () => {
  it.each(HORIZONS)('with %s', (_, horizons) => {
    const mark = core.memory.mark();
    expect(() => pairFields(core, horizons as never, how)).toThrow(OptionError);
    expect(() => blendFields(core, horizons as never, how)).toThrow(OptionError);
    expect(() => blendInGroups(core, horizons as never, how).next()).toThrow(OptionError);
    expect(core.memory.mark()).toBe(mark);
  });

  it.each([undefined, null, {}, Promise.resolve(), 5])('with %s as a core, or as pairing options', (odd) => {
    expect(() => pairFields(odd as never, good, how)).toThrow(OptionError);
    expect(() => blendFields(odd as never, good, how)).toThrow(OptionError);
    if (odd == null) expect(() => blendFields(core, good, odd as never)).toThrow(OptionError);
  });
});
