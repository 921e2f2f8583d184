import { describe, expect, it } from 'vitest';
import type { BatchPlan } from '../../src/batch/batch-plan.js';
import { checkPlan, selectThresholds } from '../../src/batch/check-plan.js';

const least = { inputs: ['runs'], out: 'out' };

describe('checkPlan', () => {
  it('fills in defaults', () => {
    expect(checkPlan(least)).toEqual({
      ...least,
      variables: [undefined],
      granularities: ['daily'],
      thresholds: [],
      climatologies: [],
      request: {},
      values: {},
      format: 'arrow',
      compression: undefined,
      name: '{input}',
      workers: undefined,
      memory: 1e9,
      onError: 'stop',
    });
  });

  it('removes repeated variables and granularities, and has no default granularity with climatologies', () => {
    const checked = checkPlan({ ...least, variables: ['temp_mean', 'temp_mean'], granularities: ['weekly', 'weekly'] });
    expect([checked.variables, checked.granularities]).toEqual([['temp_mean'], ['weekly']]);
    expect(checkPlan({ ...least, climatologies: ['normal.arrow'], anomaly: true }).granularities).toBeUndefined();
  });

  it('keeps the options of requests and values in an order of its own, as requests are hashed', () => {
    const values: Partial<BatchPlan> = {
      ...{ coordinates: { latitude: 'y', longitude: 'x' }, decimal: ',', sort: true, missing: -9, init: '2026-03-02' },
      ...{ array: 'tp', calendar: 'noleap', accumulation: 'per-step', stamps: 'end', model: 'm', units: 'K' },
    };
    const request: Partial<BatchPlan> = {
      ...{ anomaly: true, exceed: [0.9], columns: { value: 'tp' }, point: { latitude: 1, longitude: 2 } },
      ...{ minMemberShare: 0.5, partial: true, endDate: '2026-03-02', startDate: '2026-03-01', spread: true },
      ...{ quantileType: 7, quantiles: [0.5] },
    };
    const checked = checkPlan({ ...least, ...values, ...request, climatologies: ['normal.arrow'] });
    expect(Object.entries(checked.values)).toEqual(Object.entries(values).reverse());
    expect(Object.entries(checked.request)).toEqual(Object.entries(request).reverse());
  });

  it('selects the thresholds of each variable, or those of all', () => {
    const { thresholds } = checkPlan({
      ...least,
      variables: ['precipitation', 'temp_mean'],
      thresholds: { precipitation: ['>20'] },
    });
    expect(selectThresholds(thresholds, 'precipitation')).toEqual(['>20']);
    expect(selectThresholds(thresholds, 'temp_mean')).toEqual([]);
    expect(selectThresholds(['>5'], undefined)).toEqual(['>5']);
  });

  it.each<[string, object]>([
    ['plan: unknown option, the nearest is variables', { ...least, variabels: [] }],
    ['plan: is not an object', []],
    ['inputs: is not a list of texts', { ...least, inputs: 'runs' }],
    ['inputs: must not be empty', { out: 'out' }],
    ['inputs: must not be empty', { ...least, inputs: [] }],
    ['out: must not be empty', { inputs: ['runs'] }],
    ['variables: must not be empty', { ...least, variables: [] }],
    ['variable: is not known, the nearest is precipitation', { ...least, variables: ['precipitatoin'] }],
    ['granularities: is not known', { ...least, granularities: ['yearly'] }],
    ['format: unknown', { ...least, format: 'docx' }],
    ['workers: is not a number of threads', { ...least, workers: 1.5 }],
    ['memory: is not a number of bytes', { ...least, memory: 'much' }],
    ['onError: unknown', { ...least, onError: 'ignore' }],
    ['thresholds: are neither a list nor lists by variable', { ...least, thresholds: { precipitation: ['>2'] } }],
    ['thresholds: is null', { ...least, thresholds: null }],
    ['point: is null', { ...least, point: null }],
    ['column for date: cannot be used', { ...least, columns: { date: 5 } }],
    ['columns: cannot be used', { ...least, columns: { members: 'run' } }],
    ['units: is not an object of texts', { ...least, units: ['K'] }],
    ['anomaly: cannot be used', { ...least, anomaly: 'no', climatologies: ['c'] }],
    ['exceed: is not a list of shares', { ...least, exceed: [null], climatologies: ['c'] }],
    ['stamps: unknown', { ...least, stamps: 'noon' }],
    ['init: is not the time of a run', { ...least, init: 5 }],
    ['accumulation: unknown', { ...least, accumulation: 'sometimes' }],
    ['missing: is neither a number nor a list of numbers', { ...least, missing: ['-9999'] }],
    ['sort: cannot be used', { ...least, sort: 1 }],
    ['decimal: cannot be used', { ...least, decimal: ';' }],
    ['memory: is not a number of bytes', { ...least, memory: [5] }],
    ['name: has the ending of a format', { ...least, name: 'all.CSV' }],
    [
      'thresholds: unknown option, the nearest is temp_mean',
      { ...least, variables: ['temp_mean'], thresholds: { temp_maen: [] } },
    ],
    ['thresholds: cannot be used', { ...least, variables: ['temp_mean'], thresholds: { temp_mean: '>2' } }],
    ['quantiles', { ...least, quantiles: [2] }],
    ['name: has an unknown placeholder', { ...least, name: '{inptu}' }],
    ['exceed and anomaly: need a climatology', { ...least, anomaly: true }],
  ])('throws %j', (message, plan) => {
    expect(() => checkPlan(plan as BatchPlan)).toThrow(message);
  });
});
