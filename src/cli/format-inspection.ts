import { formatBytes } from '../batch/byte-count.js';
import type {
  InspectedDays,
  InspectedPlaces,
  InspectedReading,
  InspectedValue,
  InspectedValues,
  InspectedVariable,
} from '../input/inspect/inspection.js';
import type { LabelledLine } from './labelled-lines.js';

/** `2022-10-02 to 2022-11-05, 35 days, hourly`, and the missing days. */
export function formatDays({ first, last, whole, missing, gaps, steps, calendar }: InspectedDays): string {
  const calendarText = calendar === undefined ? '' : `, ${calendar} calendar`;
  const span = `${first} to ${last}, ${count(whole, 'day')}, ${steps}${calendarText}`;
  if (missing === 0) return span;
  const listed = gaps.map(({ first: from, last: to, days }) => (days === 1 ? from : `${from} to ${to} (${days})`));
  const listedDays = gaps.reduce((sum, { days }) => sum + days, 0);
  const rest = listedDays < missing ? ', ...' : '';
  return `${span}; ${count(missing, 'day')} missing between: ${listed.join(', ')}${rest}`;
}

/** `grid of 181 x 360, 90 S to 90 N by 1, ...`, or the place. */
export function formatPlaces({ kind, count: places, shape, latitude, longitude, step }: InspectedPlaces): string {
  const noun = kind === 'places' ? count(places, 'place') : `${kind} grid of ${shape?.join(' x ')}`;
  if (latitude === undefined || longitude === undefined) return `${noun}, without coordinates`;
  const by = (degrees: number | undefined) => (degrees === undefined ? '' : ` by ${degrees}`);
  const span = ([least, most]: readonly [number, number], name: (degrees: number) => string, of?: number) =>
    least === most ? name(least) : `${name(least)} to ${name(most)}${by(of)}`;
  return `${noun}: ${span(latitude, north, step?.[0])}, ${span(longitude, east, step?.[1])}`;
}

/** `id: A, B, C and 7 more; time_zone: Europe/Berlin` */
export function formatLabels({ labels = [] }: InspectedPlaces): string | undefined {
  const texts = labels.map(({ name, count: all, first }) => {
    const rest = all > first.length ? ` and ${grouped(all - first.length)} more` : '';
    return `${name}: ${first.join(', ')}${rest}`;
  });
  return texts.length === 0 ? undefined : texts.join('; ');
}

/** Lines about values: their number, their range, and those that are wrong. */
export function formatValues(values: InspectedValues, { members, places }: InspectedVariable): LabelledLine[] {
  const { count: all, sampleOf, sampledMembers, missing, infinite, lowest, highest, missingChunks } = values;
  const ofMembers = sampledMembers === undefined ? '' : `, of members ${sampledMembers.join(', ')} alone`;
  const sample = sampleOf === undefined ? '' : `a sample of ${grouped(sampleOf)}${ofMembers}: `;
  const shown = { hasPlace: places?.count !== 1, hasMember: members?.count !== 1 };
  if (all === 0 && sampleOf !== undefined)
    return [['values', `${grouped(sampleOf)} daily values, of which none was read: a chunk takes too long to decode`]];
  return [
    ['values', `${sample}${grouped(all)} daily values, ${share(missing, all)} missing`],
    ['infinite', infinite === 0 ? undefined : share(infinite, all)],
    ['lowest', lowest && formatValue(lowest, shown)],
    ['highest', highest && formatValue(highest, shown)],
    ['bounds', formatBounds(values)],
    [
      'chunks',
      missingChunks &&
        `${grouped(missingChunks.count)} of ${grouped(missingChunks.of)} are not in the store: their values are missing`,
    ],
  ];
}

/** `1 block in 1 GB of memory; each of 12 chunks is decoded once` */
export function formatReading({ memory, blocks, chunks, decoded }: InspectedReading): string {
  const text = `${count(blocks, 'block')} in ${formatBytes(memory)} of memory`;
  if (chunks === undefined || decoded === undefined) return text;
  const times = decoded <= chunks ? 'once' : `${Number((decoded / chunks).toPrecision(2))} times`;
  return `${text}; ${chunks === 1 ? 'its chunk' : `each of ${grouped(chunks)} chunks`} is decoded ${times}`;
}

/** `91 (4.89 %) not within 0 to 2000: 91 below, by 4.3e-18 at most` */
function formatBounds({
  count: all,
  bounds,
  below = 0,
  above = 0,
  lowest,
  highest,
}: InspectedValues): string | undefined {
  if (bounds === undefined) return undefined;
  const range = `${bounds[0]} to ${bounds[1]}`;
  if (below + above === 0) return `all within ${range}`;
  const parts = [
    ...(below > 0 && lowest ? [`${grouped(below)} below, by ${amount(bounds[0] - lowest.value)} at most`] : []),
    ...(above > 0 && highest ? [`${grouped(above)} above, by ${amount(highest.value - bounds[1])} at most`] : []),
  ];
  return `${share(below + above, all)} not within ${range}: ${parts.join('; ')}`;
}

function amount(value: number): number {
  return Number(value.toPrecision(2));
}

interface ShownPlace {
  readonly hasPlace: boolean;
  readonly hasMember: boolean;
}

function formatValue(
  { value, date, member, latitude, longitude }: InspectedValue,
  { hasPlace, hasMember }: ShownPlace,
): string {
  const isPlaced = hasPlace && latitude !== undefined && longitude !== undefined;
  const place = isPlaced ? ` at ${north(latitude)}, ${east(longitude)}` : '';
  const name = /^[a-z]/i.test(member) ? member : `member ${member}`;
  return `${Number(value.toPrecision(6))} on ${date}${place}${hasMember ? `, ${name}` : ''}`;
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
