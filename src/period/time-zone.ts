import { DAY_SECONDS, daysFromCivil, FIRST_DAY, LAST_DAY } from './day.js';

const WEEK = 7 * DAY_SECONDS;
const HOUR = 3600;

/** A stretch of time, in seconds since 1970-01-01 UTC, in which clocks of a zone are ahead of UTC by `offset` seconds. */
export interface ZonePiece {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

/**
 * A time zone: how far its clocks are ahead of UTC, by the time zones of the platform (`Intl.DateTimeFormat`). The
 * switches of a week are found when they are first needed, and kept: the cost is linear in the weeks.
 */
export class TimeZone {
  /** As it is written, with the letters of the platform: `Europe/Berlin`; of an offset `+05:30`; `UTC`. */
  readonly name: string;
  readonly #offsetAt: (time: number) => number;
  /** The pieces of each week, by the number of the week. */
  readonly #weeks = new Map<number, readonly ZonePiece[]>();

  constructor(name: string, offsetAt: (time: number) => number) {
    this.name = name;
    this.#offsetAt = offsetAt;
  }

  /** The seconds by which clocks are ahead of UTC at a time, in seconds since 1970-01-01 UTC. */
  offset(time: number): number {
    const pieces = this.#week(Math.floor(time / WEEK));
    let at = pieces.length - 1;
    while (at > 0 && time < pieces[at].from) at--;
    return pieces[at].offset;
  }

  /** The first time at which clocks show `wall` or later: seconds since 1970-01-01 00:00 as clocks count them. */
  timeOf(wall: number): number {
    // Clocks are at most 16 hours ahead of UTC or behind it.
    for (let week = Math.floor((wall - 16 * HOUR) / WEEK); ; week++) {
      for (const { from, to, offset } of this.#week(week)) {
        const time = Math.max(from, wall - offset);
        if (time < to) return time;
      }
    }
  }

  #week(week: number): readonly ZonePiece[] {
    const known = this.#weeks.get(week);
    if (known !== undefined) return known;
    const [from, to] = [week * WEEK, (week + 1) * WEEK];
    const first = this.#weeks.get(week - 1)?.at(-1)?.offset ?? this.#offsetAt(from - 1);
    const switches: { time: number; offset: number }[] = [{ time: from, offset: first }];
    this.#findSwitches(from - 1, first, to - 1, this.#offsetAt(to - 1), switches);
    const pieces = switches.map(({ time, offset }, i) => ({ from: time, to: switches[i + 1]?.time ?? to, offset }));
    const some = pieces.filter((piece) => piece.to > piece.from);
    this.#weeks.set(week, some);
    return some;
  }

  /** Adds the switches after `a` up to `b`: no zone switches twice within a week and is back where it was. */
  #findSwitches(a: number, atA: number, b: number, atB: number, found: { time: number; offset: number }[]): void {
    if (atA === atB) return;
    if (b - a === 1) {
      found.push({ time: b, offset: atB });
      return;
    }
    const middle = Math.floor((a + b) / 2);
    const atMiddle = this.#offsetAt(middle);
    this.#findSwitches(a, atA, middle, atMiddle, found);
    this.#findSwitches(middle, atMiddle, b, atB, found);
  }
}

const OFFSET = /^(?:UTC|GMT)?([+-])(\d\d?)(?::?(\d\d))?$/i;
/** Clocks are so many hours behind UTC and ahead of it at most. */
const BEHIND = 12;
const AHEAD = 14;

/**
 * Abbreviations that platforms take for a zone of their own choice, and people for another: `IST` is India, Ireland or
 * Israel, `BST` Bangladesh or the summer of Britain.
 */
const ABBREVIATION =
  /^(ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$/i;

/**
 * The time zone of a name, such as `Europe/Berlin`, or of an offset from UTC, such as `+05:30`; undefined if the platform
 * knows none of this name, and if clocks have no such offset.
 */
export function findTimeZone(name: string): TimeZone | undefined {
  if (/^(utc|z)$/i.test(name)) return new TimeZone('UTC', () => 0);
  if (/^([+-]?\d|(UTC|GMT)[+-])/i.test(name)) return zoneOfOffset(name);
  const format = ABBREVIATION.test(name) ? undefined : clockOf(name);
  return format && new TimeZone(spelling(name, format), (time) => offsetOf(format, time));
}

function zoneOfOffset(text: string): TimeZone | undefined {
  const [, sign, hours, minutes = '0'] = OFFSET.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const length = Number(hours) * HOUR + Number(minutes) * 60;
  if (Number(minutes) > 59 || length > (sign === '-' ? BEHIND : AHEAD) * HOUR) return undefined;
  if (length === 0) return new TimeZone('UTC', () => 0);
  const offset = sign === '-' ? -length : length;
  return new TimeZone(`${sign}${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`, () => offset);
}

/** Formats times as clocks of a zone show them; undefined if the platform does not know it. */
function clockOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const numeric = 'numeric';
  const date = { year: numeric, month: numeric, day: numeric } as const;
  const time = { hour: numeric, minute: numeric, second: numeric, hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, calendar: 'gregory', ...date, ...time });
  } catch {
    return undefined;
  }
}

/** The name in its usual letters: the platform may know the zone by another name, such as `Asia/Calcutta`. */
function spelling(name: string, format: Intl.DateTimeFormat): string {
  const { timeZone } = format.resolvedOptions();
  if (timeZone.toLowerCase() === name.toLowerCase()) return timeZone;
  return /[A-Z]/.test(name) ? name : name.replace(/[a-z]+/g, (word) => word[0].toUpperCase() + word.slice(1));
}

/** Clocks of the first and the last year show other years in part. */
const FIRST = (FIRST_DAY + 366) * DAY_SECONDS;
const LAST = (LAST_DAY - 366) * DAY_SECONDS;

function offsetOf(format: Intl.DateTimeFormat, given: number): number {
  const time = Math.floor(Math.min(Math.max(given, FIRST), LAST));
  const [month, day, year, hour, minute, second] = (format.format(1000 * time).match(/\d+/g) ?? []).map(Number);
  return daysFromCivil(year, month, day) * DAY_SECONDS + hour * HOUR + minute * 60 + second - time;
}

/** The names of time zones that the platform lists, for messages. */
export function listedTimeZones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')];
}
