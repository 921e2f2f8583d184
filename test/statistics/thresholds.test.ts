import { tableFromArrays } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { checkThresholds, parseThreshold } from '../../src/statistics/options.js';
import { statistics } from '../../src/statistics/statistics.js';
import { messageOf } from '../table/tables.js';

const ALLOWED = 'allowed: one of > >= < <= and a plain decimal, such as ">20"';

describe('thresholds', () => {
  it('are an operator and a plain decimal, with blanks anywhere between', () => {
    expect(parseThreshold('>20')).toEqual({ operator: '>', limit: 20 });
    expect(parseThreshold(' >= +0.10 ')).toEqual({ operator: '>=', limit: 0.1 });
    expect(parseThreshold('<-.5')).toEqual({ operator: '<', limit: -0.5 });
    expect(parseThreshold('<=3.')).toEqual({ operator: '<=', limit: 3 });
    expect(Object.is(parseThreshold('>-0').limit, 0)).toBe(true);
  });

  it('are read from texts or objects, in the requested order; duplicates collapse', () => {
    expect(checkThresholds(['>5', { operator: '<', limit: 1 }, '> 5.0', { operator: '>', limit: 5 }, '>=5'])).toEqual([
      { operator: '>', limit: 5 },
      { operator: '<', limit: 1 },
      { operator: '>=', limit: 5 },
    ]);
    expect(checkThresholds([])).toEqual([]);
  });

  it('are not read from anything else', () => {
    for (const text of ['', '20', '=5', '==5', '> 5 mm', '>5e3', '>NaN', '>', '=>5', '>1,5']) {
      expect(messageOf(() => checkThresholds([text]))).toBe(
        `OptionError threshold: cannot be used; received "${text}"; ${ALLOWED}`,
      );
    }
    const objects: [unknown, string][] = [
      [{ operator: '=', limit: 5 }, '"= 5"'],
      [{ operator: 'constructor', limit: 5 }, '"constructor 5"'],
      [{ operator: '>', limit: Number.POSITIVE_INFINITY }, '"> Infinity"'],
      [{ operator: '>', limit: '5' }, '"> 5"'],
      [{ operator: '>' }, '"> undefined"'],
      [null, 'null'],
      [20, '20'],
      [`>${'9'.repeat(400)}`, `">${'9'.repeat(56)}..."`],
    ];
    for (const [threshold, received] of objects) {
      expect(messageOf(() => checkThresholds([threshold as never]))).toBe(
        `OptionError threshold: cannot be used; received ${received}; ${ALLOWED}`,
      );
    }
    expect(messageOf(() => checkThresholds('>20' as never))).toBe(
      'OptionError thresholds: cannot be used; received ">20"; allowed: a list, such as [">20"]',
    );
  });
});

describe('exceedance of float32 values', () => {
  it('a value that is the threshold in float32 does not exceed it', async () => {
    const core = await loadCore();
    const member = (value: number) => new Float32Array([value]);
    const table = tableFromArrays({ date: ['2024-01-01'], m1: member(0.1), m2: member(0.2) });
    const thresholds = ['>0.1', '>=0.1', '<0.2', '<=0.2'];
    const result = statistics(core, table, { variable: 'precipitation', thresholds });
    expect(['p_gt_0.1', 'p_ge_0.1', 'p_lt_0.2', 'p_le_0.2'].map((name) => result.getChild(name)?.get(0))).toEqual([
      0.5, 1, 0.5, 1,
    ]);
  });
});
