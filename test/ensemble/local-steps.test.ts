import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { requestedDays } from '../../src/ensemble/local-days.js';
import { localSteps, shareOfStep, withoutShares } from '../../src/ensemble/local-steps.js';
import { holds } from '../property/fuzz.js';

const HOUR = 3600;
const DAY = 86_400;
const zones = fc.constantFrom(
  ...['Europe/Berlin', 'America/St_Johns', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Asia/Kathmandu'],
  ...['Pacific/Apia', 'America/Havana', '+05:30', '-12:00', 'UTC', 'Antarctica/Troll'],
);

/** Steps of some hours from a time on, and the days that are made of them. */
const examples = fc.record({
  zone: zones,
  start: fc.integer({ min: 0, max: 8 * 365 * 24 }),
  step: fc.constantFrom(1, 2, 3, 6, 12),
  count: fc.integer({ min: 2, max: 60 }),
  dayStart: fc.integer({ min: 0, max: 23 }),
  hours: fc.option(
    fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 23 })).filter(([a, b]) => a !== b),
  ),
  isEnd: fc.boolean(),
});

/** The hours after midnight of a date, as seconds since 1970, of a zone. */
function timeAt(zone: string, day: number, hour: number): number {
  const date = Temporal.PlainDate.from('1970-01-01').add({ days: day + Math.floor(hour / 24) });
  const time = Temporal.PlainTime.from({ hour: hour % 24 });
  const at = date.toPlainDateTime(time);
  // The first time at which clocks show this or later.
  const found = at.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (found.toPlainDateTime().equals(at)) return found.epochMilliseconds / 1000;
  const skipped = found.getTimeZoneTransition('next') as Temporal.ZonedDateTime;
  return skipped.epochMilliseconds / 1000;
}

describe('localSteps', () => {
  holds('gives each day the parts of steps that lie in it', 400, examples, (example) => {
    const { zone, start, step, count, dayStart, hours, isEnd } = example;
    const two = (value: number) => String(value).padStart(2, '0');
    const days = requestedDays({
      ...{ timeZone: zone, dayStart: two(dayStart) },
      ...(hours !== null && { hours: hours.map(two).join('-') }),
    });
    if (days === undefined) throw new Error('no days');
    const first = Date.parse('2007-01-01') / 1000 + start * HOUR;
    const starts = Float64Array.from({ length: count }, (_, i) => first + i * step * HOUR);
    const times = isEnd ? starts.map((time) => time + step * HOUR) : starts;
    const found = localSteps({ times, stamps: isEnd ? 'end' : 'start', areInstants: false, days });
    const begin = hours === null ? dayStart : hours[0] >= dayStart ? hours[0] : hours[0] + 24;
    const length = hours === null ? 24 : (hours[1] - hours[0] + 24) % 24;
    const expected: string[] = [];
    for (let day = Math.floor(first / DAY) - 3; day < (first + count * step * HOUR) / DAY + 3; day++) {
      const [from, to] = [begin, begin + length].map((hour) => timeAt(zone, day, hour));
      const parts = Array.from(starts, (time, i) => {
        const within = Math.min(time + step * HOUR, to) - Math.max(time, from);
        return within > 0 ? `${i}:${(within / step / HOUR).toFixed(4)}` : '';
      }).filter(Boolean);
      const isWhole = to > from && first <= from && first + count * step * HOUR >= to;
      if (isWhole) expected.push(`${day} ${parts.join(' ')}`);
    }
    const given: string[] = [];
    for (let d = 0; d < found.days; d++) {
      if (found.whole[d] === 0) continue;
      const steps = Array.from({ length: found.steps[d] }, (_, i) => found.firstStep[d] + i);
      const parts = steps.map((each) => `${each}:${shareOfStep(found, d, each).toFixed(4)}`);
      given.push(`${found.firstDay + d} ${parts.join(' ')}`);
    }
    expect(given).toEqual(expected);
  });

  it('has days of 23 and 25 hours, whole only with all of them', () => {
    const days = requestedDays({ timeZone: 'Europe/Berlin' });
    if (days === undefined) throw new Error('no days');
    const stepsOf = (from: string, to: string, without?: string) => {
      const times: number[] = [];
      for (let time = Date.parse(from) / 1000; time < Date.parse(to) / 1000; time += HOUR)
        if (without === undefined || time !== Date.parse(without) / 1000) times.push(time);
      return localSteps({ times: Float64Array.from(times), stamps: 'start', areInstants: false, days });
    };
    expect([...stepsOf('2026-03-27T23:00Z', '2026-03-30T22:00Z').steps]).toEqual([24, 23, 24]);
    expect([...stepsOf('2026-10-23T22:00Z', '2026-10-26T23:00Z').steps]).toEqual([24, 25, 24]);
    expect([...stepsOf('2026-10-23T22:00Z', '2026-10-26T23:00Z', '2026-10-25T22:00Z').whole]).toEqual([1, 0, 1]);
    expect([...stepsOf('2026-03-27T23:00Z', '2026-03-30T22:00Z', '2026-03-29T21:00Z').whole]).toEqual([1, 0, 1]);
  });

  it('takes instants for the day that they are in, whole where none is missing', () => {
    const days = requestedDays({ timeZone: 'Europe/Berlin' });
    if (days === undefined) throw new Error('no days');
    const at = (...texts: string[]) => Float64Array.from(texts, (text) => Date.parse(text) / 1000);
    const every = (hours: number, from: string, count: number) =>
      Float64Array.from({ length: count }, (_, i) => Date.parse(from) / 1000 + i * hours * HOUR);
    const of = (times: Float64Array) => {
      const { firstDay, steps, whole } = localSteps({ times, stamps: 'instant', areInstants: true, days });
      return {
        first: new Date(firstDay * DAY * 1000).toISOString().slice(0, 10),
        steps: [...steps],
        whole: [...whole],
      };
    };
    // 00, 06, 12 and 18 UTC are 01, 07, 13 and 19 in winter.
    expect(of(every(6, '2026-01-05T00:00Z', 8))).toEqual({ first: '2026-01-05', steps: [4, 4], whole: [1, 1] });
    // The hour that begins at local midnight, 23 UTC, is missing.
    expect(of(every(1, '2026-01-05T00:00Z', 47))).toEqual({ first: '2026-01-06', steps: [24], whole: [1] });
    const gap = [...every(6, '2026-01-05T00:00Z', 5), ...every(6, '2026-01-06T12:00Z', 6)];
    expect(of(Float64Array.from(gap))).toMatchObject({ steps: [4, 3, 4], whole: [1, 0, 1] });
    expect(of(at('2026-01-05T00:00Z', '2026-01-05T12:00Z', '2026-01-06T00:00Z', '2026-01-06T12:00Z'))).toMatchObject({
      steps: [2, 2],
    });
  });

  it('has no shares where no step lies in two days', () => {
    const days = requestedDays({ timeZone: '+05:00' });
    if (days === undefined) throw new Error('no days');
    const times = Float64Array.from({ length: 72 }, (_, i) => i * HOUR);
    expect(withoutShares(localSteps({ times, stamps: 'start', areInstants: false, days }))).not.toHaveProperty(
      'shares',
    );
    const six = Float64Array.from({ length: 12 }, (_, i) => i * 6 * HOUR);
    expect(withoutShares(localSteps({ times: six, stamps: 'start', areInstants: false, days }))).toHaveProperty(
      'shares',
    );
  });
});

describe('requestedDays', () => {
  it.each([
    [{ timeZone: 'Europe/Berln' }, 'timeZone: no such time zone, the nearest is Europe/Berlin'],
    [{ timeZone: 'berlin' }, 'the nearest is Europe/Berlin'],
    [{ timeZone: 'new york' }, 'the nearest is America/New_York'],
    [{ timeZone: '+25' }, 'timeZone: is not an offset from UTC that clocks have'],
    [{ timeZone: 'BST' }, 'no such time zone'],
    [{ dayStart: '25' }, 'dayStart: is not a time of the day; received "25"; allowed: hours from 00 to 23'],
    [{ dayStart: '24' }, 'dayStart: is not a time of the day'],
    [{ dayStart: '06:61' }, 'dayStart: is not a time of the day'],
    [{ hours: '6' }, 'hours: are not hours of a day'],
    [{ hours: '06-18-20' }, 'hours: are not hours of a day'],
    [{ hours: '06-25' }, 'hours: are not hours of a day'],
    [{ hours: '06-06' }, 'hours: begin where they end'],
    [{ splitExtremes: true }, 'splitExtremes: is for days of other zones than UTC'],
  ])('rejects %j', (options, message) => {
    expect(() => requestedDays(options)).toThrow(message);
  });

  it('says which days they are', () => {
    const texts = (options: Parameters<typeof requestedDays>[0]) => String(requestedDays(options));
    expect(texts({ timeZone: 'Europe/Berlin' })).toBe('days of Europe/Berlin');
    expect(texts({ dayStart: '6' })).toBe('days of UTC from 06:00');
    expect(texts({ timeZone: '+0530', hours: '18-06' })).toBe('18:00-06:00 of days of +05:30');
    expect(texts({ timeZone: 'utc', hours: '00-24' })).toBe('days of UTC');
  });
});
