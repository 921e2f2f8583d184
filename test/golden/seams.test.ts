import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlendOptions, blend, pairMembers, type SeamReport, seamReport } from '../../src/blend/index.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { shuffled } from '../property/examples.js';
import { referenceFolder } from '../reference/data-folder.js';
import { daysFrom, membersOf, table } from '../table/tables.js';
import { readReferenceCsv } from './reference-csv.js';

const gefs = referenceFolder('gefs-fcre-2022');
const seas5 = referenceFolder('seas5-burrishoole-feb');

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const rows: string[] = [];
afterAll(() => {
  const head = [
    'horizons',
    'variable',
    'joined by',
    'overlap',
    'jump',
    'variance ratio',
    'rank correlation across',
    'inside',
  ];
  console.log([`| ${head.join(' | ')} |`, '|---|---|---|---|---|---|---|---|', ...rows].join('\n'));
});

const VARIABLES = { temp_mean: 't2m_degC', precipitation: 'precip_mm' } as const;
type Slug = keyof typeof VARIABLES;

/**
 * Days of a run, its members in the order given: the `count` days from `first` on, counted from 0, dated from `date`
 * on.
 */
function daysOfRun(
  folder: string,
  slug: Slug,
  [first, count]: [number, number],
  order?: number[],
  date?: string,
): Table {
  const csv = readReferenceCsv(join(folder, `${VARIABLES[slug]}_members_daily.csv`));
  const names = csv.names.filter((name) => name !== 'date');
  const run = (order ?? [...names.keys()]).map((m): [string, number[]] => [
    names[m],
    csv.numbers(names[m]).slice(first, first + count),
  ]);
  const start = date ?? csv.text('date')[first];
  return table({ date: daysFrom(start, count), ...Object.fromEntries(run) }, { variable: slug });
}

/** Joins horizons of both variables, paired by temperature, and notes the reports. */
function joined(title: string, tablesOf: (slug: Slug) => Table[], options: BlendOptions) {
  const pairing = pairMembers(core, tablesOf('temp_mean'), { ...options, also: [tablesOf('precipitation')] });
  const join = (slug: Slug, units: string) => {
    const timeline = blend(core, tablesOf(slug), { pairing });
    const [report] = seamReport(timeline);
    rows.push(line(title, slug, options.method ?? 'field', report, units));
    return { timeline, report };
  };
  return { temperature: join('temp_mean', '°C'), rain: join('precipitation', 'mm') };
}

function line(title: string, slug: Slug, method: string, report: SeamReport, units: string): string {
  const { overlapDays, jump, varianceRatio, correlationAcross, correlationInside } = report;
  const jumpText = `${jump < 0 ? '−' : '+'}${Math.abs(jump).toFixed(2)} ${units}`;
  const numbers = [varianceRatio, correlationAcross, correlationInside].map((x) => x.toFixed(2).replace('-', '−'));
  return `| ${[title, slug, method, `${overlapDays} days`, jumpText, ...numbers].join(' | ')} |`;
}

describe.skipIf(gefs === undefined)(
  'one run of 31 members, cut into two horizons, the members of the later one shuffled',
  () => {
    const folder = gefs as string;
    const order = shuffled(31, 2022);
    const horizons = (slug: Slug) => [daysOfRun(folder, slug, [0, 15]), daysOfRun(folder, slug, [5, 30], order)];
    const whole = (slug: Slug) => Object.values(membersOf(daysOfRun(folder, slug, [0, 35])));

    it('is found again: each member continues as itself, and the timelines of all variables are the run, to the last bit', () => {
      const { temperature, rain } = joined('GEFS, one run cut in two', horizons, { method: 'field' });
      const itself = [...temperature.timeline.pairing.seams[0].member].filter((later, m) => order[later] === m);
      expect(itself.length).toBe(31);
      expect(Object.values(membersOf(temperature.timeline.table))).toEqual(whole('temp_mean'));
      expect(Object.values(membersOf(rain.timeline.table))).toEqual(whole('precipitation'));
      for (const { report } of [temperature, rain]) {
        expect(report.jump).toBeCloseTo(0, 12);
        expect(report.varianceRatio).toBeCloseTo(1, 12);
        expect(report.distinctMembers).toBe(31);
      }
      expect(temperature.report.correlationAcross).toBeGreaterThan(0.3);
    });

    it('is found again by rain only where it rained: dry members are paired by index', () => {
      const pairing = pairMembers(core, horizons('precipitation'));
      const totals = whole('precipitation').map((values) => values[12] + values[13] + values[14]);
      const isAlone = (m: number) => totals.filter((total) => total === totals[m]).length === 1;
      const itself = [...pairing.seams[0].member].flatMap((later, m) => (order[later] === m ? [m] : []));
      const wet = totals.flatMap((_, m) => (isAlone(m) ? [m] : []));
      expect(wet.length).toBeGreaterThan(10);
      expect(wet.filter((m) => !itself.includes(m))).toEqual([]);
    });

    it('is lost by splice, which joins each member to the one with its index', () => {
      const { temperature } = joined('GEFS, one run cut in two', horizons, { method: 'splice' });
      const itself = [...temperature.timeline.pairing.seams[0].member].filter((later, m) => order[later] === m);
      expect(itself.length).toBeLessThan(5);
      expect(temperature.report.jump).toBeCloseTo(0, 12);
    });
  },
);

describe.skipIf(seas5 === undefined)('the runs of two years, the later dated back by a year, as neighbours', () => {
  const folder = (year: number) => join(seas5 as string, String(year));
  const horizons = (slug: Slug) => [
    daysOfRun(folder(2018), slug, [0, 60]),
    daysOfRun(folder(2019), slug, [0, 200], undefined, '2018-02-01'),
  ];

  it('are joined with persistence within 0.1 of that inside, of rain, too, which follows; splice loses it', () => {
    const options = { overlaps: [7] };
    const ranked = joined('SEAS5, 2018 and 2019', horizons, { ...options, method: 'field' });
    const spliced = joined('SEAS5, 2018 and 2019', horizons, { ...options, method: 'splice' });
    expect(ranked.temperature.timeline.field.days).toBe(200);
    expect(spliced.temperature.report.jump).toBe(ranked.temperature.report.jump);
    for (const slug of ['temperature', 'rain'] as const) {
      const [{ report }, { report: cut }] = [ranked[slug], spliced[slug]];
      expect(Math.abs(report.correlationAcross - report.correlationInside)).toBeLessThan(0.1);
      expect(cut.correlationAcross).toBeLessThan(0);
      expect(cut.correlationInside).toBeGreaterThan(0.5);
    }
  });
});
