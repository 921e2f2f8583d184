/**
 * Draws docs/blending.svg: what ways to join horizons do to a known process.
 *
 *   node build/bench/blending-figure.js > docs/blending.svg
 */
import { blendFields } from '../src/blend/blend-fields.js';
import type { Horizon } from '../src/blend/horizon.js';
import type { BlendMethod } from '../src/blend/pairing/pairing.js';
import type { EnsembleField } from '../src/core/field.js';
import { loadCore } from '../src/core/load.js';
import { SimulatedProcess } from '../test/reference/simulated-fields.js';

const COEFFICIENT = 0.8;
const RUNS = 200;
const MEMBERS = 31;
const LAST_LEADS = [14, 41, 49];
const OVERLAPS = [3, 7];
const WEEK = 7;
const [FIRST_SHOWN, LAST_SHOWN] = [8, 47];
/** A weekly total (mm) that about 2 % of weeks exceed. */
const RARE = 70;

/** Sums over runs by day: at single cells, of the mean of the field, and of weeks that end on the day. */
interface Sums {
  readonly squares: Float64Array;
  readonly products: Float64Array;
  readonly area: Float64Array;
  readonly weeks: Float64Array;
  readonly rare: Float64Array;
}

const core = await loadCore();
const days = LAST_LEADS[2] + 1;
const methods = ['field', 'cell', 'splice', 'average'] as const;
const sums = new Map(methods.map((method) => [method, newSums()]));
const process = new SimulatedProcess({
  ...{ shape: { across: 11, kilometres: 100 }, memory: COEFFICIENT, rainMemory: 0.5, seed: 1 },
});
for (let run = 0; run < RUNS; run++) {
  const drawn = LAST_LEADS.map((last) => process.draw(MEMBERS, 20_000 + run, last + 1));
  const of = (variable: 'temperature' | 'rain with temperature') =>
    drawn.map((fields, h): Horizon => ({ name: `horizon ${h + 1}`, field: fields[variable] }));
  const [warmth, rain] = [of('temperature'), of('rain with temperature')];
  for (const method of methods) {
    const [joined, wet] = method === 'average' ? [averaged(warmth), averaged(rain)] : both(warmth, rain, method);
    add(sums.get(method) as Sums, joined, wet);
  }
}
console.log(figure());

function newSums(): Sums {
  const byDay = () => new Float64Array(days);
  return { squares: byDay(), products: byDay(), area: byDay(), weeks: byDay(), rare: byDay() };
}

function both(warmth: readonly Horizon[], rain: readonly Horizon[], method: BlendMethod) {
  const options = { method, overlaps: OVERLAPS, lastLeads: [], keepGaps: false, places: process.places, also: [rain] };
  const { field, pairing } = blendFields(core, warmth, options);
  return [field, blendFields(core, rain, pairing, process.places).field].map(valuesOf);
}

function valuesOf({ members }: EnsembleField): Float32Array[] {
  return members.map(({ chunks }) => chunks[0].values as Float32Array);
}

/** The linearly weighted mean of the two models' members over the overlap, as a warning. */
function averaged(horizons: readonly Horizon[]): Float32Array[] {
  const all = horizons.map(({ field }) => ({ days: field.days, members: valuesOf(field) }));
  return all[0].members.map((_, m) => {
    const values = new Float32Array(process.cells * days);
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

function add(to: Sums, warmth: readonly Float32Array[], rain: readonly Float32Array[]): void {
  const share = 1 / (RUNS * MEMBERS * process.cells);
  for (let day = 0; day < days; day++) {
    for (let cell = 0; cell < process.cells; cell++) {
      const at = cell * days + day;
      let [total, squares] = [0, 0];
      for (const [m, values] of warmth.entries()) {
        to.squares[day] += values[at] ** 2 * share;
        if (day > 0) to.products[day] += values[at] * values[at - 1] * share;
        if (day < WEEK - 1) continue;
        let week = 0;
        for (let d = 0; d < WEEK; d++) week += rain[m][at - d];
        total += week;
        squares += week * week;
        if (week > RARE) to.rare[day] += share;
      }
      to.weeks[day] += ((squares - total ** 2 / MEMBERS) / (MEMBERS - 1)) * share * MEMBERS;
    }
    for (const values of warmth) {
      let mean = 0;
      for (let cell = 0; cell < process.cells; cell++) mean += values[cell * days + day] / process.cells;
      to.area[day] += (mean * mean) / (RUNS * MEMBERS);
    }
  }
}

interface Panel {
  readonly title: string;
  readonly low: number;
  readonly high: number;
  readonly step: number;
  readonly truth: number;
  readonly words: string;
  readonly value: (of: Sums, day: number) => number;
}

function figure(): string {
  const [width, left, right, height] = [760, 56, 170, 120];
  const x = (day: number) => left + ((day - FIRST_SHOWN) / (LAST_SHOWN - FIRST_SHOWN)) * (width - left - right);
  const colours = { field: '#0b6e4f', cell: '#2b6cb0', splice: '#c1440e', average: '#7a5195' };
  const names = { field: 'as fields', cell: 'by cell', splice: 'splice', average: 'averaging' };
  // Inside of the horizons: days of the second that are far from both seams.
  const inside = (of: (sum: Sums, day: number) => number) => {
    const far = Array.from({ length: 8 }, (_, d) => 24 + d);
    return far.reduce((sum, day) => sum + of(sums.get('field') as Sums, day) / far.length, 0);
  };
  const relative = (of: (sum: Sums, day: number) => number) => {
    const usual = inside(of);
    return (sum: Sums, day: number) => of(sum, day) / usual;
  };
  const panels: readonly Panel[] = [
    {
      ...{
        title: 'Temperature: variance over members',
        low: 0.4,
        high: 1.2,
        step: 0.2,
        truth: 1,
        words: 'the process: 1',
      },
      value: (of, day) => of.squares[day],
    },
    {
      ...{ title: 'Temperature: correlation with the day before', low: 0, high: 1, step: 0.2, truth: COEFFICIENT },
      words: `the process: ${COEFFICIENT}`,
      value: (of, day) => of.products[day] / Math.sqrt(of.squares[day] * of.squares[day - 1]),
    },
    {
      ...{ title: 'Temperature: variance of the mean of the field', low: 0, high: 1.2, step: 0.2, truth: 1 },
      words: 'inside: 1',
      value: relative((of, day) => of.area[day]),
    },
    {
      ...{
        title: 'Rain: variance of totals of the seven days up to this one',
        low: 0.6,
        high: 1.2,
        step: 0.2,
        truth: 1,
      },
      words: 'inside: 1',
      value: relative((of, day) => of.weeks[day]),
    },
    {
      ...{ title: `Rain: share of these totals above ${RARE} mm`, low: 0.4, high: 1.4, step: 0.2, truth: 1 },
      words: 'inside: 1',
      value: relative((of, day) => of.rare[day]),
    },
  ];
  const drawn = panels.map(({ title, low, high, step, truth, words, value }, p) => {
    const top = 40 + p * (height + 50);
    const y = (v: number) => top + height - ((Math.max(low, v) - low) / (high - low)) * height;
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
      return `<polyline points="${points.join(' ')}" fill="none" stroke="${colours[method]}" stroke-width="${method === 'field' ? 2.5 : 1.5}"/>`;
    });
    const grid = ticks.map((v) => {
      const at = y(v).toFixed(1);
      const label = `<text x="${left - 8}" y="${(y(v) + 4).toFixed(1)}" text-anchor="end">${v.toFixed(1)}</text>`;
      return `${label}<line x1="${left}" x2="${x(LAST_SHOWN)}" y1="${at}" y2="${at}" stroke="#d7dbe0"/>`;
    });
    const level = y(truth).toFixed(1);
    return [
      `<text x="${left}" y="${top - 10}" font-weight="600">${title}</text>`,
      ...[...bands, ...grid],
      `<line x1="${left}" x2="${x(LAST_SHOWN)}" y1="${level}" y2="${level}" stroke="#333" stroke-dasharray="2 3"/>`,
      ...lines,
      `<text x="${x(LAST_SHOWN) + 8}" y="${(y(truth) + 4).toFixed(1)}">${words}</text>`,
    ].join('\n');
  });
  const bottom = 40 + panels.length * (height + 50) - 34;
  const axis = Array.from({ length: 8 }, (_, i) => 10 + 5 * i);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 52}" font-family="system-ui, sans-serif" font-size="12" fill="#222">`,
    '<title>What four ways to join horizons do to a known process, by lead time</title>',
    `<rect width="${width}" height="${bottom + 52}" fill="#fff"/>`,
    ...drawn,
    ...axis.map((day) => `<text x="${x(day).toFixed(1)}" y="${bottom}" text-anchor="middle">${day}</text>`),
    `<text x="${x(27.5).toFixed(1)}" y="${bottom + 18}" text-anchor="middle">lead time (days); shaded: the overlaps in which members switch</text>`,
    ...methods.map((method, i) => {
      const at = left + 150 * i;
      return `<line x1="${at}" x2="${at + 24}" y1="${bottom + 38}" y2="${bottom + 38}" stroke="${colours[method]}" stroke-width="3"/><text x="${at + 30}" y="${bottom + 42}">${names[method]}</text>`;
    }),
    '</svg>',
  ].join('\n');
}
