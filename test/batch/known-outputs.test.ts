import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BatchPlan } from '../../src/batch/batch-plan.js';
import { checkPlan } from '../../src/batch/check-plan.js';
import { hashRequest } from '../../src/batch/known-outputs.js';
import { planOutputs } from '../../src/batch/plan-outputs.js';

const least: BatchPlan = { inputs: ['runs'], out: 'out', variables: ['precipitation'], granularities: ['weekly'] };

/** The request of the one output of a plan. */
function requested(plan: Partial<BatchPlan>, request = hashRequest): string {
  const checked = checkPlan({ ...least, ...plan });
  const [output] = planOutputs(
    checked,
    [{ path: 'runs/a.csv', name: 'a', ending: 'csv' }],
    checked.granularities ?? [],
  );
  return request(checked, output);
}

afterEach(() => {
  vi.doUnmock('../../package.json');
  vi.resetModules();
});

describe('hashRequest', () => {
  it.each<[string, Partial<BatchPlan>]>([
    ['quantiles', { quantiles: [0.5] }],
    ['thresholds', { thresholds: ['>2'] }],
    ['dates', { startDate: '2024-01-01' }],
    ['granularity', { granularities: ['monthly'] }],
    ['variable', { variables: ['temp_mean'] }],
    ['format', { format: 'csv' }],
    ['climatology', { climatologies: ['normal.arrow'] }],
  ])('differs for other %s', (_, plan) => {
    expect(requested(plan)).not.toBe(requested({}));
  });

  it('does not depend on options that do not change the output', () => {
    const other = { out: 'elsewhere', workers: 7, memory: '9GB', onError: 'continue', inputs: ['runs/*'] } as const;
    expect(requested(other)).toBe(requested({}));
  });

  it('differs for another version', async () => {
    vi.resetModules();
    vi.doMock('../../package.json', () => ({ version: '999.0.0' }));
    const { hashRequest: ofOther } = await import('../../src/batch/known-outputs.js');
    expect(requested({}, ofOther)).not.toBe(requested({}));
    expect(requested({}, ofOther)).toBe(requested({}, ofOther));
  });
});
