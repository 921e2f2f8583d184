import { OptionError, unusable } from '../errors.js';
import { DAY_SECONDS } from '../period/day.js';
import { daysInWords } from '../period/stated-days.js';
import { findTimeZone, listedTimeZones, type TimeZone } from '../period/time-zone.js';
import { nearestName } from '../variable/nearest-name.js';

/** Whose days are made of time steps, where these are not days of UTC. */
export interface LocalDayOptions {
  /**
   * The time zone whose days are made of time steps: `Europe/Berlin`, or an offset from UTC, `+05:30`. Daily values are
   * kept as days of this zone. Default: UTC.
   */
  readonly timeZone?: string;
  /** When days begin by the clocks of the zone: `06`, `06:30`. A day has the date on which it begins. Default: `00`. */
  readonly dayStart?: string;
  /**
   * The hours of each day that count, by the clocks of the zone: `06-18`. Hours that pass midnight, `18-06`, belong to
   * the date on which they begin. Default: all.
   */
  readonly hours?: string;
  /**
   * Whether the extreme of a step that lies in two days counts for both. Default false: such steps are an error for
   * daily minima and maxima.
   */
  readonly splitExtremes?: boolean;
}

/** The names of these options. */
export type LocalDayKey = keyof LocalDayOptions;

/** The days of a time zone, or the same hours of each. Days are numbered by their dates, as days of UTC are. */
export class LocalDays {
  readonly zone: TimeZone;
  /** What counts of a day: from and to so many seconds after its date begins. */
  readonly #from: number;
  readonly #to: number;
  /** The seconds after midnight at which days begin. */
  readonly dayStart: number;
  /** Whether minima and maxima of steps in two days count for both. */
  readonly splitExtremes: boolean;
  /** What metadata state of the days. */
  readonly texts: ReadonlyMap<string, string>;

  constructor(
    zone: TimeZone,
    { dayStart = 0, hours }: { dayStart?: number; hours?: readonly [from: number, to: number] } = {},
    splitExtremes = false,
  ) {
    const from = hours === undefined || hours[0] >= dayStart ? (hours?.[0] ?? dayStart) : hours[0] + DAY_SECONDS;
    const length = hours === undefined ? DAY_SECONDS : (hours[1] - hours[0] + DAY_SECONDS) % DAY_SECONDS || DAY_SECONDS;
    this.zone = zone;
    this.dayStart = dayStart;
    this.#from = from;
    this.#to = from + length;
    this.splitExtremes = splitExtremes;
    this.texts = new Map([
      ['time_zone', zone.name],
      ...(dayStart === 0 ? [] : [['day_start', clockText(dayStart)] as const]),
      ...(hours === undefined ? [] : [['day_hours', hours.map(clockText).join('-')] as const]),
    ]);
  }

  /** Whether days are from midnight to midnight, with all of their hours. */
  get areWhole(): boolean {
    return this.#from === 0 && this.#to === DAY_SECONDS;
  }

  /** When a day begins, in seconds since 1970-01-01 UTC. */
  start(day: number): number {
    return this.zone.timeOf(day * DAY_SECONDS + this.#from);
  }

  /** When it ends. */
  end(day: number): number {
    return this.zone.timeOf(day * DAY_SECONDS + this.#to);
  }

  /** The last day that begins at a time or before it; of parts of days, the time may be after its end. */
  dayOf(time: number): number {
    let day = Math.floor((time + this.zone.offset(time) - this.#from) / DAY_SECONDS);
    while (this.start(day) > time) day--;
    while (this.start(day + 1) <= time) day++;
    return day;
  }

  /** Where a time is on an axis of days: 3 at the beginning of day 3, 3.5 in its middle. */
  position(time: number): number {
    const day = this.dayOf(time);
    const start = this.start(day);
    return day + (time - start) / (this.start(day + 1) - start);
  }

  /** In words: `days of Europe/Berlin from 06:00`, `06:00-18:00 of days of UTC`. */
  toString(): string {
    return daysInWords(this.texts) as string;
  }
}

/**
 * The days that options ask for; undefined for plain days of UTC, where none is given. Throws OptionError for a zone that
 * is not known, with the name that is nearest, and for hours that are none.
 */
export function requestedDays(options: LocalDayOptions): LocalDays | undefined {
  const { timeZone, dayStart, hours, splitExtremes = false } = options;
  if (timeZone === undefined && dayStart === undefined && hours === undefined) {
    if (!splitExtremes) return undefined;
    throw new OptionError({
      ...{ subject: 'splitExtremes', problem: 'is for days of other zones than UTC', received: true },
      allowed: 'a time zone, a start of the day or hours with it',
    });
  }
  const part = { dayStart: checkDayStart(dayStart), hours: checkHours(hours) };
  return new LocalDays(checkTimeZone(timeZone ?? 'UTC'), part, splitExtremes);
}

/** Throws OptionError for what is no time zone; `subject` is the option, or where the zone is written. */
export function checkTimeZone(name: unknown, subject = 'timeZone'): TimeZone {
  if (typeof name !== 'string' || name === '') throw unusable(subject, name, ALLOWED_ZONES);
  const zone = findTimeZone(name);
  if (zone !== undefined) return zone;
  const isOffset = /^([+-]?\d|(UTC|GMT)[+-])/i.test(name);
  const known = listedTimeZones();
  // People write the city alone, too.
  const ofCity = known.find((each) => each.split('/').at(-1)?.toLowerCase() === name.toLowerCase().replace(/ /g, '_'));
  const nearest = isOffset ? undefined : (ofCity ?? nearestName(name, known));
  throw new OptionError({
    ...{ subject, received: name, allowed: isOffset ? ALLOWED_OFFSETS : ALLOWED_ZONES },
    problem: isOffset
      ? 'is not an offset from UTC that clocks have'
      : `no such time zone${nearest === undefined ? '' : `, the nearest is ${nearest}`}`,
  });
}

const ALLOWED_OFFSETS = 'offsets from -12:00 to +14:00, such as +05:30';
const ALLOWED_ZONES = 'a name such as Europe/Berlin, or an offset from UTC such as +05:30';

const CLOCK = /^(\d\d?)(?::?(\d\d))?$/;

/** The seconds after midnight of a text such as `06` or `06:30`; undefined for others, and after 24:00. */
function readClock(text: string): number | undefined {
  const [, hours, minutes = '0'] = CLOCK.exec(text) ?? [];
  const seconds = Number(hours) * 3600 + Number(minutes) * 60;
  return seconds <= DAY_SECONDS && Number(minutes) < 60 ? seconds : undefined;
}

function clockText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two((seconds % 3600) / 60)}`;
}

/** Seconds after midnight at which days begin. Throws OptionError for what is no time of the day. */
export function checkDayStart(dayStart: string | undefined): number {
  if (dayStart === undefined) return 0;
  const start = typeof dayStart === 'string' ? readClock(dayStart) : undefined;
  if (start !== undefined && start < DAY_SECONDS) return start;
  throw new OptionError({
    ...{ subject: 'dayStart', problem: 'is not a time of the day', received: dayStart },
    allowed: 'hours from 00 to 23, such as 06 or 06:30',
  });
}

/** The seconds after midnight from and to which a day counts; undefined for all. Throws OptionError for others. */
export function checkHours(hours: string | undefined): [from: number, to: number] | undefined {
  if (hours === undefined) return undefined;
  const [from, to, ...others] = typeof hours === 'string' ? hours.split('-').map((each) => readClock(each.trim())) : [];
  const fail = (problem: string) => {
    const allowed = 'two times of the day, such as 06-18 or 06:30-18:00; 18-06 passes midnight';
    return new OptionError({ subject: 'hours', problem, received: hours, allowed });
  };
  if (from === undefined || to === undefined || others.length > 0 || from === DAY_SECONDS)
    throw fail('are not hours of a day');
  if (from === to) throw fail('begin where they end');
  return from === 0 && to === DAY_SECONDS ? undefined : [from, to];
}
