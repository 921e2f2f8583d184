import { describe, expect, it } from 'vitest';
import { checkStatisticsOptions, checkWindowOptions, requestedWindows } from '../../src/statistics/options.js';
import { messageOf } from '../table/tables.js';

describe('statistics options', () => {
  it('have defaults: daily, complete windows, five quantiles of type 7, four fifths of the members', () => {
    expect(checkStatisticsOptions({})).toMatchObject({
      granularity: 'daily',
      partial: false,
      variable: undefined,
      window: undefined,
      quantiles: [0.05, 0.25, 0.5, 0.75, 0.95],
      quantileType: 7,
      thresholds: [],
      spread: false,
      minMemberShare: 0.8,
    });
  });

  it('become a variable and thresholds; the given options are not changed', () => {
    const given = Object.freeze({
      startDate: '2024-02-29',
      endDate: '2024-02-29',
      variable: 'temp_min',
      thresholds: Object.freeze(['<0']),
      quantiles: Object.freeze([0.5, 0.5]),
    });
    expect(checkStatisticsOptions(given)).toMatchObject({
      startDate: '2024-02-29',
      endDate: '2024-02-29',
      variable: { slug: 'temp_min', window: 'mean' },
      thresholds: [{ operator: '<', limit: 0 }],
      quantiles: [0.5],
    });
  });

  it('that are undefined have their defaults', () => {
    const given = { granularity: undefined, quantiles: undefined, minMemberShare: undefined, variable: undefined };
    expect(checkStatisticsOptions(given as object)).toEqual(checkStatisticsOptions({}));
  });
});

describe('checkStatisticsOptions rejects', () => {
  const errorMessage = (options: object) => messageOf(() => checkStatisticsOptions(options));

  it('unknown options, naming the nearest known one', () => {
    expect(errorMessage({ quantile: [0.5] })).toMatch(
      /^OptionError options: unknown option, the nearest is quantiles; received "quantile"; allowed: granularity, quantiles, quantileType, /,
    );
    expect(errorMessage({ xyzzy: 1 })).toMatch(
      /^OptionError options: unknown option; received "xyzzy"; allowed: granularity, /,
    );
    expect(messageOf(() => checkWindowOptions({ spread: true } as object))).toMatch(
      /^OptionError options: unknown option; received "spread"; allowed: granularity, /,
    );
  });

  it('unknown granularities, window rules and variables', () => {
    expect(errorMessage({ granularity: 'yearly' })).toBe(
      'OptionError granularity: unknown; received "yearly"; allowed: daily, weekly, monthly, or what windowsOf returns',
    );
    expect(errorMessage({ window: 'median' })).toBe(
      'OptionError window: unknown; received "median"; allowed: sum, mean, min, max, first, last, count, range',
    );
    expect(errorMessage({ variable: 'temp_men' })).toMatch(
      /^OptionError variable: is not known, the nearest is temp_mean; received "temp_men"; allowed: temp_mean, temp_min, /,
    );
  });

  it('dates of another form, dates that do not exist, and dates in the wrong order', () => {
    expect(errorMessage({ startDate: '2024-1-1' })).toBe(
      'OptionError startDate: cannot be used; received "2024-1-1"; allowed: YYYY-MM-DD',
    );
    const days = (endDate: string, calendar?: 'all_leap') =>
      requestedWindows({ firstDay: 19_000, days: 1_000 }, checkStatisticsOptions({ endDate }), calendar);
    expect(messageOf(() => days('2023-02-29'))).toBe(
      'OptionError endDate: does not exist; received "2023-02-29"; allowed: days from 1 to 28 in 2023-02',
    );
    expect(days('2023-02-29', 'all_leap').lastDay).toBe(53 * 366 + 31 + 28);
    expect(days('2024-02-29').lastDay).toBe(19_782);
    expect(errorMessage({ startDate: '2024-01-02', endDate: '2024-01-01' })).toBe(
      'OptionError startDate: later than the last requested day; received "2024-01-02"; allowed: a date up to 2024-01-01',
    );
  });

  it('shares outside [0, 1], and flags that are neither true nor false', () => {
    for (const minMemberShare of [-0.1, 1.1, Number.NaN, '0.5', null]) {
      const received = typeof minMemberShare === 'string' ? '"0.5"' : String(minMemberShare);
      expect(errorMessage({ minMemberShare })).toBe(
        `OptionError minMemberShare: cannot be used; received ${received}; allowed: a number from 0 to 1`,
      );
    }
    expect(errorMessage({ spread: 'no' })).toBe(
      'OptionError spread: cannot be used; received "no"; allowed: true or false',
    );
    expect(errorMessage({ partial: 1 })).toBe(
      'OptionError partial: cannot be used; received 1; allowed: true or false',
    );
  });

  it('unknown types of quantiles', () => {
    for (const quantileType of [0, 10, 7.5, Number.NaN]) {
      expect(errorMessage({ quantileType })).toBe(
        `OptionError quantileType: cannot be used; received ${quantileType}; allowed: a whole number from 1 to 9, a type of Hyndman and Fan`,
      );
    }
  });
});
