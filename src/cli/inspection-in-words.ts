import { formatBytes } from '../batch/byte-count.js';
import type {
  InspectedDays,
  InspectedPlaces,
  InspectedReading,
  InspectedValue,
  InspectedValues,
} from '../input/inspection.js';
import type { LabelledLine } from './labelled-lines.js';

/** `2022-10-02 to 2022-11-05, 35 days, hourly`, and what lacks between. */
export function daysInWords({ first, last, whole, lacking, gaps, steps, calendar }: InspectedDays): string {
  const calendarText = calendar === undefined ? '' : `, ${calendar} calendar`;
  const span = `${first} to ${last}, ${count(whole, 'day')}, ${steps}${calendarText}`;
  if (lacking === 0) return span;
  const listed = gaps.map(({ first: from, last: to, days }) => (days === 1 ? from : `${from} to ${to} (${days})`));
  const listedDays = gaps.reduce((sum, { days }) => sum + days, 0);
  const rest = listedDays < lacking ? ', ...' : '';
  return `${span}; ${count(lacking, 'day')} lacking between: ${listed.join(', ')}${rest}`;
}

/** `grid of 181 x 360, 90 S to 90 N by 1, ...`, or the place. */
export function placesInWords({ kind, count: places, shape, latitude, longitude, step }: InspectedPlaces): string {
  const noun = kind === 'places' ? count(places, 'place') : `${kind} grid of ${shape?.join(' x ')}`;
  if (latitude === undefined || longitude === undefined) return `${noun}, without coordinates`;
  const by = (degrees: number | undefined) => (degrees === undefined ? '' : ` by ${degrees}`);
  const span = ([least, most]: readonly [number, number], name: (degrees: number) => string, of?: number) =>
    least === most ? name(least) : `${name(least)} to ${name(most)}${by(of)}`;
  return `${noun}: ${span(latitude, north, step?.[0])}, ${span(longitude, east, step?.[1])}`;
}

/** Lines about values: how many there are, what range they have, and those that are wrong. */
export function valuesInWords(values: InspectedValues): LabelledLine[] {
  const { count: all, missing, infinite, lowest, highest, bounds, below = 0, above = 0, missingChunks } = values;
  const outside = below + above;
  return [
    ['values', `${grouped(all)} daily values looked at, ${share(missing, all)} missing`],
    ['infinite', infinite === 0 ? undefined : share(infinite, all)],
    ['lowest', lowest && valueInWords(lowest)],
    ['highest', highest && valueInWords(highest)],
    [
      'bounds',
      bounds === undefined || outside === 0
        ? bounds && `all within ${bounds[0]} to ${bounds[1]}`
        : `${share(outside, all)} not plausible (${bounds[0]} to ${bounds[1]}): ${grouped(below)} below, ${grouped(above)} above`,
    ],
    [
      'chunks',
      missingChunks &&
        `${grouped(missingChunks.count)} of ${grouped(missingChunks.of)} are not in the store: missing values`,
    ],
  ];
}

/** `1 block in 1 GB of memory; each of 12 chunks is decoded once` */
export function readingInWords({ memory, blocks, chunks, decoded }: InspectedReading): string {
  const text = `${count(blocks, 'block')} in ${formatBytes(memory)} of memory`;
  if (chunks === undefined || decoded === undefined) return text;
  const times = decoded <= chunks ? 'once' : `${Number((decoded / chunks).toPrecision(2))} times`;
  return `${text}; ${chunks === 1 ? 'its chunk' : `each of ${grouped(chunks)} chunks`} is decoded ${times}`;
}

function valueInWords({ value, date, member, latitude, longitude }: InspectedValue): string {
  const place = latitude === undefined || longitude === undefined ? '' : ` at ${north(latitude)}, ${east(longitude)}`;
  return `${Number(value.toPrecision(6))} on ${date}${place}, member ${member}`;
}

function north(degrees: number): string {
  return `${rounded(degrees)} ${degrees < 0 ? 'S' : 'N'}`;
}

function east(degrees: number): string {
  return `${rounded(degrees)} ${degrees < 0 ? 'W' : 'E'}`;
}

function rounded(degrees: number): number {
  return Number(Math.abs(degrees).toFixed(4));
}

function share(part: number, all: number): string {
  if (part === 0) return 'none';
  const percent = (100 * part) / all;
  return `${grouped(part)} (${percent < 0.01 ? 'under 0.01' : Number(percent.toPrecision(3))} %)`;
}

function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}

function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}
