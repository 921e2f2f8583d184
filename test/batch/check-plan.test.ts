import { describe, expect, it } from 'vitest';
import type { BatchPlan } from '../../src/batch/batch-plan.js';
import { checkPlan, thresholdsOf } from '../../src/batch/check-plan.js';

const least = { inputs: ['runs'], out: 'out' };

describe('checkPlan', () => {
  it('fills in what is not said', () => {
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

  it('takes each variable and granularity once, and leaves granularities to climatologies', () => {
    const checked = checkPlan({ ...least, variables: ['temp_mean', 'temp_mean'], granularities: ['weekly', 'weekly'] });
    expect([checked.variables, checked.granularities]).toEqual([['temp_mean'], ['weekly']]);
    expect(checkPlan({ ...least, climatologies: ['normal.arrow'], anomaly: true }).granularities).toBeUndefined();
  });

  it('gives each variable its own thresholds, or all the same', () => {
    const { thresholds } = checkPlan({
      ...least,
      variables: ['precipitation', 'temp_mean'],
      thresholds: { precipitation: ['>20'] },
    });
    expect(thresholdsOf(thresholds, 'precipitation')).toEqual(['>20']);
    expect(thresholdsOf(thresholds, 'temp_mean')).toEqual([]);
    expect(thresholdsOf(['>5'], undefined)).toEqual(['>5']);
  });

  it.each<[string, object]>([
    ['plan: unknown option, the nearest is variables', { ...least, variabels: [] }],
    ['plan: is no object', []],
    ['inputs: no list of texts', { ...least, inputs: 'runs' }],
    ['inputs: there are none', { ...least, inputs: [] }],
    ['out: there are none', { inputs: ['runs'] }],
    ['variables: there are none', { ...least, variables: [] }],
    ['variable: is not known, the nearest is precipitation', { ...least, variables: ['precipitatoin'] }],
    ['granularity: unknown', { ...least, granularities: ['yearly'] }],
    ['format: unknown', { ...least, format: 'xlsx' }],
    ['workers: no number of threads', { ...least, workers: 1.5 }],
    ['memory: no number of bytes', { ...least, memory: 'much' }],
    ['onError: unknown', { ...least, onError: 'ignore' }],
    ['thresholds: are neither a list nor lists by variable', { ...least, thresholds: { precipitation: ['>2'] } }],
    ['thresholds: is null', { ...least, thresholds: null }],
    ['point: is null', { ...least, point: null }],
    ['columns: is no object of texts', { ...least, columns: { date: 5 } }],
    ['columns: unknown option, the nearest is member', { ...least, columns: { members: 'run' } }],
    ['units: is no object of texts', { ...least, units: ['K'] }],
    ['anomaly: neither true nor false', { ...least, anomaly: 'no', climatologies: ['c'] }],
    ['exceed: is no list of shares', { ...least, exceed: [null], climatologies: ['c'] }],
    ['stamps: unknown', { ...least, stamps: 'middle' }],
    ['init: is no text', { ...least, init: 5 }],
    ['memory: no number of bytes', { ...least, memory: [5] }],
    ['name: has the ending of a format', { ...least, name: 'all.CSV' }],
    [
      'thresholds: unknown option, the nearest is temp_mean',
      { ...least, variables: ['temp_mean'], thresholds: { temp_maen: [] } },
    ],
    ['thresholds: not a list', { ...least, variables: ['temp_mean'], thresholds: { temp_mean: '>2' } }],
    ['quantiles', { ...least, quantiles: [2] }],
    ['name: has an unknown place', { ...least, name: '{inptu}' }],
    ['exceed and anomaly: need a climatology', { ...least, anomaly: true }],
  ])('says %j', (message, plan) => {
    expect(() => checkPlan(plan as BatchPlan)).toThrow(message);
  });
});
