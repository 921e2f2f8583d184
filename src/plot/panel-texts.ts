import { version } from '../../package.json';
import type { Point } from '../ensemble/nearest-place.js';
import { GRANULARITIES } from '../period/period.js';
import { STEPS } from '../period/stated-days.js';
import type { PanelData } from './panel-data.js';
import { commonGranularity } from './panel-days.js';
import { partialTexts, spanText } from './partial-windows.js';
import { extentOf } from './value-scale.js';

const RULES: Readonly<Record<string, string>> = {
  sum: 'sums',
  mean: 'means',
  min: 'minima',
  max: 'maxima',
  count: 'counts',
  first: 'first values',
  last: 'last values',
  range: 'ranges',
};

/** What a panel shows: `precipitation (mm), weekly sums`, and of several places which. */
export function panelLabel(panel: PanelData): string {
  const { texts, isOfSeveral, members, statistics } = panel;
  const { variable, units, window } = texts;
  const name = (variable ?? 'values').replaceAll('_', ' ');
  const [coarsest] = [...statistics, ...(members ? [members] : [])]
    .map(({ granularity }) => granularity)
    .sort((a, b) => orderOf(b) - orderOf(a));
  const of = isOfSeveral ? `${placeName(panel) ?? 'no place'}: ` : '';
  return `${of}${name}${units === undefined ? '' : ` (${units})`}, ${windowWords(coarsest, window)}`;
}

const BOUNDS: Readonly<Record<string, string>> = {
  '>': 'above',
  '<': 'below',
  '>=': 'of at least',
  '<=': 'of at most',
};

/** What windows are, and how their days were combined: `weekly sums`, `sums of seasons`, `weekly, days above 20`. */
export function windowWords(granularity: string, window: string | undefined): string {
  if (granularity === 'daily') return granularity;
  if (granularity === STEPS) return window === 'sum' ? 'amounts of time steps' : 'time steps';
  const isCalendar = ORDER.includes(granularity);
  const [, days] = /^rolling (\d+)$/.exec(granularity) ?? [];
  const rule = window === undefined ? 'values' : Object.hasOwn(RULES, window) ? RULES[window] : undefined;
  const which = days === undefined ? (granularity === 'list' ? 'windows' : granularity) : `${days} days`;
  const measure = window?.replace(/(?<= )[<>]=?(?=\S)/, (sign) => `${BOUNDS[sign]} `);
  if (isCalendar) return rule === undefined ? `${granularity}, ${measure}` : `${granularity} ${rule}`;
  return rule === undefined ? `${which}, ${measure}` : `${rule} of ${which === 'all' ? 'all days' : which}`;
}

const ORDER: readonly string[] = GRANULARITIES;

/** Windows of other kinds are after days, weeks and months. */
function orderOf(granularity: string): number {
  const place = ORDER.indexOf(granularity);
  return place < 0 ? ORDER.length : place;
}

/** What the place of a panel is called: by its id, else by its coordinates. */
export function placeName({ place, texts }: PanelData): string | undefined {
  return place ?? placeText(texts);
}

/** A place in degrees, `37.3° N, 79.84° W`; undefined if it is not known. */
export function placeText({ latitude, longitude }: Point): string | undefined {
  if (Number.isNaN(latitude) || Number.isNaN(longitude)) return undefined;
  return `${degrees(latitude, 'N', 'S')}, ${degrees(longitude, 'E', 'W')}`;
}

function degrees(value: number, positive: string, negative: string): string {
  return `${Number(Math.abs(value).toFixed(4))}° ${value < 0 ? negative : positive}`;
}

/** The parts of the caption, each of which is the same in all panels: place, run, model, members, climatology. */
export function captionParts(panels: readonly PanelData[]): string[] {
  const common = (of: (panel: PanelData) => string | undefined) => {
    const values = new Set(panels.map(of));
    return values.size === 1 ? [...values][0] : undefined;
  };
  const stated = (key: string) => common(({ texts }) => texts.metadata.get(key));
  const counts = [...new Set(panels.flatMap(({ memberCount }) => memberCount ?? []))].sort((a, b) => a - b);
  const reference = common(({ climate }) => climate?.reference);
  const parts = [
    common(({ place }) => place),
    common(({ texts }) => placeText(texts)),
    ...sourceParts(stated, counts),
    commonGranularity(panels) === STEPS ? `hours of ${stated('time_zone') ?? 'UTC'}` : undefined,
    common(({ texts }) => texts.calendar) && `calendar ${panels[0].texts.calendar}`,
    reference && `climatology ${reference}`,
    `plumecast ${version}`,
  ];
  return parts.filter((part): part is string => part !== undefined && part !== '');
}

/** Where values come from: the run, the horizon and the model, and the number of members. */
export function sourceParts(stated: (key: string) => string | undefined, counts: readonly number[]): string[] {
  const [run, horizon, model] = [stated('init_time'), stated('horizon'), stated('version')];
  const parts = [
    run && `run ${runText(run)}`,
    [horizon, model].filter(Boolean).join(' '),
    counts.length > 0 ? `${counts.join(' to ')} ${counts[counts.length - 1] === 1 ? 'member' : 'members'}` : '',
  ];
  return parts.filter((part): part is string => part !== undefined && part !== '');
}

/** `2026-03-02T00:00:00Z` as `2026-03-02 00:00 UTC`; other texts as they are. */
function runText(time: string): string {
  const [, date, clock] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::00(?:\.0+)?)?(?:Z|\+00:00)$/.exec(time) ?? [];
  return date === undefined ? time : `${date} ${clock} UTC`;
}

/** What a picture shows, for those who do not see it: a sentence for each panel. */
export function describePanels(panels: readonly PanelData[]): string {
  return panels.map(describePanel).join(' ');
}

function describePanel(panel: PanelData): string {
  const { texts, memberCount } = panel;
  const extent = extentOf({ ...panel, climate: undefined, thresholds: [] });
  const count = memberCount === undefined ? '' : `, ${memberCount} ${memberCount === 1 ? 'member' : 'members'}`;
  const values =
    extent === undefined
      ? 'all values are missing'
      : `values from ${shown(extent[0])} to ${shown(extent[1])}${texts.units === undefined ? '' : ` ${texts.units}`}`;
  return `${panelLabel(panel)}, ${[spanText(panel), ...partialTexts(panel)].join(', ')}${count}: ${values}.`;
}

function shown(value: number): string {
  return String(Number(value.toPrecision(4)));
}
