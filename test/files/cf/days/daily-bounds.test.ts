import { describe, expect, it } from 'vitest';
import { gridEnsemble } from '../../../../src/files/cf/index.js';
import { memoryFile } from '../memory-file.js';

/** Three daily sums with bounds, in hours from 2025-07-10, of each day. */
function sums(
  from: number,
  to: number,
  options: Parameters<typeof gridEnsemble>[1] = {},
  at = to,
  calendar = 'standard',
) {
  const days = [0, 24, 48];
  return gridEnsemble(
    memoryFile({
      time: {
        dimensions: { time: 3 },
        values: days.map((day) => day + at),
        attributes: { units: 'hours since 2025-07-10', bounds: 'time_bnds', calendar },
      },
      time_bnds: { dimensions: { time: 3, bnds: 2 }, values: days.flatMap((day) => [day + from, day + to]) },
      precipitation: {
        dimensions: { time: 3 },
        values: [1, 2, 3],
        attributes: { units: 'mm', cell_methods: 'time: sum' },
      },
    }),
    options,
  );
}

describe('bounds of daily values', () => {
  it.each([
    ['daytime', 6, 18, '12 h; received "2025-07-10T06:00:00Z to 2025-07-10T18:00:00Z"'],
    ['the first half of the day', 0, 12, '12 h; received "2025-07-10T00:00:00Z to 2025-07-10T12:00:00Z"'],
  ])('are an error where they cover a part of the day: %s', async (_, from, to, text) => {
    await expect(sums(from, to)).rejects.toMatchObject({
      name: 'DataError',
      message: expect.stringContaining(`column precipitation: has daily values whose bounds cover ${text}`),
    });
    const insisted = await sums(from, to, { stamps: 'start' }, from);
    expect(insisted.days).toBe(3);
  });

  it('are noted where they end with the last of several instants', async () => {
    const taken = 'bounds in time_bnds end with the last of several instants: each is taken 6 h longer';
    expect((await sums(0, 18)).conversions).toEqual([taken]);
    const shifted = 'daily values of precipitation of 2025-07-10T04:00:00Z to 2025-07-11T04:00:00Z';
    expect((await sums(4, 20)).conversions).toContain(`${shifted} are taken for values of 2025-07-10`);
  });

  it.each([
    [-15, 9, '2025-07-09T09:00:00Z to 2025-07-10T09:00:00Z', '2025-07-09'],
    [-12, 12, '2025-07-09T12:00:00Z to 2025-07-10T12:00:00Z', '2025-07-10'],
    [6, 30, '2025-07-10T06:00:00Z to 2025-07-11T06:00:00Z', '2025-07-10'],
    [-1, 23, '2025-07-09T23:00:00Z to 2025-07-10T23:00:00Z', '2025-07-10'],
  ])('that begin at another hour are noted with the date that is taken: %s to %s h', async (from, to, hours, date) => {
    const { conversions: notes } = await sums(from, to);
    expect(notes).toEqual([`daily values of precipitation of ${hours} are taken for values of ${date}`]);
    const ofModel = await sums(from, to, {}, to, 'noleap');
    expect(ofModel.conversions).toContain(notes[0]);
  });

  it.each([0, 12, 24])('from midnight to midnight have no note, dated %s h', async (at) => {
    expect((await sums(0, 24, {}, at)).conversions).toEqual([]);
  });
});
