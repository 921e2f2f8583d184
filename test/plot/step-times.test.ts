import { tableFromArrays } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { parseDate } from '../../src/period/day.js';
import { meteogram, meteogramText, stepStatistics, timeSteps } from '../../src/plot/index.js';
import { middles, shownSpans } from '../../src/plot/panel-data.js';
import { readMembers } from '../../src/plot/read-members.js';
import { statistics } from '../../src/statistics/statistics.js';
import { dailyTable } from '../../src/table/daily/daily-table.js';

const core = await loadCore();
const DAY = parseDate('2026-03-29');

/** Values of three members every `step` hours from 28 March 2026 on, for two days. */
function given(name: string, step: number) {
  const count = 48 / step;
  const values = (m: number) => Float64Array.from({ length: count }, (_, i) => (i * 7 + m * 3) % 11);
  const time = Array.from({ length: count }, (_, i) => new Date(Date.UTC(2026, 2, 28, i * step)).toISOString());
  return tableFromArrays({ time, ...Object.fromEntries([0, 1, 2].map((m) => [`${name}_member_${m}`, values(m)])) });
}

const temperature = { variable: 'temp_mean', units: 'degC', stamps: 'instant' } as const;
const rain = { variable: 'precipitation', units: 'mm', accumulation: 'per-step', stamps: 'start' } as const;

describe('time steps of a panel', () => {
  it('are on an axis of days of their zone, of which one has 23 hours', () => {
    const { table } = timeSteps(given('precipitation', 12), { ...rain, timeZone: 'Europe/Berlin' });
    const { members } = readMembers(table, {});
    // 12:00 UTC is 13:00 in Berlin on the 28th; the 29th has 23 hours from 23:00 UTC on.
    expect([...shownSpans(members).from]).toEqual(
      [DAY - 1 + 1 / 24, DAY - 1 + 13 / 24, DAY + 1 / 23, DAY + 13 / 23].map((day) => expect.closeTo(day, 9)),
    );
    expect(shownSpans(members).to[3]).toBeCloseTo(DAY + 1 + 2 / 24, 9);
  });

  it('of instants are at their time, and shown up to halfway to their neighbours, the outermost within their day', () => {
    const { members } = readMembers(timeSteps(given('temp_mean', 12), temperature).table, {});
    expect([...middles(members)]).toEqual([DAY - 1, DAY - 0.5, DAY, DAY + 0.5]);
    const { from, to } = shownSpans(members);
    expect([from[0], to[0], from[3], to[3]]).toEqual([DAY - 1, DAY - 0.75, DAY + 0.25, DAY + 0.75]);
  });

  it.each([
    [24, ['Sat 28 Mar', 'Sun 29 Mar']],
    [25, ['Sat 28 Mar', 'Sun 29 Mar', 'Mon 30 Mar']],
    [5, ['Sat 28 Mar']],
    [1, ['Sat 28 Mar']],
  ])('of %i instants every 2 hours and one at the end have an axis of the days that they are in', (count, days) => {
    const time = Array.from({ length: count + 1 }, (_, i) => new Date(Date.UTC(2026, 2, 28, i * 2)).toISOString());
    const values = Float64Array.from(time.keys());
    const { table } = timeSteps(tableFromArrays({ time, temp_member_0: values, temp_member_1: values }), temperature);
    const svg = meteogram([{ ensemble: table, statistics: stepStatistics(core, table) }], { theme: 'light' });
    const found = [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);
    expect(found.filter((text) => text.endsWith(' Mar'))).toEqual(days);
  });

  it('are drawn above the days on one axis with hours and weekdays', () => {
    const { table } = timeSteps(given('precipitation', 3), rain);
    const days = dailyTable(given('precipitation', 3), rain).table;
    const panels = [
      { ensemble: table, statistics: stepStatistics(core, table) },
      { ensemble: days, statistics: statistics(core, days) },
    ];
    const svg = meteogram(panels, { theme: 'light' });
    const found = [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);
    expect(found).toEqual(
      expect.arrayContaining(['precipitation (mm), amounts of time steps', 'precipitation (mm), daily']),
    );
    expect(found).toEqual(expect.arrayContaining(['00', '12', 'Sat 28 Mar', 'Sun 29 Mar']));
    expect(found.join()).toContain('hours of UTC');
    // 16 boxes of steps, and 2 of days: each is one part of a path.
    const boxes = [...svg.matchAll(/class="band shade2" d="([^"]*)"/g)].map(([, d]) => d.split('Z').length - 1);
    expect(boxes).toEqual([16, 2]);
    const text = meteogramText(panels);
    expect(text).toContain('amounts of time steps');
    expect(text).toContain('Sun 29 Mar');
  });

  it('rejects panels of different zones', () => {
    const [utc, other] = ['UTC', 'Asia/Tokyo'].map(
      (timeZone) => timeSteps(given('temp_mean', 6), { ...temperature, timeZone }).table,
    );
    expect(() => meteogram([{ ensemble: utc }, { ensemble: other }])).toThrow('days of different time zones');
  });
});
