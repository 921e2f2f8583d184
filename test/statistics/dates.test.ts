import { expect, it } from 'vitest';
import { loadCore, statistics as statisticsOfArray } from '../../src/arrays.js';
import { checkPlan } from '../../src/batch/check-plan.js';
import { demoTable } from '../../src/demo/index.js';
import { memberWindows, statistics, streamStatistics } from '../../src/index.js';

const core = await loadCore();
const table = demoTable('precipitation', { locations: [{ latitude: 50, longitude: 5 }] });
const texts = { granularity: 'daily', startDate: '2026-03-04', endDate: '2026-03-06' } as const;
const dates = {
  ...{ granularity: 'daily' as const, startDate: new Date('2026-03-04T23:30:00Z') },
  endDate: new Date('2026-03-06T00:00:00Z'),
};

it('Dates are days in UTC, in tables, streams, arrays and plans', async () => {
  const expected = statistics(core, table, texts);
  expect(expected.numRows).toBe(3);
  expect(statistics(core, table, dates).toArray()).toEqual(expected.toArray());
  expect(memberWindows(core, table, dates).numRows).toBe(3);
  const { value: streamed } = await streamStatistics(core, [table], dates).next();
  expect(streamed?.toArray()).toEqual(expected.toArray());
  const array = { data: new Float32Array(30), shape: [30], dims: ['time'], start: '2026-03-02', variable: 'tp' };
  expect(statisticsOfArray(core, array, dates).periods).toEqual(['2026-03-04', '2026-03-05', '2026-03-06']);
  const { startDate, endDate } = dates;
  const { request } = checkPlan({ inputs: ['-'], out: '.', startDate, endDate });
  expect(request).toEqual({ startDate: '2026-03-04', endDate: '2026-03-06' });
});

it('Dates that are none, or in the wrong order, are errors', () => {
  const given = (options: object) => () => statistics(core, table, options);
  expect(given({ startDate: new Date('x') })).toThrow('startDate: cannot be used; received Invalid Date');
  expect(given({ startDate: dates.endDate, endDate: dates.startDate })).toThrow('startDate: later than the last');
});
