import { describe, expect, it } from 'vitest';
import { climateKeyIndex, climateKeys } from '../../src/climate/climatology.js';
import { dayNumber } from '../../src/period/day.js';

describe('climateKeys', () => {
  it('are 366 days, 53 weeks or 12 months, in order', () => {
    const days = climateKeys('daily');
    expect([days.length, days[0], days[58], days[59], days[60], days[365]]).toEqual([
      ...[366, '01-01', '02-28', '02-29', '03-01', '12-31'],
    ]);
    expect(days).toEqual([...days].sort());
    expect(climateKeys('weekly')).toEqual(Array.from({ length: 53 }, (_, w) => `W${String(w + 1).padStart(2, '0')}`));
    expect(climateKeys('monthly').join()).toBe('01,02,03,04,05,06,07,08,09,10,11,12');
  });
});

describe('climateKeyIndex', () => {
  it('finds the key of each day of leap and common years', () => {
    const keys = climateKeys('daily');
    for (let day = dayNumber(2019, 1, 1); day <= dayNumber(2021, 12, 31); day++) {
      const date = new Date(day * 86_400_000).toISOString();
      expect(keys[climateKeyIndex('daily', day)]).toBe(date.slice(5, 10));
    }
  });

  it('finds the ISO week that begins on the day, and the month', () => {
    expect(climateKeyIndex('weekly', dayNumber(2019, 12, 30))).toBe(0);
    expect(climateKeyIndex('weekly', dayNumber(2020, 12, 28))).toBe(52);
    expect(climateKeyIndex('monthly', dayNumber(2020, 12, 1))).toBe(11);
  });
});
