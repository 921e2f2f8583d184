import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../src/period/day.js';
import { windowTable } from '../../src/period/period.js';
import type { StatisticsAnswer } from '../../src/respond/answer-data.js';
import { StatisticsSkeleton } from '../../src/respond/v2/statistics-skeleton.js';
import { findVariable } from '../../src/variable/index.js';

const firstDay = dayNumber(2026, 3, 2);
const place = { latitude: 1, longitude: 2 };
const windows = windowTable('daily', firstDay, firstDay + 1);

type One = StatisticsAnswer['variables'][number];

/** An answer about one variable, with more fields of it and of its statistics. */
function answerWith(more: object = {}, statistics: object = {}): StatisticsAnswer {
  const columns = { length: 2, mean: Float32Array.of(1, 2), quantiles: [Float32Array.of(3, 4)], probabilities: [] };
  const one = {
    ...{ variable: findVariable('temp_mean'), downscaled: false, location: place, windows },
    ...{ statistics: { ...columns, categories: [], members: Int32Array.of(5, 5), ...statistics }, ...more },
  } as unknown as One;
  return {
    ...{ initTime: '2026-03-02T00:00:00Z', version: 'v', generation: 'g', requested: place, closest: place },
    ...{ period: { firstDay, lastDay: firstDay + 1 }, granularity: 'daily', quantiles: [0.5], variables: [one] },
  };
}

describe('a body that is prepared for all points', () => {
  it('is made of an answer whose fields are constant, or numbers that are written anew', () => {
    expect(StatisticsSkeleton.of(answerWith())).toBeInstanceOf(StatisticsSkeleton);
    expect(StatisticsSkeleton.of(answerWith({ thresholds: undefined, terciles: undefined }))).toBeDefined();
  });

  it('is not made of shares of members, which differ from point to point', () => {
    const shares = { probabilities: [Float32Array.of(0.5, 0.5)] };
    expect(StatisticsSkeleton.of(answerWith({ thresholds: [{ operator: '>', limit: 20 }] }, shares))).toBeUndefined();
    const terciles = { shares: [0, 1, 2].map(() => Float32Array.of(0.3, 0.3)) };
    expect(StatisticsSkeleton.of(answerWith({ terciles }))).toBeUndefined();
    expect(StatisticsSkeleton.of(answerWith({ downscaled: true }))).toBeUndefined();
  });

  it('has a text for each number that its description says is of a point, and no other numbers', () => {
    const [{ texts, columns }] = StatisticsSkeleton.of(answerWith())?.variables ?? [];
    expect([columns, texts.map((text) => new TextDecoder().decode(text))]).toEqual([
      2,
      ['"2026-03-02":{"mean":', ',"q50":', '},"2026-03-03":{"mean":', ',"q50":'].map((text) =>
        expect.stringContaining(text),
      ),
    ]);
  });
});
