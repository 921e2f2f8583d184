import type { Point } from '../ensemble/nearest-place.js';
import { unusable } from '../errors.js';
import { GRANULARITIES, type Granularity } from '../period/period.js';
import type { DayMarks } from '../plot/draw-values.js';

/** Attributes on which it depends what is read, and those on which it depends how it is drawn. */
export const READING = ['src', 'variable', 'point', 'granularity', 'thresholds'] as const;
export const DRAWING = ['heading', 'amounts', 'hide-members', 'height'] as const;

/** What an element asks for by its attributes. */
export interface ChartRequest {
  /** Slugs, in the order of the panels; empty for all. */
  readonly variables: readonly string[];
  readonly point: Point | undefined;
  readonly granularity: Granularity | undefined;
  readonly thresholds: readonly number[];
}

/** How a chart is drawn. */
export interface ChartLook {
  readonly heading: string;
  readonly amounts: DayMarks;
  readonly hidesMembers: boolean;
  readonly height: number | undefined;
}

const AMOUNTS: readonly DayMarks[] = ['boxes', 'bars', 'bands'];

/** Reads the attributes on which it depends what is shown. Throws OptionError for those that cannot be used. */
export function readRequest(element: Element): ChartRequest {
  const text = (name: (typeof READING)[number]) => element.getAttribute(name)?.trim() ?? '';
  const granularity = text('granularity');
  const known = GRANULARITIES.find((each) => each === granularity);
  if (granularity !== '' && known === undefined) throw unusable('granularity', granularity, GRANULARITIES.join(', '));
  return {
    variables: listOf(text('variable')),
    point: pointOf(text('point')),
    granularity: known,
    thresholds: listOf(text('thresholds')).map((part) => numberOf('thresholds', part)),
  };
}

/** Reads the other attributes. Throws OptionError for those that cannot be used. */
export function readLook(element: Element): ChartLook {
  const amounts = element.getAttribute('amounts') ?? 'boxes';
  const known = AMOUNTS.find((each) => each === amounts);
  if (known === undefined) throw unusable('amounts', amounts, AMOUNTS.join(', '));
  const height = element.getAttribute('height');
  const pixels = height === null ? undefined : Number(height);
  if (pixels !== undefined && !(Number.isInteger(pixels) && pixels >= 120 && pixels <= 10_000))
    throw unusable('height', height, 'a whole number of pixels from 120 to 10000');
  return {
    heading: element.getAttribute('heading') ?? '',
    amounts: known,
    hidesMembers: element.hasAttribute('hide-members'),
    height: pixels,
  };
}

function listOf(text: string): string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}

function numberOf(name: string, text: string): number {
  const value = text === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw unusable(name, text, 'numbers with commas between them, such as 0,20');
  return value;
}

function pointOf(text: string): Point | undefined {
  if (text === '') return undefined;
  const [latitude, longitude, ...others] = text.split(',').map(Number);
  const isPoint = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360 && others.length === 0;
  if (!isPoint) throw unusable('point', text, 'latitude and longitude, such as 47.5,11.1');
  return { latitude, longitude };
}
