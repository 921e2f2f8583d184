import { describe, expect, it } from 'vitest';
import { countsFromDate, type TimeCalendar, timeUnits } from '../../../../src/files/cf/time/time-units.js';

/** A unit, and the time in ISO 8601 that it counts from; a calendar where it is not the standard one. */
const READ: readonly (readonly [string, number, string])[] = [
  ['days since 1970-01-01', 86_400, '1970-01-01T00:00:00Z'],
  ['days since 1970-1-1', 86_400, '1970-01-01T00:00:00Z'],
  ['day since 1990-01-01 00:00:00', 86_400, '1990-01-01T00:00:00Z'],
  ['d since 1990-01-01 00:00', 86_400, '1990-01-01T00:00:00Z'],
  ['Hours since 1900-01-01 00:00:0.0', 3600, '1900-01-01T00:00:00Z'],
  ['hours since 2022-10-02T12:30:00Z', 3600, '2022-10-02T12:30:00Z'],
  ['hrs since 2022-10-02 12:30:00 UTC', 3600, '2022-10-02T12:30:00Z'],
  ['h since 2022-10-02 06 GMT', 3600, '2022-10-02T06:00:00Z'],
  ['minutes since 2022-10-02 00:00:00 +01:00', 60, '2022-10-01T23:00:00Z'],
  ['min since 2022-10-02 00:00:00 -0530', 60, '2022-10-02T05:30:00Z'],
  ['seconds since 2022-10-02 00:00:00+00:00', 1, '2022-10-02T00:00:00Z'],
  ['seconds since 1992-10-8 15:15:42.5 -6:00', 1, '1992-10-08T21:15:42.500Z'],
  ['s since 1582-10-15', 1, '1582-10-15T00:00:00Z'],
  ['milliseconds since 2000-02-29', 0.001, '2000-02-29T00:00:00Z'],
  ['hours since 1970/01/01', 3600, '1970-01-01T00:00:00Z'],
  ['hours since 1970/1/2 06:00:00 +01:00', 3600, '1970-01-02T05:00:00Z'],
  ['days since 19700102', 86_400, '1970-01-02T00:00:00Z'],
  ['days since 19700102 06:00', 86_400, '1970-01-02T06:00:00Z'],
];

const INVALID = [
  'months since 1970-01-01',
  'years since 2000-01-01',
  'days',
  'days since yesterday',
  'days since 2001-02-29',
  'days since 2001-13-01',
  'days since 0000-01-01',
  'days since 01/02/1970',
  'days since 1970/01-01',
  'days since 197001',
  'days since 197001011',
  'days since 2001-01-01 12:00 CET',
  'K',
  '',
];

describe('units of time', () => {
  it.each(READ)('%s', (text, seconds, reference) => {
    expect(timeUnits(text, 'standard')).toMatchObject({ seconds, reference: Date.parse(reference) / 1000 });
  });

  it.each(INVALID)('%j is not understood', (text) => {
    expect(timeUnits(text, 'standard')).toBeUndefined();
  });

  it('dates before 15 October 1582 are Julian in the standard calendar, two days off in year 1', () => {
    const day = (text: string, calendar: TimeCalendar) => (timeUnits(text, calendar)?.reference ?? Number.NaN) / 86_400;
    expect(day('days since 1582-10-04', 'standard')).toBe(day('days since 1582-10-15', 'standard') - 1);
    // As in cftime 1.6 and CDO.
    expect(day('days since 0001-01-01', 'standard')).toBe(-719_164);
    expect(day('days since 1-1-1', 'proleptic_gregorian')).toBe(-719_162);
    expect(day('days since 1500-02-29', 'standard')).toBe(day('days since 1500-03-01', 'standard') - 1);
    expect(timeUnits('days since 1500-02-29', 'proleptic_gregorian')).toBeUndefined();
  });

  it('are distinguished from other units by the word since', () => {
    expect(['days since 2000-01-01', 'hours Since x'].every(countsFromDate)).toBe(true);
    expect([undefined, '', 'hours', 'K'].some(countsFromDate)).toBe(false);
  });
});
