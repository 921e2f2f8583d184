import { expect, it } from 'vitest';
import { createUsageMeter } from '../../src/service/handler/usage-meter.node.js';
import { memoryUsage } from '../../src/service/index.js';
import { plumecastHere } from './run-here.js';

/** Timers of Node end at once where they are longer than 24.8 days: 35,791 minutes. */
it.each([
  [
    ['fetch', 'noaa:gefs', '--variable', 'temp_mean', '--out', 'a-{run}.nc', '--watch', '--every', '40000'],
    '--every',
    'up to a week',
  ],
  [['serve', '--store', 'data', '--drain-seconds', '3000000'], '--drain-seconds', 'from 0 to 86400'],
  [['serve', '--store', 'data', '--shutdown-seconds', '3000000'], '--shutdown-seconds', 'from 0 to 86400'],
])('%j is an error, as a timer would end at once', async (args, option, allowed) => {
  const { code, err } = await plumecastHere(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(option)]);
  expect(err).toContain(allowed);
});

it.each([0, -1, 3e6])('usage is not added to a store every %d seconds', (flushSeconds) => {
  expect(() => createUsageMeter(memoryUsage(), { flushSeconds })).toThrow(
    /flushSeconds.*allowed: seconds, up to 86400, a day/,
  );
});
