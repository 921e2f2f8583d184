import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dailySteps } from '../../src/ensemble/daily-steps.js';
import { DataError } from '../../src/errors.js';
import { holds } from '../property/fuzz.js';

const HOUR = 3600;
const DAY = 86_400;
/** 2022-10-02, a day number. */
const START = 19_267;

function hours(...list: number[]): Float64Array {
  return Float64Array.from(list, (hour) => START * DAY + hour * HOUR);
}

function every(step: number, from: number, to: number): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
}

function summary(times: Float64Array, options?: Parameters<typeof dailySteps>[1]) {
  const { firstDay, days, firstStep, steps, whole } = dailySteps(times, options);
  return { firstDay: firstDay - START, days, first: [...firstStep], steps: [...steps], whole: [...whole] };
}

describe('dailySteps', () => {
  it('takes the hours 00 to 23, and drops a last day of one step', () => {
    expect(summary(hours(...every(1, 0, 48)))).toEqual({
      ...{ firstDay: 0, days: 2, first: [0, 24], steps: [24, 24], whole: [1, 1] },
    });
  });

  it('takes the hours 01 to 24 if times mark the end of a step', () => {
    expect(summary(hours(...every(1, 0, 48)), { stamps: 'end' })).toEqual({
      ...{ firstDay: 0, days: 2, first: [1, 25], steps: [24, 24], whole: [1, 1] },
    });
  });

  it('drops steps before the first whole day', () => {
    expect(summary(hours(...every(6, 12, 60)))).toMatchObject({ firstDay: 1, days: 1, first: [2], steps: [4] });
  });

  it('takes daily values at any time of the day, and a single one', () => {
    for (const hour of [0, 12, 23]) {
      expect(summary(hours(hour, hour + 24, hour + 48))).toMatchObject({ firstDay: 0, days: 3, steps: [1, 1, 1] });
      expect(summary(hours(hour))).toMatchObject({ firstDay: 0, days: 1, steps: [1] });
    }
    expect(summary(hours(24, 48), { stamps: 'end' })).toMatchObject({ firstDay: 0, days: 2 });
  });

  it('follows a step that changes from 3 to 6 hours, at midnight and within a day', () => {
    const times = hours(...every(3, 0, 24), ...every(6, 30, 66));
    expect(summary(times)).toMatchObject({ days: 3, first: [0, 8, 12], steps: [8, 4, 4], whole: [1, 1, 1] });
    const within = dailySteps(hours(...every(3, 0, 30), ...every(6, 36, 66)));
    expect([...within.steps]).toEqual([8, 5, 4]);
    expect([...within.seconds.slice(8, 13)]).toEqual([3 * HOUR, 3 * HOUR, 6 * HOUR, 6 * HOUR, 6 * HOUR]);
    expect([...within.whole]).toEqual([1, 1, 1]);
    const ends = dailySteps(hours(...every(3, 3, 30), ...every(6, 36, 72)), { stamps: 'end' });
    expect([...ends.steps]).toEqual([8, 5, 4]);
    expect([...ends.whole]).toEqual([1, 1, 1]);
  });

  it('follows a step that becomes shorter', () => {
    expect(summary(hours(...every(6, 0, 42), ...every(3, 48, 69)))).toMatchObject({
      steps: [4, 4, 8],
      whole: [1, 1, 1],
    });
  });

  it.each(['start', 'end'] as const)('a day with a gap is not whole, whatever the gap; stamps at the %s', (stamps) => {
    const shift = stamps === 'end' ? 1 : 0;
    for (const lost of [[30], [30, 31, 32], [30, 32], [30, 32, 34, 36], [24], [47], [24, 25, 47], every(2, 24, 46)]) {
      const times = hours(...every(1, 0, 95).flatMap((hour) => (lost.includes(hour) ? [] : [hour + shift])));
      expect(summary(times, { stamps }).whole, `lost ${lost}`).toEqual([1, 0, 1, 1]);
    }
  });

  it('a day is not whole if steps before the last one of the axis are missing', () => {
    expect(summary(hours(...every(1, 0, 44), 48))).toMatchObject({ days: 1 });
  });

  it('days without a step are not whole', () => {
    const { days, whole, steps } = summary(hours(0, 24, 48, 5 * 24, 6 * 24, 100 * 24));
    expect(days).toBe(101);
    expect(whole.filter(Boolean)).toHaveLength(6);
    expect(steps.slice(0, 7)).toEqual([1, 1, 1, 0, 0, 1, 1]);
  });

  it.each([1, 3, 6, 12])(
    'bounds from the first to the last of %i-hourly instants are the whole day, as CDO writes them',
    (between) => {
      const times = hours(0, 24, 48);
      const bounds = hours(0, 24 - between, 24, 48 - between, 48, 60);
      const days = { firstDay: 0, days: 2, first: [0, 1], steps: [1, 1], whole: [1, 1] };
      expect(summary(times, { bounds })).toEqual(
        between === 12 ? { ...days, days: 3, first: [0, 1, 2], steps: [1, 1, 1], whole: [1, 1, 1] } : days,
      );
    },
  );

  it('bounds of two steps a day, or of steps over midnight, are not changed', () => {
    const twice = hours(0, 6, 12, 18, 24, 30, 36, 42);
    expect(summary(hours(0, 12, 24, 36), { bounds: twice }).days).toBe(0);
    expect(summary(hours(0, 24), { bounds: hours(12, 30, 36, 54) }).days).toBe(0);
  });

  it('bounds take precedence over stamps', () => {
    const ends = every(6, 6, 48);
    const bounds = hours(...ends.flatMap((hour) => [hour - 6, hour]));
    expect(summary(hours(...ends), { bounds })).toEqual({
      ...{ firstDay: 0, days: 2, first: [0, 4], steps: [4, 4], whole: [1, 1] },
    });
  });

  it('bounds show gaps, and bounds that are instants are ignored', () => {
    const bounds = hours(0, 12, 18, 24, 24, 48);
    expect(summary(hours(0, 18, 24), { bounds })).toMatchObject({ firstDay: 1, days: 1, first: [2] });
    const instants = hours(...every(12, 0, 36).flatMap((hour) => [hour, hour]));
    expect(summary(hours(...every(12, 0, 36)), { bounds: instants })).toMatchObject({ days: 2, steps: [2, 2] });
  });

  it('no day is whole if there are too few steps', () => {
    expect(summary(hours(0, 1, 2, 3)).days).toBe(0);
  });

  it('rejects values of weeks and months', () => {
    expect(() => dailySteps(hours(0, 31 * 24, 59 * 24))).toThrow(DataError);
    expect(() => dailySteps(hours(0, 7 * 24))).toThrow('time: steps are longer than a day; received "7 days');
  });

  const examples = fc.record({
    step: fc.constantFrom(1, 2, 3, 6, 12, 24),
    start: fc.integer({ min: 0, max: 40 }),
    count: fc.integer({ min: 60, max: 200 }),
    stamps: fc.constantFrom('start' as const, 'end' as const),
  });
  holds('every step of a day lies in it, and whole days have all steps of 24 hours', 60, examples, (example) => {
    const { step, start, count, stamps } = example;
    const times = hours(...Array.from({ length: count }, (_, i) => start * step + i * step));
    const { firstDay, days, firstStep, steps, whole } = dailySteps(times, { stamps });
    for (let day = 0; day < days; day++) {
      const midnight = (firstDay + day) * DAY + (stamps === 'end' ? step * HOUR : 0);
      expect([times[firstStep[day]], steps[day], whole[day]]).toEqual([midnight, 24 / step, 1]);
    }
    const lasting = count * step - (stamps === 'end' ? step : 0);
    expect(days).toBeGreaterThanOrEqual(Math.floor(lasting / 24) - 1);
  });

  it('allocates no memory for the days up to a time that is far off', () => {
    for (const wild of [1e15, 1e300, Number.POSITIVE_INFINITY, Number.NaN]) {
      const times = Float64Array.of(START * DAY, (START + 1) * DAY, wild);
      expect(() => dailySteps(times)).toThrow(DataError);
      expect(() => dailySteps(times, { stamps: 'end' })).toThrow(DataError);
    }
    for (const wild of [1e15, 1e300, Number.POSITIVE_INFINITY]) {
      expect(() => dailySteps(Float64Array.of(0), { bounds: Float64Array.of(0, wild) })).toThrow(DataError);
    }
  });
});
