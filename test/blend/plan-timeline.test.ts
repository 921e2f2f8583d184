import { describe, expect, it } from 'vitest';
import { type HorizonDays, type PlanOptions, planTimeline } from '../../src/blend/plan-timeline.js';
import { parseDate } from '../../src/period/day.js';
import { messageOf } from '../table/tables.js';

const today = parseDate('2026-03-02');

/** Horizons from their first and last leads, counted from today. */
function horizons(...leads: readonly (readonly [first: number, last: number])[]): HorizonDays[] {
  return leads.map(([first, last], h) => ({
    name: ['short-term', 'subseasonal', 'seasonal', 'decadal'][h],
    firstDay: today + first,
    lastDay: today + last,
  }));
}

/** The plan, as leads from the timeline's first day. */
function planned(available: HorizonDays[], options: Partial<PlanOptions> = {}) {
  const none = available.map(() => undefined);
  const plan = planTimeline(available, { overlaps: [3, 7, 7], lastLeads: none, keepGaps: false, ...options });
  const lead = (day: number) => day - plan.firstDay;
  return {
    firstDay: plan.firstDay,
    days: plan.days,
    horizons: plan.horizons.map(({ firstDay, lastDay }) => [lead(firstDay), lead(lastDay)]),
    seams: plan.seams.map((seam) => ({
      overlapDays: seam.overlapDays,
      handOver: lead(seam.handOver),
      complete: lead(seam.complete),
      compared: [seam.comparedDays, lead(seam.comparedEarlier), lead(seam.comparedLater)],
    })),
  };
}

const message = (...args: Parameters<typeof planned>) => messageOf(() => planned(...args));

describe('planTimeline', () => {
  it('hands over on the last 3 days of short-term and the last 7 of subseasonal, spans 14, 41 and 214', () => {
    const available = horizons([0, 15], [-1, 45], [-30, 240]);
    expect(planned(available, { lastLeads: [14, 41, 214] })).toEqual({
      firstDay: today,
      days: 215,
      horizons: [
        [0, 14],
        [0, 41],
        [0, 214],
      ],
      seams: [
        { overlapDays: 3, handOver: 12, complete: 15, compared: [3, 12, 12] },
        { overlapDays: 7, handOver: 35, complete: 42, compared: [7, 35, 35] },
      ],
    });
  });

  it('ends where the last horizon ends, if that is before the last lead used', () => {
    expect(planned(horizons([0, 14], [0, 41], [0, 180]), { lastLeads: [14, 41, 214] }).days).toBe(181);
  });

  it('drops the days of later horizons before today; the first horizon states which day is today', () => {
    const plan = planned(horizons([2, 16], [-10, 30]));
    expect(plan.firstDay).toBe(today + 2);
    expect(plan.horizons).toEqual([
      [0, 14],
      [0, 28],
    ]);
  });

  it('returns the days of a single horizon, up to the last lead used', () => {
    expect(planned(horizons([0, 9]))).toEqual({ firstDay: today, days: 10, horizons: [[0, 9]], seams: [] });
    expect(planned(horizons([0, 9]), { lastLeads: [0] }).days).toBe(1);
  });

  it('overlaps no longer than both horizons have days for', () => {
    // Two shared days, then one day: the later horizon begins late.
    expect(planned(horizons([0, 14], [13, 30])).seams).toEqual([
      { overlapDays: 2, handOver: 13, complete: 15, compared: [2, 13, 13] },
    ]);
    expect(planned(horizons([0, 14], [14, 30])).seams[0]).toMatchObject({ overlapDays: 1, handOver: 14, complete: 15 });
    // The earlier horizon has only two days in all.
    expect(planned(horizons([0, 1], [0, 30])).seams[0]).toMatchObject({ overlapDays: 2, handOver: 0, complete: 2 });
  });

  it('begins no hand-over before the one before it is complete', () => {
    const { seams } = planned(horizons([0, 14], [0, 17], [0, 30]));
    expect(seams.map(({ handOver, complete, overlapDays }) => [handOver, complete, overlapDays])).toEqual([
      [12, 15, 3],
      [15, 18, 3],
    ]);
  });

  it('lets horizons that only touch switch at once, compared by their adjoining days', () => {
    expect(planned(horizons([0, 14], [15, 30])).seams).toEqual([
      { overlapDays: 0, handOver: 15, complete: 15, compared: [3, 12, 15] },
    ]);
    expect(planned(horizons([0, 0], [1, 30])).seams[0].compared).toEqual([1, 0, 1]);
    expect(planned(horizons([0, 14], [15, 16])).seams[0].compared).toEqual([2, 13, 15]);
  });

  it('compares adjoining days only on days without members of the horizon before', () => {
    const { seams } = planned(horizons([0, 14], [12, 16], [17, 30]));
    expect(seams[1]).toEqual({ overlapDays: 0, handOver: 17, complete: 17, compared: [2, 15, 17] });
  });

  it('keeps a gap if requested: the later horizon begins after it', () => {
    const plan = planned(horizons([0, 14], [20, 30]), { keepGaps: true });
    expect(plan.days).toBe(31);
    expect(plan.seams).toEqual([{ overlapDays: 0, handOver: 20, complete: 20, compared: [3, 12, 20] }]);
  });

  it('takes any number of horizons', () => {
    const { days, seams } = planned(horizons([0, 9], [5, 19], [15, 39], [30, 99]));
    expect(days).toBe(100);
    expect(seams.map(({ handOver, complete }) => [handOver, complete])).toEqual([
      [7, 10],
      [15, 20],
      [33, 40],
    ]);
  });
});

describe('planTimeline rejects', () => {
  it('a gap, unless gaps are kept', () => {
    expect(message(horizons([0, 14], [16, 30]))).toBe(
      'DataError subseasonal: does not overlap or touch short-term; received "2026-03-18 to 2026-04-01"; allowed: ' +
        'a horizon that begins by 2026-03-17; short-term ends on 2026-03-16',
    );
  });

  it('a gap that results from the days used', () => {
    expect(message(horizons([0, 30], [20, 40]), { lastLeads: [14, 41] })).toBe(
      'DataError subseasonal: does not overlap or touch short-term; received "2026-03-22 to 2026-04-11"; allowed: ' +
        'a horizon that begins by 2026-03-17; short-term ends on 2026-03-16',
    );
  });

  it('a horizon that adds no day', () => {
    expect(message(horizons([0, 14], [3, 14]))).toBe(
      'DataError subseasonal: adds no day to short-term; received "2026-03-05 to 2026-03-16"; allowed: ' +
        'a horizon that ends after 2026-03-16; horizons are given from the shortest to the longest',
    );
    expect(message(horizons([0, 14], [0, 41], [0, 200]), { lastLeads: [14, 41, 41] })).toMatch(
      /^DataError seasonal: adds no day to subseasonal/,
    );
  });

  it('a horizon that ends before the timeline begins', () => {
    expect(message(horizons([0, 14], [-30, -1]))).toBe(
      'DataError subseasonal: none of its days belong to the timeline; received "2026-01-31 to 2026-03-01"; allowed: ' +
        'days from 2026-03-02 on',
    );
  });

  it('a horizon that begins after the last lead used of it', () => {
    expect(message(horizons([0, 14], [15, 60]), { lastLeads: [14, 10] })).toBe(
      'DataError subseasonal: none of its days belong to the timeline; received "2026-03-17 to 2026-05-01"; allowed: ' +
        'days from 2026-03-02 to 2026-03-12',
    );
  });
});
