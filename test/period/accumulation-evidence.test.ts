import { describe, expect, it } from 'vitest';
import { stepEdges } from '../../src/ensemble/accumulation.js';
import { AccumulationEvidence } from '../../src/ensemble/accumulation-evidence.js';
import { counted, hourlyRain, hourlySun, seeded } from './rain-series.js';

const HOUR = 3600;

function evidence(series: readonly (readonly number[] | Float64Array)[], step: number): AccumulationEvidence {
  const times = Float64Array.from(series[0], (_, i) => (i + 1) * step * HOUR);
  const edges = stepEdges(times, new Float64Array(times.length).fill(step * HOUR), 'end');
  const found = new AccumulationEvidence(edges, { smallest: 0.01 });
  found.add(series.map((values) => Float64Array.from(values)));
  return found;
}

/** What values show, in a word: `buckets-6h`. */
function reported(series: readonly (readonly number[] | Float64Array)[], step = 6): string {
  const verdict = evidence(series, step).verdict();
  return verdict.kind === 'buckets' ? `buckets-${verdict.buckets?.hours}h` : verdict.kind;
}

describe('values of amounts', () => {
  const resets = [
    [0, 'per-step'],
    [6, 'buckets-6h'],
    [12, 'buckets-12h'],
    [24, 'buckets-24h'],
    [Number.POSITIVE_INFINITY, 'since-start'],
  ] as const;

  it.each(resets)(
    'with a reset at every %s hours are recognized as %s, whatever their steps, and never as anything else',
    (reset, kind) => {
      const random = seeded(1);
      for (const step of [1, 3, 6].filter((each) => reset === 0 || each < reset)) {
        for (const days of [10, 15]) {
          const rain = Array.from({ length: 20 }, () => counted(hourlyRain(random, days * 24), step, reset));
          expect([step, days, reported(rain, step)]).toEqual([step, days, kind]);
        }
      }
    },
  );

  it.each(resets)(
    'of few days, of one member or of the sun, with a reset at every %s hours, are recognized as %s or not at all',
    (reset, kind) => {
      const random = seeded(2);
      for (let trial = 0; trial < 60; trial++) {
        for (const step of [1, 3, 6, 12].filter((each) => reset === 0 || each < reset)) {
          const days = 1 + (trial % 6);
          const rain = counted(hourlyRain(random, days * 24), step, reset);
          const sun = counted(hourlySun(random, days * 24, 24 * random()), step, reset);
          expect([kind, 'unclear', 'either']).toContain(reported([rain], step));
          expect([kind, 'unclear', 'either']).toContain(reported([sun], step));
        }
      }
    },
  );

  it('make no difference if nothing falls, or only in the last step', () => {
    expect(reported([Array(20).fill(0), Array(20).fill(Number.NaN)])).toBe('either');
    expect(reported([[0, 0, 0, 0, 0, 0, 0, 5]])).toBe('either');
    expect(reported([Array(20).fill(-1e-18)])).toBe('either');
  });

  it.each([
    ['too few steps', [1, 2, 3, 4]],
    ['a constant series', Array(40).fill(1)],
    ['a single wet step', [0, 0, 0, ...Array(37).fill(5)]],
    ['a spell that the file ends in', [...Array(30).fill(0), 1, 2, 4]],
    ['a rare fall in a series that grows', Array.from({ length: 40 }, (_, i) => (i === 21 ? 0 : i + 1))],
  ])('are not decided by %s', (_, values) => {
    expect(reported([values])).toBe('unclear');
  });

  it('that fall by rounding do not count as falls', () => {
    const growing = Array.from({ length: 40 }, (_, i) => 3 * Math.floor(i / 3) + (i % 3) * -0.004);
    expect(reported([growing])).toBe('since-start');
  });

  it('ignore missing values', () => {
    const values = Array.from({ length: 40 }, (_, i) => (i % 7 === 3 ? Number.NaN : i));
    expect(reported([values])).toBe('since-start');
  });
});
