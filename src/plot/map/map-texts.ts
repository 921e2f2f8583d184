import { version } from '../../../package.json';
import { dateText } from '../../period/calendar.js';
import { parseDate } from '../../period/day.js';
import { GRANULARITIES, periodKey } from '../../period/period.js';
import { kindOf } from '../../statistics/statistic-kinds.js';
import { statedCalendar } from '../../table/columns/day-column.js';
import { sourceParts, windowWords } from '../panel-texts.js';
import type { MapField } from './map-field.js';
import type { TercileClasses } from './tercile-classes.js';
import { isShare, rangeOf, type ValueClasses } from './value-classes.js';

/** What a map shows: `precipitation, weekly sums: share of members with more than 20 mm`. */
export function mapHeading(field: MapField): string {
  const { variable = 'values', units, granularity, window, statistic } = field;
  if (field.heading !== undefined) return field.heading;
  const windows = granularity === undefined ? '' : `, ${windowWords(granularity, window)}`;
  if (field.categories !== undefined)
    return `${variable.replaceAll('_', ' ')}${windows}: most likely tercile of the climatology`;
  const what = statistic === undefined ? '' : `: ${kindOf(statistic).words(statistic, units ?? '')}`;
  return `${variable.replaceAll('_', ' ')}${windows}${what}`;
}

/** The window of a map: `2026-W15, 2026-04-06 to 2026-04-12`; undefined if it is not known. */
export function windowText({ granularity, period, start, end, metadata }: MapField): string | undefined {
  if (granularity === undefined || start === undefined) return undefined;
  const calendar = metadata && statedCalendar(metadata);
  const known = GRANULARITIES.find((name) => name === granularity);
  const key = period ?? (known && periodKey(known, start, calendar));
  if (end === undefined || granularity === 'daily') return key;
  const span = `${dateText(calendar, start)} to ${dateText(calendar, end)}`;
  return key === undefined ? span : `${key}, ${span}`;
}

/** How long after the start of its run a window is: `lead 35 to 41 days`; undefined where that is not known. */
export function leadText({ start, end, metadata }: MapField): string | undefined {
  const [date] = /^\d{4}-\d\d-\d\d(?=T|$)/.exec(metadata?.get('init_time') ?? '') ?? [];
  if (date === undefined || start === undefined || (metadata && statedCalendar(metadata)) !== undefined)
    return undefined;
  const [first, last] = [start, end ?? start].map((day) => day - parseDate(date));
  if (!(first >= 0)) return undefined;
  const span = first === last ? `${first}` : `${first} to ${last}`;
  return `lead ${span} ${last === 1 ? 'day' : 'days'}`;
}

/** The unit of the legend. */
export function legendUnits(field: MapField): string {
  if (isShare(field)) return '%';
  return field.statistic?.kind === 'count' ? field.statistic.of : (field.units ?? '');
}

/** The parts of the caption: run, model, members, calendar, version. */
export function mapCaption({ metadata, members, dots, dotsNote }: MapField): string[] {
  const stated = (key: string) => metadata?.get(key);
  const calendar = metadata && statedCalendar(metadata);
  const reference = stated('reference_period');
  return [
    ...(dots === undefined || dotsNote === undefined ? [] : [dotsNote]),
    ...sourceParts(stated, members === undefined ? [] : [members]),
    ...(calendar === undefined ? [] : [`calendar ${calendar}`]),
    ...(reference === undefined ? [] : [`climatology ${reference}`]),
    `plumecast ${version}`,
  ];
}

/** What a map of the most likely tercile shows, for those who do not see it; `kinds` has the class of each cell. */
export function describeTerciles(field: MapField, kinds: Int16Array, { limits }: TercileClasses): string {
  const window = windowText(field);
  const count = limits.length - 1;
  const inCategory = (category: number) =>
    kinds.reduce((sum, kind) => sum + Number(kind > 0 && Math.floor((kind - 1) / count) === category), 0);
  const seen = kinds.filter((kind) => kind >= -1);
  const missing = seen.filter((kind) => kind === -1).length;
  const parts = [
    ...['below', 'near', 'above'].map((name, category) => `${inCategory(category)} most likely ${name} normal`),
    `${seen.filter((kind) => kind === 0).length} without a category of at least ${Number((100 * limits[0]).toFixed(4))} %`,
    ...(missing > 0 ? [`${missing} missing`] : []),
  ];
  return `${mapHeading(field)}${window ? `, ${window}` : ''}: ${seen.length} cells, ${parts.join(', ')}.`;
}

/** What a map shows, for those who do not see it. */
export function describeMap(field: MapField, seen: Float64Array, classes: ValueClasses | undefined): string {
  let missing = 0;
  for (const value of seen) if (Number.isNaN(value)) missing++;
  const window = windowText(field);
  const cells = `${seen.length} cells${missing === 0 ? '' : `, ${missing} of them missing`}`;
  if (classes === undefined) return `${mapHeading(field)}${window ? `, ${window}` : ''}: all values are missing.`;
  const [low, high] = rangeOf(seen);
  const units = isShare(field) ? '' : ` ${legendUnits(field)}`;
  const [from, to] = [low, high].map((value) => Number(value.toPrecision(4)));
  return `${mapHeading(field)}${window ? `, ${window}` : ''}: ${cells}, values from ${from} to ${to}${units}.`;
}
