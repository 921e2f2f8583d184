/**
 * Draws docs/blending.svg: what three ways to join horizons do to a known process.
 *
 *   node build/bench/blending-figure.js > docs/blending.svg
 */
import { blendFields } from '../src/blend/blend-fields.js';
import type { Horizon } from '../src/blend/horizon.js';
import type { BlendMethod } from '../src/blend/pairing.js';
import type { EnsembleField } from '../src/core/field.js';
import { loadCore } from '../src/core/load.js';
import { autoregressiveField, normalStream } from '../test/reference/autoregressive.js';

const COEFFICIENT = 0.8;
const LOCATIONS = 8_000;
const BATCH = 500;
const LAST_LEADS = [14, 41, 49];
const OVERLAPS = [3, 7];
const [FIRST_SHOWN, LAST_SHOWN] = [8, 47];

/** Sums over members and locations by day: of squares, and of products with the day before. */
interface Sums {
  count: number;
  readonly squares: Float64Array;
  readonly products: Float64Array;
}

const core = await loadCore();
const days = LAST_LEADS[2] + 1;
const methods = ['rank', 'splice', 'average'] as const;
const sums = new Map(methods.map((method) => [method, newSums()]));
const normal = normalStream(1);
for (let done = 0; done < LOCATIONS; done += BATCH) {
  const horizons = LAST_LEADS.map((last, h): Horizon => {
    const shape = { firstDay: 0, days: last + 1, cells: BATCH, members: 31, coefficient: COEFFICIENT };
    return { name: `horizon ${h + 1}`, field: autoregressiveField(shape, normal) };
  });
  for (const method of methods)
    add(sums.get(method) as Sums, method === 'average' ? averaged(horizons) : joined(horizons, method));
}
console.log(figure());

function newSums(): Sums {
  return { count: 0, squares: new Float64Array(days), products: new Float64Array(days) };
}

function joined(horizons: readonly Horizon[], method: BlendMethod): Float32Array[] {
  const options = { method, overlaps: OVERLAPS, lastLeads: [], keepGaps: false };
  return valuesOf(blendFields(core, horizons, options).field);
}

function valuesOf({ members }: EnsembleField): Float32Array[] {
  return members.map(({ chunks }) => chunks[0].values as Float32Array);
}

/** The linearly weighted mean of the two models' members over the overlap, as a warning. */
function averaged(horizons: readonly Horizon[]): Float32Array[] {
  const all = horizons.map(({ field }) => ({ days: field.days, members: valuesOf(field) }));
  return all[0].members.map((_, m) => {
    const values = new Float32Array(BATCH * days);
    for (let row = 0; row < values.length; row++) {
      const day = row % days;
      const on = (h: number) => all[h].members[m][Math.floor(row / days) * all[h].days + day];
      const h = LAST_LEADS.findIndex((last) => day <= last);
      const weight = h === 2 ? 0 : Math.max(0, (day - LAST_LEADS[h] + OVERLAPS[h]) / (OVERLAPS[h] + 1));
      values[row] = weight > 0 ? (1 - weight) * on(h) + weight * on(h + 1) : on(h);
    }
    return values;
  });
}

function add(to: Sums, members: readonly Float32Array[]): void {
  for (const values of members) {
    for (let row = 0; row < values.length; row++) {
      const day = row % days;
      to.squares[day] += values[row] ** 2;
      if (day > 0) to.products[day] += values[row] * values[row - 1];
    }
  }
  to.count += BATCH * members.length;
}

function figure(): string {
  const width = 760;
  const left = 56;
  const right = 150;
  const x = (day: number) => left + ((day - FIRST_SHOWN) / (LAST_SHOWN - FIRST_SHOWN)) * (width - left - right);
  const colours = { rank: '#0b6e4f', splice: '#c1440e', average: '#7a5195' };
  const names = { rank: 'plumecast', splice: 'splice', average: 'averaging' };
  const panel = (
    title: string,
    top: number,
    low: number,
    high: number,
    step: number,
    value: (of: Sums, day: number) => number,
    truth: number,
  ) => {
    const height = 150;
    const y = (v: number) => top + height - ((v - low) / (high - low)) * height;
    const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step);
    const bands = OVERLAPS.map((overlap, h) => {
      const [from, to] = [x(LAST_LEADS[h] - overlap + 0.5), x(LAST_LEADS[h] + 1)];
      return `<rect x="${from.toFixed(1)}" y="${top}" width="${(to - from).toFixed(1)}" height="${height}" fill="#e8eef4"/>`;
    });
    const lines = methods.map((method) => {
      const points: string[] = [];
      for (let day = FIRST_SHOWN; day <= LAST_SHOWN; day++) {
        points.push(`${x(day).toFixed(1)},${y(value(sums.get(method) as Sums, day)).toFixed(1)}`);
      }
      return `<polyline points="${points.join(' ')}" fill="none" stroke="${colours[method]}" stroke-width="${method === 'rank' ? 2.5 : 1.5}"/>`;
    });
    return [
      `<text x="${left}" y="${top - 10}" font-weight="600">${title}</text>`,
      ...bands,
      ...ticks.map(
        (v) =>
          `<text x="${left - 8}" y="${(y(v) + 4).toFixed(1)}" text-anchor="end">${v.toFixed(1)}</text><line x1="${left}" x2="${x(LAST_SHOWN)}" y1="${y(v).toFixed(1)}" y2="${y(v).toFixed(1)}" stroke="#d7dbe0"/>`,
      ),
      `<line x1="${left}" x2="${x(LAST_SHOWN)}" y1="${y(truth).toFixed(1)}" y2="${y(truth).toFixed(1)}" stroke="#333" stroke-dasharray="2 3"/>`,
      ...lines,
      `<text x="${x(LAST_SHOWN) + 8}" y="${(y(truth) + 4).toFixed(1)}">the process: ${truth}</text>`,
    ].join('\n');
  };
  const variance = (of: Sums, day: number) => of.squares[day] / of.count;
  const correlation = (of: Sums, day: number) => of.products[day] / Math.sqrt(of.squares[day] * of.squares[day - 1]);
  const axis = Array.from({ length: 8 }, (_, i) => 10 + 5 * i);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 460" font-family="system-ui, sans-serif" font-size="12" fill="#222">`,
    `<title>Variance and lag-1 correlation of a blended AR(1) process, by three methods</title>`,
    `<rect width="${width}" height="460" fill="#fff"/>`,
    panel('Variance over members', 40, 0.4, 1.2, 0.2, variance, 1),
    panel('Correlation with the day before', 240, 0, 1, 0.2, correlation, COEFFICIENT),
    ...axis.map((day) => `<text x="${x(day).toFixed(1)}" y="408" text-anchor="middle">${day}</text>`),
    `<text x="${x(27.5).toFixed(1)}" y="426" text-anchor="middle">lead time (days); shaded: the overlaps in which members switch</text>`,
    ...methods.map((method, i) => {
      const at = left + 150 * i;
      return `<line x1="${at}" x2="${at + 24}" y1="446" y2="446" stroke="${colours[method]}" stroke-width="3"/><text x="${at + 30}" y="450">${names[method]}</text>`;
    }),
    '</svg>',
  ].join('\n');
}
