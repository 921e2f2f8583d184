import { describe, expect, it } from 'vitest';
import type { BatchPlan } from '../../src/batch/batch-plan.js';
import { checkPlan } from '../../src/batch/check-plan.js';
import { checkTemplate, outputName } from '../../src/batch/output-name.js';
import { planOutputs } from '../../src/batch/plan-outputs.js';

describe('names of outputs', () => {
  it('replace the placeholders of a template; text that is put in is not a placeholder', () => {
    const parts = { input: '2026/{variable}', ending: 'csv.gz', variable: 'temp_mean', granularity: 'weekly' };
    expect(outputName('{variable}/{input}_{granularity}', parts)).toBe('temp_mean/2026/{variable}_weekly');
    expect(outputName('{input}.{ending}', parts)).toBe('2026/{variable}.csv.gz');
  });

  it.each(['', ' ', '.hidden', '/absolute', 'a//b', 'a/../b', '..', '{inptu}', '{}', 5 as unknown as string])(
    'are rejected by the template %j',
    (template) => {
      expect(() => checkTemplate(template)).toThrow(/^name: /);
    },
  );
});

describe('planOutputs', () => {
  const outputs = (plan: Partial<BatchPlan>, ...names: string[]) => {
    const checked = checkPlan({ inputs: ['runs'], out: 'out', ...plan });
    const inputs = names.map((name, index) => ({ path: `${index}/${name}.csv`, name, ending: 'csv' }));
    return planOutputs(checked, inputs, checked.granularities ?? ['weekly']);
  };

  it('lists an output for each input, variable and granularity, named by the parts that differ', () => {
    const names = (plan: Partial<BatchPlan>) => outputs(plan, 'a', 'b').map(({ name }) => name);
    expect(names({})).toEqual(['a.arrow', 'b.arrow']);
    expect(names({ granularities: ['weekly', 'daily'], format: 'csv' })).toEqual([
      'a_weekly.csv',
      'a_daily.csv',
      'b_weekly.csv',
      'b_daily.csv',
    ]);
    expect(names({ variables: ['precipitation', 'temp_mean'], format: 'netcdf' })).toEqual([
      'a_precipitation.nc',
      'a_temp_mean.nc',
      'b_precipitation.nc',
      'b_temp_mean.nc',
    ]);
    expect(names({ climatologies: ['normal.arrow'] })).toEqual(['a_weekly.arrow', 'b_weekly.arrow']);
  });

  it('joins parts with the same name in the order of inputs, variables and granularities', () => {
    const [joined, ...others] = outputs({ variables: ['temp_mean', 'temp_max'], name: '{granularity}' }, 'a', 'b');
    expect(others).toEqual([]);
    expect(joined.parts.map(({ input, variable }) => [input, variable])).toEqual([
      ['0/a.csv', 'temp_mean'],
      ['0/a.csv', 'temp_max'],
      ['1/b.csv', 'temp_mean'],
      ['1/b.csv', 'temp_max'],
    ]);
  });

  it('throws for inputs with the same name, several grids in one NetCDF4 file, and the name of the manifest', () => {
    expect(() => outputs({}, 'a', 'a')).toThrow(
      'name: two inputs would both become a.arrow: 0/a.csv, 1/a.csv; allowed: the folder that both are in, ., whose',
    );
    expect(() => outputs({ name: 'all', format: 'netcdf' }, 'a', 'b')).toThrow(
      '2 grids of results would become one NetCDF4 file, all.nc',
    );
    expect(() => outputs({ format: 'json' }, 'manifest')).toThrow('0/manifest.csv would become manifest.json');
  });

  it('goes on after an output that cannot have its name, where it is told to', () => {
    const inputs = ['a.csv', 'a.nc', 'manifest.csv', 'b.csv'].map((path) => {
      const [name, ending] = path.split('.');
      return { path, name, ending };
    });
    const plan = (options: Partial<BatchPlan>) => {
      const faults: string[] = [];
      const checked = checkPlan({ inputs: ['.'], out: 'out', format: 'json', ...options });
      const planned = planOutputs(checked, inputs, ['daily'], ({ message }, name) =>
        faults.push(`${name}: ${message}`),
      );
      return { faults, names: planned.map(({ name }) => name) };
    };
    expect(plan({})).toEqual({
      names: ['b.json'],
      faults: [
        "a.json: name: two inputs would both become a.json: a.csv, a.nc; allowed: {ending} in the name, such as name: '{input}_{ending}'; or name: 'all' to write all results to one file",
        expect.stringMatching(/^manifest\.json: name: manifest\.csv would become manifest\.json, /),
      ],
    });
    expect(plan({ name: '{input}_{ending}' })).toEqual({
      names: ['a_csv.json', 'a_nc.json', 'manifest_csv.json', 'b_csv.json'],
      faults: [],
    });
  });
});
