import { describe, expect, test } from 'vitest';
import { resolveVariable } from '../../src/variable/find-variable.js';
import { defineVariable, findVariable, variables } from '../../src/variable/index.js';

const snow = defineVariable({ slug: 'snow_depth', units: 'm', window: 'mean' });
const all = variables.map((variable) => variable.slug).join(', ');

describe('findVariable', () => {
  test('finds every built-in variable by its slug', () => {
    for (const variable of variables) expect(findVariable(variable.slug)).toBe(variable);
  });

  test('finds a caller’s own variable only where it is passed', () => {
    expect(findVariable('snow_depth', [snow])).toBe(snow);
    expect(() => findVariable('snow_depth')).toThrow('variable: is not known');
  });

  test('takes the caller’s own variable before a built-in one of the same slug', () => {
    const own = defineVariable({ slug: 'temp_mean', units: 'K', window: 'mean' });
    expect(findVariable('temp_mean', [own])).toBe(own);
  });

  test('takes slugs only in their exact spelling', () => {
    expect(() => findVariable('Temp_Mean')).toThrow('is not known, the nearest is temp_mean');
    expect(() => findVariable('constructor')).toThrow('variable: is not known; received "constructor"');
  });

  test('an unknown slug is answered with the nearest known one and all that are allowed', () => {
    expect(() => findVariable('precipitaton')).toThrow(
      `variable: is not known, the nearest is precipitation; received "precipitaton"; allowed: ${all}`,
    );
    expect(() => findVariable('snow_dpeth', [snow])).toThrow(
      `variable: is not known, the nearest is snow_depth; received "snow_dpeth"; allowed: snow_depth, ${all}`,
    );
  });

  test('a name used in files is answered with its variable, however differently that is spelled', () => {
    expect(() => findVariable('t2m')).toThrow('is not known, the nearest is temp_mean; received "t2m"');
    expect(() => findVariable('rain')).toThrow('is not known, the nearest is precipitation; received "rain"');
  });

  test('names no nearest slug if none is near', () => {
    expect(() => findVariable('chlorophyll')).toThrow(
      `variable: is not known; received "chlorophyll"; allowed: ${all}`,
    );
    expect(() => findVariable('x'.repeat(100))).toThrow(/^variable: is not known; received/);
  });
});

describe('resolveVariable', () => {
  test('takes names that files use, and keeps them', () => {
    const found = resolveVariable('tp');
    expect([found.variable.slug, found.variableName]).toEqual(['precipitation', 'tp']);
    expect(resolveVariable('precipitation')).toEqual({ variable: findVariable('precipitation') });
  });

  test('rejects everyday words for several variables, and names these', () => {
    expect(() => resolveVariable('temperature')).toThrow(
      'variable: may be one of several variables; received "temperature"; allowed: temp_mean, temp_min, temp_max',
    );
    expect(() => resolveVariable('Wind')).toThrow('allowed: wind_speed, wind_speed_max, wind_gust_max');
    const own = defineVariable({ slug: 'skin', units: 'K', window: 'mean', fileNames: ['temp'] });
    expect(resolveVariable('temp', [own]).variable).toBe(own);
  });

  test('rejects unknown names as findVariable does', () => {
    expect(() => resolveVariable('precipitaton')).toThrow('is not known, the nearest is precipitation');
  });
});
