import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OptionError } from '../../src/errors.js';
import { isAvailable, PRODUCTS } from '../../src/variable/availability.js';
import { defineVariable, type VariableDefinition, variables } from '../../src/variable/index.js';

const minimal = { slug: 'frost_days', units: '1', window: 'count' } as const;

describe('defineVariable', () => {
  test('has defaults for the fields that are left out', () => {
    expect(defineVariable(minimal)).toEqual({
      slug: 'frost_days',
      group: 'other',
      standardName: undefined,
      units: '1',
      label: '1',
      window: 'count',
      bounds: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
      decimals: 2,
      derived: false,
      downscalable: false,
      availability: { history: {}, 'short-term': {}, subseasonal: {}, seasonal: {} },
      fileNames: [],
    });
    expect(PRODUCTS.every((product) => isAvailable(defineVariable(minimal), product, 214))).toBe(true);
  });

  test('keeps what is given: every built-in variable defines itself', () => {
    for (const variable of variables) expect(defineVariable(variable)).toEqual(variable);
  });

  test('returns a frozen copy that later changes of the definition do not reach', () => {
    const definition = {
      ...minimal,
      bounds: [0, 1] as [number, number],
      fileNames: ['fd'],
      availability: { 'short-term': { lastLead: 9 } },
    };
    const variable = defineVariable(definition);
    definition.bounds[1] = 99;
    definition.fileNames.push('other');
    definition.availability['short-term'].lastLead = 0;
    expect(variable.bounds).toEqual([0, 1]);
    expect(variable.fileNames).toEqual(['fd']);
    expect(variable.availability).toEqual({ 'short-term': { lastLead: 9 } });
    const parts = [variable, variable.bounds, variable.fileNames, variable.availability];
    expect([...parts, variable.availability['short-term']].every(Object.isFrozen)).toBe(true);
    expect(Object.isFrozen(definition)).toBe(false);
  });

  test.each<[string, unknown, string]>([
    [
      'slug',
      undefined,
      'variable: has no slug; allowed: a lower-case letter, then lower-case letters, digits and underscores, 64 in all at most',
    ],
    ['slug', 'Frost Days', 'variable: has an unusable slug; received "Frost Days"; allowed: a lower-case letter, then'],
    ['slug', '2frost', 'variable: has an unusable slug; received "2frost"'],
    ['slug', `f${'x'.repeat(64)}`, 'variable: has an unusable slug'],
    [
      'units',
      undefined,
      'variable frost_days: has no units; allowed: a text that is not empty and has no blank at either end',
    ],
    ['units', ' mm', 'variable frost_days: has unusable units; received " mm"; allowed: a text'],
    ['label', '', 'variable frost_days: has unusable label; received ""; allowed: a text'],
    ['group', 7, 'variable frost_days: has unusable group; received 7; allowed: a text'],
    [
      'standardName',
      'air temperature',
      'variable frost_days: has unusable standardName; received "air temperature"; allowed: a CF standard name: letters, digits and underscores; or leave it out',
    ],
    ['window', undefined, 'variable frost_days: has no window; allowed: sum, mean, min, max, count'],
    [
      'window',
      'median',
      'variable frost_days: has unusable window; received "median"; allowed: sum, mean, min, max, count',
    ],
    [
      'bounds',
      [3, 1],
      'variable frost_days: has unusable bounds; received 3, 1; allowed: two numbers, the lower one first',
    ],
    ['bounds', [1, 1], 'variable frost_days: has unusable bounds; received 1, 1'],
    ['bounds', [0, Number.NaN], 'variable frost_days: has unusable bounds; received 0, NaN'],
    ['bounds', [0], 'variable frost_days: has unusable bounds; received 0;'],
    ['bounds', ['0', '1'], 'variable frost_days: has unusable bounds; received "0", "1"'],
    ['decimals', 2.5, 'variable frost_days: has unusable decimals; received 2.5; allowed: an integer from 0 to 10'],
    ['decimals', -1, 'variable frost_days: has unusable decimals; received -1'],
    ['decimals', 11, 'variable frost_days: has unusable decimals; received 11'],
    ['derived', 'yes', 'variable frost_days: has unusable derived; received "yes"; allowed: true or false'],
    ['downscalable', 1, 'variable frost_days: has unusable downscalable; received 1; allowed: true or false'],
    [
      'availability',
      { medium: {} },
      'variable frost_days: has unusable availability; received an object; allowed: any of history, short-term, subseasonal and seasonal, each {} or { lastLead }, 0 or more',
    ],
    ['availability', { seasonal: { lastLead: -1 } }, 'variable frost_days: has unusable availability'],
    ['availability', { seasonal: { firstLead: 1 } }, 'variable frost_days: has unusable availability'],
    ['availability', { seasonal: true }, 'variable frost_days: has unusable availability'],
    ['availability', [], 'variable frost_days: has unusable availability'],
    [
      'fileNames',
      'fd',
      'variable frost_days: has unusable fileNames; received "fd"; allowed: a list of texts, none empty',
    ],
    ['fileNames', ['fd', ''], 'variable frost_days: has unusable fileNames; received "fd", ""'],
    [
      'unit',
      'mm',
      'variable frost_days: has an unknown field, the nearest is units; received "unit"; allowed: slug, group, standardName, units, label, window, bounds, decimals, derived, downscalable, availability, fileNames',
    ],
    ['colour', 'blue', 'variable frost_days: has an unknown field; received "colour"; allowed: slug, group'],
  ])('%s %j is rejected', (field, value, message) => {
    const define = () => defineVariable({ ...minimal, [field]: value } as VariableDefinition);
    expect(define).toThrow(OptionError);
    expect(define).toThrow(message);
  });

  test('accepts exactly the slugs of lower-case letters, digits and underscores that begin with a letter', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const first = fc.constantFrom(...letters);
    const rest = fc.string({ unit: fc.constantFrom(...letters, '_', '0', '9'), maxLength: 63 });
    fc.assert(
      fc.property(first, rest, (head, tail) => {
        expect(defineVariable({ ...minimal, slug: head + tail }).slug).toBe(head + tail);
      }),
    );
    const foreign = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter((c) => !/^[a-z0-9_]$/.test(c));
    fc.assert(
      fc.property(first, foreign, rest, (head, bad, tail) => {
        expect(() => defineVariable({ ...minimal, slug: head + bad + tail })).toThrow('variable: has an unusable slug');
      }),
    );
  });
});
