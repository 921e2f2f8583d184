/**
 * The day number (days since 1970-01-01) of a date of the proleptic Gregorian calendar. Nothing is checked.
 *
 * Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`
 * (https://howardhinnant.github.io/date_algorithms.html), for years from 0 on.
 */
export function daysFromCivil(year: number, month: number, day: number): number {
  // Years begin on 1 March here, so that the leap day is a year's last.
  const y = month <= 2 ? year - 1 : year;
  const era = (y / 400) | 0;
  const yearOfEra = y - era * 400;
  const dayOfYear = (((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) | 0) + day - 1;
  return era * 146097 + yearOfEra * 365 + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0) + dayOfYear - 719468;
}

/**
 * The year of a day number, from 0000-03-01 on. Source: the first half of `civil_from_days` in Hinnant's text. Nothing
 * is checked.
 */
export function yearFromDays(day: number): number {
  const z = day + 719468;
  const era = (z / 146097) | 0;
  const dayOfEra = z - era * 146097;
  const yearOfEra = yearOfEraOf(dayOfEra);
  return yearOfEra + era * 400 + (dayOfYearOf(dayOfEra, yearOfEra) >= 306 ? 1 : 0);
}

/**
 * The year, month and day of the month of a day number, from 0000-03-01 on, packed as `(year * 16 + month) * 32 + day`
 * so that no object is made. Source: `civil_from_days` in Hinnant's text. Nothing is checked.
 */
export function packedCivilFromDays(day: number): number {
  const z = day + 719468;
  const era = (z / 146097) | 0;
  const dayOfEra = z - era * 146097;
  const yearOfEra = yearOfEraOf(dayOfEra);
  const dayOfYear = dayOfYearOf(dayOfEra, yearOfEra);
  const shiftedMonth = ((5 * dayOfYear + 2) / 153) | 0;
  const dayOfMonth = dayOfYear - (((153 * shiftedMonth + 2) / 5) | 0) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return (((year << 4) | month) << 5) | dayOfMonth;
}

/** The day number of the last day before the month of a day. Nothing is checked. */
export function lastDayBeforeMonth(day: number): number {
  return day - (packedCivilFromDays(day) & 31);
}

function yearOfEraOf(dayOfEra: number): number {
  return ((dayOfEra - ((dayOfEra / 1460) | 0) + ((dayOfEra / 36524) | 0) - ((dayOfEra / 146096) | 0)) / 365) | 0;
}

function dayOfYearOf(dayOfEra: number, yearOfEra: number): number {
  return dayOfEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0));
}
