import { describe, expect, it } from 'vitest';
import { findModels } from '../../../src/files/open-meteo/open-meteo-table.js';
import { longestBeginning, longestEnding, splitUnits } from '../../../src/table/columns/column-name.js';

describe('splitUnits', () => {
  it.each([
    ['precipitation (mm)', { plain: 'precipitation', suffix: ' (mm)', units: 'mm' }],
    ['time()', { plain: 'time', suffix: '()', units: '' }],
    ['a (b) \t(m/s)', { plain: 'a (b)', suffix: ' \t(m/s)', units: 'm/s' }],
    ['a\n(m\ns)', { plain: 'a', suffix: '\n(m\ns)', units: 'm\ns' }],
    ['(mm)', { plain: '', suffix: '(mm)', units: 'mm' }],
  ])('splits %j', (name, expected) => {
    expect(splitUnits(name)).toEqual(expected);
  });

  it.each(['', 'precipitation', 'a (mm', 'a mm)', 'a (mm) ', 'a (m(m))', 'a (mm))', 'a\nb (mm)'])(
    'finds none in %j',
    (name) => {
      expect(splitUnits(name)).toBeUndefined();
    },
  );

  it('splits names as the regular expression for them does', () => {
    const letters = ['(', ')', ' ', 'a', '\n'];
    for (let number = 0; number < letters.length ** 6; number++) {
      const name = Array.from({ length: 6 }, (_, i) => letters[Math.floor(number / 5 ** i) % 5]).join('');
      const match = /^(.*?)(\s*\(([^()]*)\))$/.exec(name);
      const expected = match === null ? undefined : { plain: match[1], suffix: match[2], units: match[3] };
      if (JSON.stringify(splitUnits(name)) !== JSON.stringify(expected)) expect(splitUnits(name)).toEqual(expected);
    }
  });

  it('takes a time that does not grow with the square of the length of a name', () => {
    expect(splitUnits(`a${' '.repeat(2_000_000)}b`)).toBeUndefined();
    expect(splitUnits(`a${' '.repeat(2_000_000)}(mm) `)).toBeUndefined();
  });
});

describe('names of models', () => {
  it('are found at the longest known ending and beginning', () => {
    const known = new Set(['b_c', 'c', 'a', 'a_b']);
    expect(longestEnding('a_b_c', known)).toBe('b_c');
    expect(longestEnding('b_c', known)).toBe('c');
    expect(longestEnding('abc', known)).toBeUndefined();
    expect(longestBeginning('a_b_c', known)).toBe('a_b');
    expect(longestBeginning('_x', known)).toBeUndefined();
  });

  it('are those behind the name of a known variable', () => {
    expect(findModels(['rain_icon_eu', 'rain_other', 'snow'])).toEqual(['icon_eu', 'other']);
  });

  it('are found among thousands of models and other columns, in a time that does not grow with their product', () => {
    const names = Array.from({ length: 60_000 }, (_, i) => [`v${i}_icon_${i}`, `other${i}`]).flat();
    expect(findModels(names)).toHaveLength(60_000);
  });
});
