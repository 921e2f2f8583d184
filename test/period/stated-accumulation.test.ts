import { describe, expect, it } from 'vitest';
import { statedAmounts, stepEdges } from '../../src/ensemble/accumulation.js';

const HOUR = 3600;

/** What metadata of steps that end at `hours` say; with the start of each as bounds where given. */
function stated(hours: readonly number[], texts: Record<string, unknown>, lower?: readonly number[]) {
  const times = Float64Array.from(hours, (hour) => hour * HOUR);
  const seconds = times.map((time, i) => (i === 0 ? times[1] - time : time - times[i - 1]));
  const bounds = lower && Float64Array.from(lower.flatMap((from, i) => [from * HOUR, hours[i] * HOUR]));
  const found = statedAmounts(new Map(Object.entries(texts)), stepEdges(times, seconds, 'end'), bounds);
  return found && [found.kind, ...(found.fresh === undefined ? [] : [found.fresh.join('')])];
}

describe('metadata of amounts', () => {
  it('state by the bounds of time what each step counts', () => {
    expect(stated([3, 6, 9, 12], {}, [0, 3, 6, 9])).toEqual(['per-step']);
    expect(stated([3, 6, 9, 12], {}, [0, 0, 0, 0])).toEqual(['since-start', '1000']);
    expect(stated([0, 3, 6, 9], {}, [0, 0, 0, 0])).toEqual(['since-start', '0100']);
    expect(stated([30, 36, 42], {}, [0, 0, 0])).toEqual(['since-start', '000']);
    expect(stated([3, 6, 9, 12], {}, [0, 0, 6, 6])).toEqual(['buckets', '1010']);
    expect(stated([3, 6, 9, 12], {}, [-3, 0, 3, 6])).toBeUndefined();
  });

  it('state it by GRIB’s ranges of steps', () => {
    expect(stated([6, 12, 18], { GRIB_stepRange: '0-6 0-12 0-18' })).toEqual(['since-start', '100']);
    expect(stated([6, 12, 18], { GRIB_stepRange: ['0-6', '6-12', '12-18'] })).toEqual(['per-step']);
    expect(stated([3, 6, 9, 12], { GRIB_startStep: [0, 0, 6, 6], GRIB_endStep: [3, 6, 9, 12] })).toEqual([
      'buckets',
      '1010',
    ]);
    expect(stated([6, 12, 18], { GRIB_startStep: 0 })).toEqual(['since-start']);
    expect(stated([6, 12, 18], { GRIB_startStep: 0, GRIB_endStep: 6 })).toBeUndefined();
  });

  it('state it by words with only one meaning', () => {
    expect(stated([6, 12], { long_name: 'precipitation accumulated since the start of the forecast' })).toEqual([
      'since-start',
    ]);
    expect(stated([6, 12], { cell_methods: 'time: sum (comment: from the beginning of the run)' })).toEqual([
      'since-start',
    ]);
    expect(stated([6, 12], { long_name: 'Total precipitation (6_Hour Accumulation)' })).toEqual(['per-step']);
    expect(stated([3, 6], { long_name: 'Total precipitation (6_Hour Accumulation)' })).toBeUndefined();
  });

  it('that are used for all kinds leave it open', () => {
    for (const texts of [
      { GRIB_stepType: 'accum' },
      { cell_methods: 'time: sum' },
      { long_name: 'Total precipitation' },
    ]) {
      expect(stated([6, 12, 18], texts)).toBeUndefined();
    }
  });
});
