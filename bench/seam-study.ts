/**
 * Prints docs/seams.md: what ways to join two ensembles keep of known processes. It takes some ten minutes.
 *
 *   node build/bench/seam-study.js > docs/seams.md
 */
import { blendFields } from '../src/blend/blend-fields.js';
import type { Horizon } from '../src/blend/horizon.js';
import type { EnsembleField } from '../src/core/field.js';
import { loadCore } from '../src/core/load.js';
import { SeamComparison, type SeamQuality } from '../test/reference/seam-quality.js';
import { type FieldShape, SimulatedProcess, type SimulatedVariable } from '../test/reference/simulated-fields.js';
import { FIVE_WAYS, WAYS } from './seam-ways.js';

const core = await loadCore();

/** Days before the overlap, and after it. */
const [BEFORE, AFTER] = [9, 9];
const FIELDS: Record<string, FieldShape> = {
  'a place': { across: 1, kilometres: 1 },
  '200 km': { across: 5, kilometres: 50 },
  '1,000 km': { across: 11, kilometres: 100 },
  '5,000 km': { across: 21, kilometres: 250 },
};
/** How many runs are pooled. */
const RUNS: Record<string, number> = { 'a place': 8000, '200 km': 400, '1,000 km': 200, '5,000 km': 12 };
const VARIABLES: readonly SimulatedVariable[] = ['temperature', 'rain', 'rain with temperature'];

interface Case {
  readonly field: string;
  readonly sizes: readonly [number, number];
  /** Of temperature from a day to the next; of rain it is 0.5. */
  readonly memory: number;
  readonly overlap: number;
}

const byOwn = (own: SimulatedVariable, horizons: Record<SimulatedVariable, Horizon[]>) =>
  own === 'rain' ? [horizons.rain] : [horizons.temperature, horizons['rain with temperature']];

/** Areas of 1,000 km, spread over a field, or all of it. */
function areasOf({ across, kilometres }: FieldShape): number[][] {
  const wide = Math.min(across, Math.round(1000 / kilometres) + 1);
  const starts = across === wide ? [0] : [0, 1, 2, 3, 4].map((step) => Math.round((step * (across - wide)) / 4));
  const side = Array.from({ length: wide }, (_, i) => i);
  return starts.flatMap((top) =>
    starts.map((left) => side.flatMap((y) => side.map((x) => (top + y) * across + left + x))),
  );
}

/** Of single cells, and of areas. */
type Results = Record<SimulatedVariable, { readonly cells: SeamQuality; readonly areas: readonly SeamQuality[] }>;

function compare(
  ways: readonly (keyof typeof WAYS)[],
  { field, sizes, memory, overlap }: Case,
): Record<string, Results> {
  const shape = FIELDS[field];
  const process = new SimulatedProcess({ shape, memory, rainMemory: Math.min(memory, 0.5), seed: 7 });
  const seam = { handOver: BEFORE, complete: BEFORE + overlap };
  const limits = rareTotals(shape, memory);
  const comparisons = ways.map(() =>
    Object.fromEntries(
      VARIABLES.map((variable) => {
        const [ofCells, ofArea] = limits[variable];
        const areas = areasOf(shape).map((area) => new SeamComparison(shape, seam, area, ofArea));
        return [variable, [new SeamComparison(shape, seam, undefined, ofCells), ...areas]];
      }),
    ),
  );
  for (let run = 0; run < RUNS[field]; run++) {
    const first = 20_000 + 3 * run;
    const earlier = process.draw(sizes[0], 0, BEFORE + overlap);
    const later = process.draw(sizes[1], BEFORE, overlap + AFTER);
    const shifted = (one: EnsembleField) => ({ ...one, firstDay: one.firstDay + first });
    const horizons = Object.fromEntries(
      VARIABLES.map((variable) => [
        variable,
        [earlier, later].map((fields, h) => ({ name: `horizon ${h + 1}`, field: shifted(fields[variable]) })),
      ]),
    ) as Record<SimulatedVariable, Horizon[]>;
    const options = { overlaps: [overlap], lastLeads: [], keepGaps: false, places: process.places };
    ways.forEach((way, w) => {
      for (const variable of VARIABLES) {
        const pairing = WAYS[way](core, byOwn(variable, horizons), options);
        const { field: joined } = blendFields(core, horizons[variable], pairing, process.places);
        for (const comparison of comparisons[w][variable]) {
          comparison.add(earlier[variable], later[variable], { ...joined, firstDay: 0 }, pairing);
        }
      }
    });
  }
  return Object.fromEntries(
    ways.map((way, w) => {
      const results = Object.entries(comparisons[w]).map(([variable, own]) => {
        const [cells, ...areas] = own.map((comparison) => comparison.result());
        return [variable, { cells, areas }];
      });
      return [way, Object.fromEntries(results) as Results];
    }),
  );
}

/** The weekly totals that 2 % exceed, at cells and of an area, by variable. */
function rareTotals(shape: FieldShape, memory: number): Record<SimulatedVariable, readonly [number, number]> {
  const process = new SimulatedProcess({ shape, memory, rainMemory: Math.min(memory, 0.5), seed: 99 });
  const totals = Object.fromEntries(
    VARIABLES.map((variable) => [variable, { cells: [] as number[], area: [] as number[] }]),
  );
  const areas = areasOf(shape);
  const area = new Set(areas[(areas.length - 1) / 2]);
  const draws = Math.max(6, Math.round(6000 / shape.across ** 2));
  for (let draw = 0; draw < draws; draw++) {
    const fields = process.draw(40, 0, 7);
    for (const variable of VARIABLES) {
      const { cells, area: ofArea } = totals[variable];
      for (const member of fields[variable].members) {
        let mean = 0;
        for (let cell = 0; cell < process.cells; cell++) {
          let total = 0;
          for (let d = 0; d < 7; d++) total += member.value(cell * 7 + d);
          cells.push(total);
          if (area.has(cell)) mean += total / area.size;
        }
        ofArea.push(mean);
      }
    }
  }
  const limit = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(0.98 * values.length)];
  const limits = VARIABLES.map((variable): [SimulatedVariable, readonly [number, number]] => {
    const { cells, area: ofArea } = totals[variable];
    return [variable, [limit(cells), limit(ofArea)]];
  });
  return Object.fromEntries(limits) as Record<SimulatedVariable, readonly [number, number]>;
}

const percent = (share: number) => `${(100 * share).toFixed(1).replace('-', '−')}`.replace(/^−0\.0$/, '0.0');
const number = (value: number) =>
  value
    .toFixed(2)
    .replace('-', '−')
    .replace(/^−0.00$/, '0.00');
const both = ({ worst, mean }: { readonly worst: number; readonly mean: number }) =>
  `${percent(worst)} (${percent(mean)})`;

function row(name: string, variable: SimulatedVariable, results: Results): string {
  const { cells, areas } = results[variable];
  const after = areas.map((area) => area.after);
  const week = mean(areas.map((area) => area.week.mean));
  const least = areas.length > 1 ? ` (${number(Math.min(...after))})` : '';
  return `| ${[
    ...[name, both(cells.week), both(cells.rare), percent(cells.dry.mean), number(cells.across)],
    ...[percent(week), `${number(mean(after))}${least}`, number(cells.neighbours)],
    ...[percent(cells.dailyMean), percent(cells.dailyVariance)],
  ].join(' | ')} |`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const HEAD = [
  'week: variance',
  'week: rare',
  'week: dry',
  'lag-1',
  'week of the area',
  'area after',
  'neighbours',
  'day: mean',
  'day: variance',
];

function print(title: string, first: string, rows: readonly string[]): void {
  console.log(`\n## ${title}\n\n| ${first} | ${HEAD.join(' | ')} |\n|---|${'---:|'.repeat(HEAD.length)}`);
  for (const line of rows) console.log(line);
}

const HEADER = `# What is kept across a seam

Two independent ensembles of one known process are joined, again and again, and what the timelines have is compared with what the ensembles have
inside (\`npm run docs:seams\`). What it is about: [timelines](timeline-and-climate.md).

Unless a table says otherwise: 31 members each, an overlap of 3 days, fields of 1,000 km (11 x 11 cells). **Temperature** is Gaussian, a day
correlates by 0.8 with the day before, and places by 1/e over 800 km. **Rain** is 55 % dry days, else gamma of shape 0.7; the Gaussian field behind it
correlates by 0.5 with the day before, and by 1/e over 500 km. The **rain with temperature** comes from a Gaussian field that correlates with
temperature by 0.5. Temperature and the rain with it are paired together, rain by itself. 8,000 runs are pooled of a place, 400 of 200 km (5 x 5
cells), 200 of 1,000 km, and 12 of 5,000 km (21 x 21).

| column | what is compared, with the inside of the ensembles |
|---|---|
| week: variance | variance over members of totals of seven days across the switch, %: the worst start of the week, and in brackets the mean over starts |
| week: rare, dry | the share of such weeks above the 98 % quantile, and below 0.1 mm (for temperature: below average), % |
| lag-1 | covariance of a member on the days before and after it switches: 1 is as inside, 0 is lost |
| week of the area | as the first column, of the mean over areas of 1,000 km (or of a smaller field), %: the mean over starts |
| area after | variance of the mean over these areas after the seam, over the later ensemble's; in brackets the worst of 25 areas |
| neighbours | correlation of neighbouring cells after the seam, less inside |
| day: mean, variance | on the days of the overlap, against the linear mixture of both ensembles, %: the worst day; without bias, the members that have switched are a sample |

Few runs leave noise: 1 to 2 % in the variance of weeks, 2 to 4 % in rare weeks, and more for 5,000 km. With other seeds (the tests of \`check:full\`),
weeks in 1,000 km lose 3.2 % of their variance (temperature) and 3.8 % (the rain with it; 6.0 % at worst), and of more extreme weeks of temperature,
above 12.4 standard deviations of a day, 17 % are lost.`;

console.log(HEADER);
const usual = { sizes: [31, 31], memory: 0.8, overlap: 3 } as const;
const byWay = compare(FIVE_WAYS, { field: '1,000 km', ...usual });
for (const variable of VARIABLES) {
  print(
    `Ways to join: ${variable}`,
    'joined',
    FIVE_WAYS.map((way) => row(way, variable, byWay[way])),
  );
}
const sized = ['a place', '200 km', '1,000 km', '5,000 km'].map((field) => {
  const results = field === '1,000 km' ? byWay : compare(['as fields'], { field, ...usual });
  return [field, results['as fields']] as const;
});
for (const variable of VARIABLES) {
  print(
    `Sizes of the field: ${variable}, as fields`,
    'field',
    sized.map(([field, results]) => row(field, variable, results)),
  );
}
const wide = compare(['as fields', 'as fields, without regions'], { field: '5,000 km', ...usual });
print(
  '5,000 km, with regions and without',
  'joined',
  Object.entries(wide).flatMap(([way, results]) =>
    VARIABLES.map((variable) => row(`${way}: ${variable}`, variable, results)),
  ),
);
const cases: readonly [string, Partial<Case>][] = [
  ['11 members', { sizes: [11, 11] }],
  ['51 members', { sizes: [51, 51] }],
  ['101 members', { sizes: [101, 101] }],
  ['31 of 51 members', { sizes: [31, 51] }],
  ['51 of 31 members, repeated', { sizes: [51, 31] }],
  ['coefficient 0.6', { memory: 0.6 }],
  ['coefficient 0.3', { memory: 0.3 }],
  ['overlap of 7 days', { overlap: 7 }],
];
const others = cases.map(([name, change]) => {
  return [name, compare(['as fields'], { field: '1,000 km', ...usual, ...change })['as fields']] as const;
});
for (const variable of VARIABLES) {
  print(
    `Members, memory and overlap: ${variable}, as fields`,
    'case',
    others.map(([name, results]) => row(name, variable, results)),
  );
}
