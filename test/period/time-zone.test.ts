import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { findTimeZone, type TimeZone } from '../../src/period/time-zone.js';
import { isFullCheck } from '../full-check.js';

const secondsOf = (text: string) => Date.parse(text) / 1000;
const zone = (name: string) => findTimeZone(name) as TimeZone;
const textOf = (time: number) => new Date(1000 * time).toISOString().slice(0, 16);

/** Zones with switches of an hour, of half an hour and of two, at midnight, a minute after it, and across the date line. */
const ZONES = [
  ...['Europe/Berlin', 'Europe/Dublin', 'America/St_Johns', 'America/Sao_Paulo', 'America/Havana', 'Asia/Gaza'],
  ...['Australia/Lord_Howe', 'Antarctica/Troll', 'Pacific/Apia', 'Africa/Casablanca', 'Asia/Kathmandu', 'Asia/Beirut'],
  ...['America/Caracas', 'Asia/Pyongyang', 'Africa/Cairo', 'Pacific/Chatham', 'Etc/GMT+5', 'UTC'],
];

describe('TimeZone', () => {
  // The others have rules of their own, too.
  it.each(isFullCheck ? ZONES : ZONES.slice(0, 9))('has the offsets and the midnights of Temporal: %s', (name) => {
    const known = zone(name);
    let date = Temporal.PlainDate.from('2006-12-28');
    for (let day = 0; day < (isFullCheck ? 7000 : 2500); day++, date = date.add({ days: 1 })) {
      const start = date.toZonedDateTime({ timeZone: name });
      const time = start.epochMilliseconds / 1000;
      const wall = secondsOf(`${date}T00:00Z`);
      if (known.timeOf(wall) !== time || known.offset(time) !== start.offsetNanoseconds / 1e9)
        expect(`${date}: ${textOf(known.timeOf(wall))}`).toBe(`${date}: ${textOf(time)}`);
    }
  });

  it('takes the first of two times that clocks show twice, and the switch for times that they skip', () => {
    const berlin = zone('Europe/Berlin');
    expect(textOf(berlin.timeOf(secondsOf('2026-10-25T02:30Z')))).toBe('2026-10-25T00:30');
    expect(textOf(berlin.timeOf(secondsOf('2026-03-29T02:30Z')))).toBe('2026-03-29T01:00');
    const apia = zone('Pacific/Apia');
    expect(['2011-12-30', '2011-12-31'].map((day) => textOf(apia.timeOf(secondsOf(`${day}T00:00Z`))))).toEqual([
      '2011-12-30T10:00',
      '2011-12-30T10:00',
    ]);
  });

  it('knows the first and the last years, and local mean time to the second', () => {
    expect(zone('Europe/Amsterdam').offset(secondsOf('1900-01-01T00:00Z'))).toBe(
      Temporal.Instant.from('1900-01-01T00:00Z').toZonedDateTimeISO('Europe/Amsterdam').offsetNanoseconds / 1e9,
    );
    for (const year of ['0001', '9999']) expect(zone('UTC').offset(secondsOf(`${year}-01-01T00:00Z`))).toBe(0);
    expect(zone('Asia/Kolkata').offset(secondsOf('9999-12-31T23:00Z'))).toBe(19_800);
    expect(Math.abs(zone('Europe/Berlin').offset(secondsOf('0001-01-01T00:00Z')))).toBeLessThan(3600);
  });
});

describe('findTimeZone', () => {
  it.each([
    ['+05:30', '+05:30', 19_800],
    ['+0530', '+05:30', 19_800],
    ['-3', '-03:00', -10_800],
    ['UTC+2', '+02:00', 7200],
    ['+14', '+14:00', 50_400],
    ['-12:00', '-12:00', -43_200],
    ['+00:00', 'UTC', 0],
    ['utc', 'UTC', 0],
    ['Z', 'UTC', 0],
    ['europe/berlin', 'Europe/Berlin', 3600],
    ['Asia/Kolkata', 'Asia/Kolkata', 19_800],
    ['asia/kolkata', 'Asia/Kolkata', 19_800],
    ['US/Eastern', 'US/Eastern', -18_000],
  ])('reads %s', (text, name, offset) => {
    const found = zone(text);
    expect([found.name, found.offset(secondsOf('2026-01-15T00:00Z'))]).toEqual([name, offset]);
  });

  it.each([
    ...['+15', '-12:30', '+05:60', '+5:3', '5:30', 'Europe/Berln', 'Berlin', '', ' ', 'localtime', 'GMT+99'],
    // Abbreviations that mean several zones.
    ...['IST', 'BST', 'CST', 'PST'],
  ])('knows none of %j', (text) => {
    expect(findTimeZone(text)).toBeUndefined();
  });
});
