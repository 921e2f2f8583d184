import { Resvg } from '@resvg/resvg-js';
import { Schema, Table } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { version } from '../../package.json';
import { blend } from '../../src/blend/index.js';
import { climatology, climatologyTable } from '../../src/climate/index.js';
import { loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { type MeteogramOptions, meteogram, meteogramText, type PlotPanel } from '../../src/plot/index.js';
import { textWidth } from '../../src/plot/text-size.js';
import { BandReference } from '../../src/statistics/bands/band-reference.js';
import { memberWindows } from '../../src/statistics/member-windows.js';
import { checkStatisticsOptions } from '../../src/statistics/options.js';
import { statistics } from '../../src/statistics/statistics.js';
import { statisticsTable } from '../../src/statistics/statistics-plan.js';
import { ensembleOf } from '../../src/table/rows/read-ensemble.js';
import { daysFrom, table } from '../table/tables.js';
import { elementsOf, linesOf, panelsOf, valueAt } from './read-svg.js';

const core = await loadCore();
const temperature = demoTable('temp_mean', { days: 28, members: 5 });
const rain = demoTable('precipitation', { days: 28, members: 5 });
const history = demoTable('temp_mean', { initDate: 8401, days: 1100, members: 1, seed: 4 });
const reference = { reference: '1993-1995' } as const;

const daily = (ensemble: Table): PlotPanel => ({ ensemble, statistics: statistics(core, ensemble) });
const draw = (panels: PlotPanel | PlotPanel[], options: MeteogramOptions = {}) => {
  const svg = meteogram(panels, { theme: 'light', ...options });
  // Throws where it is not well-formed XML.
  new Resvg(svg);
  return svg;
};
/** An ensemble of given members from 2 March 2026 on, a Monday. */
const members = (...values: (number | null)[][]) => {
  const columns = values.map((each, m) => [`m${m}`, each] as const);
  return table(
    { date: daysFrom('2026-03-02', values[0].length), ...Object.fromEntries(columns) },
    { variable: 'temp_mean' },
  );
};
const textsOf = (svg: string) => elementsOf(svg, 'text').map(({ text }) => text);
const legendOf = (svg: string) => textsOf(svg.slice(0, svg.indexOf('<g transform')));

/** A result with bands of sampling error, as commands write them. */
function withBands(ensemble: Table, quantiles: readonly number[], granularity: 'daily' | 'weekly'): Table {
  const options = checkStatisticsOptions({ quantiles: [...quantiles], granularity });
  const read = ensembleOf(ensemble, options);
  return statisticsTable(core, read, options, new BandReference(core, read, options, { level: 0.8 }));
}

describe('bands of sampling error', () => {
  const many = demoTable('temp_mean', { days: 28, members: 31 });

  it.each([
    ['daily', [0.25, 0.5, 0.75]],
    ['weekly', [0.25, 0.5, 0.75]],
  ] as const)('%s, of quantiles %s, lie where those of the median do', (granularity, quantiles) => {
    const result = withBands(many, quantiles, granularity);
    const svg = draw({ statistics: result }, { width: 900 });
    expect(legendOf(svg)).toContain('sampling error of the median, 80 %');
    const [panel] = panelsOf(svg);
    const toValue = valueAt(panel);
    const path = /class="sampling"[^>]* d="([^"]+)"/.exec(svg)?.[1] ?? '';
    const heights = [...path.matchAll(/(?:[ML][-\d.]+,|V)([-\d.]+)/g)].map(([, y]) => toValue(Number(y)));
    const ends = ['low', 'high'].map((end) => [...(result.getChild(`q50_${end}`) as Iterable<number>)]);
    expect(Math.min(...heights)).toBeCloseTo(Math.min(...ends[0]), 1);
    expect(Math.max(...heights)).toBeCloseTo(Math.max(...ends[1]), 1);
    // Lines and dots lie over the band.
    const over = ['median', granularity === 'daily' ? 'mean' : 'mean-dot'].map((kind) =>
      panel.indexOf(`class="${kind}"`),
    );
    expect(Math.min(...over)).toBeGreaterThan(panel.indexOf('class="sampling"'));
    for (const end of ends.flat()) expect(heights.some((height) => Math.abs(height - end) < 0.06)).toBe(true);
  });

  it('are not there where a result has none, or an end is beyond the members', () => {
    for (const result of [
      statistics(core, many),
      withBands(many, [0.25, 0.75], 'daily'),
      withBands(members([1, 2], [2, 3]), [0.5], 'daily'),
    ])
      expect(draw({ statistics: result })).not.toContain('class="sampling"');
  });
});

describe('meteogram', () => {
  it('draws the pinned picture of a plume, a fan and weekly boxes', async () => {
    const panels = [
      daily(demoTable('temp_mean', { days: 10, members: 3 })),
      {
        ensemble: memberWindows(core, rain, { granularity: 'weekly' }),
        statistics: statistics(core, rain, { granularity: 'weekly' }),
      },
    ];
    const svg = draw(panels as PlotPanel[], { title: 'A title', theme: 'auto', width: 500 });
    await expect(svg.replace(`plumecast ${version}`, 'plumecast VERSION')).toMatchFileSnapshot('meteogram.svg');
    expect(meteogram(panels as PlotPanel[], { title: 'A title', theme: 'auto', width: 500 })).toBe(svg);
  });

  it('puts median, mean, members and bands at their values and days', () => {
    const result = statistics(core, temperature);
    const svg = draw(daily(temperature));
    const [panel] = panelsOf(svg);
    const toValue = valueAt(panel);
    const column = (name: string) => [...(result.getChild(name) as Iterable<number>)];
    const valuesIn = (className: string) =>
      linesOf(elementsOf(panel, 'path', className)[0].attributes.d).map((line) => line.map(([, y]) => toValue(y)));
    const near = (found: number[], expected: number[]) => {
      expect(found).toHaveLength(expected.length);
      found.forEach((value, i) => {
        expect(Math.abs(value - expected[i])).toBeLessThan(0.02);
      });
    };
    near(valuesIn('median')[0], column('q50'));
    near(valuesIn('mean')[0], column('mean'));
    near(valuesIn('band shade0')[0], [...column('q95'), ...column('q05').reverse()]);
    near(valuesIn('band shade2')[0], [...column('q75'), ...column('q25').reverse()]);
    const lines = valuesIn('members');
    expect(lines).toHaveLength(5);
    lines.forEach((line, m) => {
      near(line, [...(temperature.getChild(`member_0${m}`) as Iterable<number>)]);
    });
    const [line] = linesOf(elementsOf(panel, 'path', 'median')[0].attributes.d);
    const steps = line.slice(1).map(([x], i) => x - line[i][0]);
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(0.21);
  });

  it('draws weeks and months as boxes: whiskers, a box, the median and a dot for the mean in each', () => {
    const result = statistics(core, rain, { granularity: 'weekly' });
    const [panel] = panelsOf(draw({ statistics: result }));
    const toValue = valueAt(panel);
    const pathsOf = (className: string) =>
      elementsOf(panel, 'path', className)[0].attributes.d.split('M').filter(Boolean);
    const boxes = pathsOf('band shade2');
    // Each whisker is a stem and two ends.
    expect([boxes.length, pathsOf('whisker').length, pathsOf('median').length]).toEqual([4, 12, 4]);
    const column = (name: string) => [...(result.getChild(name) as Iterable<number>)];
    boxes.forEach((d, i) => {
      const [, top, bottom] = (/^[\d.]+,([\d.]+)H[\d.]+V([\d.]+)H[\d.]+Z$/.exec(d) ?? []).map(Number);
      expect(Math.abs(toValue(top) - column('q75')[i])).toBeLessThan(0.1);
      expect(Math.abs(toValue(bottom) - column('q25')[i])).toBeLessThan(0.1);
    });
    const heightsOf = (className: string) => pathsOf(className).map((d) => Number(/,([\d.]+)/.exec(d)?.[1]));
    for (const [className, name] of [
      ['median', 'q50'],
      ['mean-dot', 'mean'],
    ]) {
      heightsOf(className).forEach((y, i) => {
        expect(Math.abs(toValue(y) - column(name)[i])).toBeLessThan(0.1);
      });
    }
  });

  it('says of windows that do not have all their days how many they have, and describes the days that there are', () => {
    // Wednesday to Tuesday after next.
    const some = table(
      { date: daysFrom('2026-03-04', 14), m0: Array(14).fill(1), m1: Array(14).fill(2) },
      { variable: 'temp_mean' },
    );
    const weeks = statistics(core, some, { granularity: 'weekly', partial: true });
    const svg = draw({ statistics: weeks });
    const texts = elementsOf(svg, 'text', 'soft partial');
    expect(texts.map(({ text }) => text)).toEqual(['5 of 7 days', '2 of 7 days']);
    expect(Number(texts[1].attributes.x)).toBeGreaterThan(Number(texts[0].attributes.x));
    expect(elementsOf(svg, 'desc')[0].text).toContain(
      'weekly means, 2026-03-04 to 2026-03-17, 5 of 7 days from 2026-03-02, 2 of 7 days from 2026-03-16',
    );
    expect(meteogramText({ statistics: weeks }).split('\n')[0]).toContain('5 of 7 days from 2026-03-02');
    const whole = draw({ statistics: statistics(core, some, { granularity: 'weekly' }) });
    expect(elementsOf(whole, 'text', 'soft partial')).toEqual([]);
    expect(elementsOf(whole, 'desc')[0].text).toContain('2026-03-09 to 2026-03-15');
  });

  it('leaves gaps where values are missing, and shows a value between two gaps', () => {
    const [panel] = panelsOf(draw(daily(members([1, 2, null, 4, null, 6, 7], [2, 3, null, 5, null, 7, 8]))));
    const lines = linesOf(elementsOf(panel, 'path', 'median')[0].attributes.d);
    expect(lines.map(({ length }) => length)).toEqual([2, 2, 2]);
    // A short level line, which is seen where a dot of a thin line is not.
    const [[fromX, fromY], [toX, toY]] = lines[1];
    expect([toX - fromX, toY - fromY]).toEqual([4, 0]);
    const bands = elementsOf(panel, 'path', 'band shade0')[0].attributes.d.split('M').filter(Boolean);
    expect(bands).toHaveLength(3);
    const [left, right] = bands[1].match(/[\d.]+(?=,)/g) as string[];
    expect(Number(right) - Number(left)).toBeGreaterThan(10);
  });

  it('draws an ensemble of one as one line', () => {
    const svg = draw({ ensemble: members([1, 3, 2]) });
    expect(legendOf(svg)).toEqual(['values']);
    expect(textsOf(svg).join()).toContain('1 member ·');
    // Its statistics of the same windows are its own values; those of other windows are not.
    expect(legendOf(draw(daily(members([1, 3, 2]))))).toEqual(['values']);
    const weeks = statistics(core, history, { granularity: 'weekly' });
    expect(legendOf(draw({ ensemble: history, statistics: weeks }))).toContain('median');
    expect(legendOf(draw(daily(members([1, 3, 2], [1, 3, 2]))))).toContain('median');
    // A control run over the statistics of an ensemble.
    const others = statistics(core, members([1, 3, 2], [5, 4, 9]));
    expect(legendOf(draw({ ensemble: members([1, 3, 2]), statistics: others }))).toEqual(
      expect.arrayContaining(['values', 'median', 'mean']),
    );
  });

  it('has an axis around values that are all the same, and none below 0 for no rain', () => {
    expect(textsOf(panelsOf(draw({ ensemble: members([4, 4, 4]) }))[0])).toContain('4.0');
    const dry = table({ date: daysFrom('2026-03-02', 2), m0: [0, 0], m1: [0, 0] }, { variable: 'precipitation' });
    expect(textsOf(panelsOf(draw({ ensemble: dry }))[0])).not.toContain('\u22120.5');
  });

  it('says so where all values are missing', () => {
    const svg = draw([daily(members([null, null], [null, null])), daily(temperature)]);
    expect(textsOf(svg)).toContain('all values are missing');
    expect(svg).toContain('2 members: all values are missing.');
  });

  it('draws shares below, near and above normal as bars of statistics against a climatology', () => {
    const normal = climatology(core, history, { ...reference, granularity: 'weekly' });
    const compared = statistics(core, temperature, { climatology: normal });
    const svg = draw({ statistics: compared });
    expect(legendOf(svg)).toEqual(
      expect.arrayContaining(['share below normal', 'share near normal', 'share above normal']),
    );
    const [panel] = panelsOf(svg);
    const rows = compared.toArray();
    expect(textsOf(panel)).toEqual(expect.arrayContaining(['0 %', '33 %', '67 %', '100 %']));
    const bars = ['below', 'normal', 'above'].map((category) => {
      const [{ attributes }] = elementsOf(panel, 'path', `share warm-${category}`);
      return [...attributes.d.matchAll(/M([\d.]+),([\d.]+)V([\d.]+)/g)].map(([, x, low, high]) => ({
        x: Number(x),
        share: (Number(low) - Number(high)) / 44,
      }));
    });
    for (const [k, name] of ['p_below', 'p_normal', 'p_above'].entries()) {
      const shares = rows.map((row) => Number(row[name])).filter((share) => share > 0);
      expect(bars[k].map(({ share }) => share)).toEqual(shares.map((share) => expect.closeTo(share, 2)));
    }
    // Bars are stacked: where one begins, the one before ends.
    const last = rows.length - 1;
    expect(Number(rows[last].p_below) + Number(rows[last].p_normal) + Number(rows[last].p_above)).toBeCloseTo(1);
    expect(draw({ statistics: statistics(core, temperature, { granularity: 'weekly' }) })).not.toContain('"share ');
  });

  it('says the shares on bars that have space for them, and none on others', () => {
    const normal = climatology(core, history, { ...reference, granularity: 'weekly' });
    const compared = statistics(core, temperature, { climatology: normal });
    const percentages = (width: number) =>
      elementsOf(draw({ statistics: compared }, { width }), 'text', 'seam-text').map(({ text }) => text);
    const expected = compared
      .toArray()
      .flatMap((row) => ['p_below', 'p_normal', 'p_above'].map((name) => Number(row[name])))
      .filter((share) => share * 44 >= 12)
      .map((share) => `${Math.round(100 * share)} %`);
    expect(expected.length).toBeGreaterThan(0);
    expect(percentages(4000)).toEqual(expected);
    const ofDays = statistics(core, temperature, { climatology: climatology(core, history, reference) });
    expect(draw({ statistics: ofDays }, { width: 600 })).not.toContain('"seam-text"');
  });

  it('leaves members out on request, and keeps those of a panel that has nothing else', () => {
    const svg = draw(daily(temperature), { members: false });
    expect([svg.includes('class="members"'), svg.includes('class="median"')]).toEqual([false, true]);
    expect(draw({ ensemble: temperature }, { members: false })).toContain('class="members"');
  });

  it('draws rain by day as boxes, as bars from zero, or as bands, and other values by day as bands', () => {
    const days = daily(demoTable('precipitation', { days: 10, members: 9 }));
    const column = (name: string) => [...((days.statistics as Table).getChild(name) as Iterable<number>)];
    const classesIn = (panel: string) => new Set(elementsOf(panel, 'path').map(({ attributes }) => attributes.class));
    const [boxes] = panelsOf(draw(days));
    expect(elementsOf(boxes, 'path', 'whisker')).toHaveLength(1);
    // The lines of members lie below boxes, and above bands.
    expect(boxes.indexOf('class="members"')).toBeLessThan(boxes.indexOf('class="band shade2"'));
    const [bands] = panelsOf(draw(days, { amounts: 'bands' }));
    expect([...classesIn(bands)]).not.toContain('whisker');
    const svg = draw(days, { amounts: 'bars' });
    const [bars] = panelsOf(svg);
    const toValue = valueAt(bars);
    for (const [name, quantile] of [
      ['band shade0', 'q95'],
      ['band shade2', 'q75'],
      ['bar', 'q50'],
    ] as const) {
      const shown = column(quantile).filter((value) => value > 0);
      const drawn = elementsOf(bars, 'path', name)[0].attributes.d.split('M').filter(Boolean);
      expect(drawn.length, name).toBe(shown.length);
      for (const [i, d] of drawn.entries()) {
        const [, top, bottom] = (/^[\d.]+,([\d.]+)H[\d.]+V([\d.]+)H[\d.]+Z$/.exec(d) ?? []).map(Number);
        expect(Math.abs(toValue(top) - shown[i])).toBeLessThan(0.4);
        expect(Math.abs(toValue(bottom))).toBeLessThan(0.8);
      }
    }
    expect(legendOf(svg)).toEqual([
      ...['members', 'median', 'mean', 'up to the 95 % quantile', 'up to the 75 % quantile'],
    ]);
    // Temperatures by day are bands, and days too narrow for boxes, too.
    expect([...classesIn(panelsOf(draw(daily(temperature)))[0])]).not.toContain('whisker');
    const long = daily(demoTable('precipitation', { days: 200, members: 3 }));
    expect([...classesIn(panelsOf(draw(long))[0])]).not.toContain('whisker');
  });

  it('has one entry of the legend for a band of days and the whisker of boxes, with the samples of both', () => {
    const svg = draw([daily(temperature), daily(rain)]);
    const texts = legendOf(svg);
    expect(texts).toEqual([...new Set(texts)]);
    const legend = svg.slice(svg.indexOf('class="background"'), svg.indexOf('<g transform'));
    expect(legend).toMatch(
      /<rect class="shade0"[^>]*\/><path class="whisker"[^>]*\/><text [^>]*>5 to 95 % of members</,
    );
    // The box has the shade of the band of the same quantiles.
    expect(legend.match(/class="shade\d"/g)).toEqual(['class="shade0"', 'class="shade2"']);
  });

  it('is as high as asked for, and panels share the height', () => {
    const heightOf = (svg: string) => Number(/ height="(\d+)"/.exec(svg)?.[1]);
    const panels = [daily(temperature), daily(rain)];
    for (const height of [300, 421, 900]) expect(heightOf(draw(panels, { height }))).toBe(height);
    // Panels have at least 40 pixels.
    expect(heightOf(draw(panels, { height: 120 }))).toBeGreaterThan(180);
    expect(() => meteogram(panels, { height: 100 })).toThrow('height: cannot be used; received 100');
  });

  it('takes its ground and the colour of texts from the page in the theme auto, and is light elsewhere', () => {
    const svg = draw(daily(temperature), { theme: 'auto' });
    const [usual, newer] = svg.split('@supports (color:light-dark(#000,#fff)){');
    expect(newer).toContain('.plumecast-auto .background{fill:var(--plume-background,none)}');
    expect(newer).toContain('.plumecast-auto text{fill:var(--plume-ink,currentColor)}');
    expect(newer).toContain('.plumecast-auto .median{stroke:var(--plume-median,light-dark(#00395e,#e2f3ff))}');
    // A program that knows no such colours has literal ones.
    expect(usual).toContain('.plumecast-auto .background{fill:#ffffff}');
    expect(usual).not.toContain('var(');
    expect(draw(daily(temperature), { theme: 'dark' })).not.toContain('var(');
  });

  it('wraps titles that are wider than the picture', () => {
    const title = 'A chart of a place with a name that does not fit into one line of a phone';
    const texts = textsOf(draw(daily(temperature), { title, width: 360 })).slice(0, 3);
    expect(texts.join(' ')).toContain(title);
    const [first] = textsOf(draw(daily(temperature), { title: 'word '.repeat(200).trim(), width: 360 })).slice(3);
    expect(first).toMatch(/…$/);
  });

  it('fills its box on request, by its view box alone', () => {
    const [root] = draw(daily(temperature), { fill: true, width: 360 }).match(/<svg[^>]*>/) ?? [];
    expect(root).toMatch(/ width="100%" viewBox="0 0 360 \d+"/);
    expect(root).not.toContain('height=');
  });

  it('draws a climatology behind: the span of its quantiles, and terciles', () => {
    const panel = { ...daily(temperature), climatology: climatologyTable(climatology(core, history, reference)) };
    const svg = draw(panel);
    expect(legendOf(svg)).toEqual(expect.arrayContaining(['climatology, 5 to 95 %', 'climatology, terciles']));
    expect(elementsOf(svg, 'path', 'tercile')).toHaveLength(3);
    const [drawn] = panelsOf(svg);
    const [band] = linesOf(elementsOf(drawn, 'path', 'climate')[0].attributes.d);
    expect(band).toHaveLength(2 * 28);
    const normals = new Map(panel.climatology.toArray().map((row) => [String(row.period), Number(row.q05)]));
    const toValue = valueAt(drawn);
    // The lower line of a band is the second half of its path, backwards.
    band
      .slice(28)
      .reverse()
      .forEach(([, y], i) => {
        expect(Math.abs(toValue(y) - (normals.get(`03-${String(2 + i).padStart(2, '0')}`) as number))).toBeLessThan(
          0.02,
        );
      });
    expect(textsOf(svg).join()).toContain('climatology 1993-1995');
  });

  it('marks the seams of a timeline by the days on which members change to the next horizon', () => {
    const horizon = (days: number, seed: number) => demoTable('temp_mean', { days, seed, members: 4 });
    const timeline = blend(core, [horizon(15, 1), horizon(46, 2), horizon(90, 3)]).table;
    const svg = draw([daily(timeline), { statistics: statistics(core, timeline) }]);
    const [first, second] = panelsOf(svg);
    const at = (panel: string) =>
      elementsOf(panel, 'path', 'seam').map(({ attributes }) => Number(/\d+\.?\d*/.exec(attributes.d)));
    expect(at(first)).toEqual(at(second));
    expect(textsOf(first)).toEqual(expect.arrayContaining(['subseasonal →', 'seasonal →']));
    expect(textsOf(first)).toContain('short-term');
    for (const name of ['short-term', 'seasonal →']) expect(textsOf(second)).not.toContain(name);
    expect(elementsOf(first, 'rect', 'overlap')).toHaveLength(2);
    expect(textsOf(svg).filter((text) => text === 'members of both horizons')).toHaveLength(1);
    // Days 12 and 35 of 90: each horizon's overlap is at the end of the one before.
    const [[left], [right]] = [linesOf(elementsOf(first, 'path', 'median')[0].attributes.d)[0]]
      .map((line) => [line[0][0], line[line.length - 1][0]])
      .map(([a, b]) => [[a - (b - a) / 178], [b + (b - a) / 178]])[0];
    expect(at(first).map((x) => Math.round(((x - left) / (right - left)) * 90))).toEqual([12, 35]);
  });

  it('puts the labels of seams below each other where they have no space side by side', () => {
    const horizon = (days: number, seed: number) => demoTable('temp_mean', { days, seed, members: 4 });
    const timeline = blend(core, [horizon(15, 1), horizon(46, 2), horizon(90, 3)]).table;
    const rows = (width: number) =>
      elementsOf(draw({ ensemble: timeline }, { width }), 'text', 'soft seam-text').map(({ text, attributes }) => [
        text,
        Number(attributes.y),
      ]);
    expect(rows(840)).toEqual([
      ['short-term', 12],
      ['subseasonal →', 12],
      ['seasonal →', 12],
    ]);
    expect(rows(320)).toEqual([
      ['subseasonal →', 12],
      ['seasonal →', 26],
    ]);
  });

  it('begins the axis of amounts at 0 where some are below it by rounding', () => {
    const amounts = (least: number) => {
      const columns = { date: daysFrom('2026-03-02', 3), m0: [least, 2, 40], m1: [0, 8, 3] };
      const [panel] = panelsOf(draw({ ensemble: table(columns, { variable: 'precipitation' }) }));
      return elementsOf(panel, 'text').map(({ text }) => text);
    };
    expect(amounts(-1e-9)).toContain('0');
    expect(amounts(-1e-9).join()).not.toContain('−');
    expect(amounts(-5).join()).toContain('−10');
  });

  it('has lines at the ticks of days, and marks between the names of months', () => {
    const svg = draw({ ensemble: demoTable('temp_mean', { days: 90, members: 2 }) });
    const [panel] = panelsOf(svg);
    const [lines] = elementsOf(panel, 'path', 'grid').map(({ attributes }) => attributes.d.match(/,0V/g)?.length);
    // Mondays after the first, which is the edge of the panel.
    expect(lines).toBe(12);
    const marks = elementsOf(svg, 'path', 'grid').at(-1)?.attributes.d;
    expect(marks?.match(/M/g)).toHaveLength(2);
  });

  it('marks the seams that an answer of the service states by variable', () => {
    const short = [{ name: 'short-term', start: '2026-03-02', end: '2026-03-16' }];
    const both = [...short, { name: 'seasonal', start: '2026-03-14', end: '2026-06-01', hand_over: '2026-03-14' }];
    const seams = (horizons: unknown) => {
      const { schema, batches } = temperature;
      const metadata = new Map(schema.metadata).set('horizons', JSON.stringify(horizons));
      const table = new Table(new Schema(schema.fields, metadata), batches);
      return elementsOf(draw({ ensemble: table }), 'path', 'seam').length;
    };
    expect(seams({ temp_mean: both, wind_speed_max: short })).toBe(1);
    expect(seams({ temp_mean: short, wind_speed_max: both })).toBe(0);
    expect(seams({ wind_speed_max: both })).toBe(0);
  });

  it('draws thresholds as lines, and makes space for them', () => {
    const [panel] = panelsOf(draw({ ...daily(temperature), thresholds: [40] }));
    const at = Number(/,([\d.]+)H/.exec(elementsOf(panel, 'path', 'threshold')[0].attributes.d)?.[1]);
    expect(valueAt(panel)(at)).toBeCloseTo(40, 1);
    expect(textsOf(panel)).toContain('40');
  });

  it('names thresholds beside the plot, where they hide no value', () => {
    const thresholds = [-2.5, 1000.25];
    const [panel] = panelsOf(draw({ ...daily(temperature), thresholds }));
    const right = Number(/H([\d.]+)$/.exec(elementsOf(panel, 'path', 'threshold')[0].attributes.d)?.[1]);
    const labels = elementsOf(panel, 'text', 'threshold-text');
    expect(labels.map(({ text }) => text)).toEqual(['−2.5', '1000.25']);
    for (const { text, attributes } of labels) {
      expect(Number(attributes.x)).toBeGreaterThan(right);
      expect(Number(attributes.x) + textWidth(text, 11)).toBeLessThanOrEqual(840);
    }
  });

  it('labels of close thresholds stand apart, in their order, within the panel, each with a line to its own', () => {
    const heightsOf = (thresholds: number[]) => {
      const [panel] = panelsOf(draw({ ...daily(temperature), thresholds }));
      const lines = elementsOf(panel, 'path', 'threshold').map(({ attributes: { d = '' } }) => d);
      const labels = elementsOf(panel, 'text', 'threshold-text').map(
        ({ text, attributes }) => [text, Number(attributes.y)] as const,
      );
      return { lines, labels };
    };
    const { lines, labels } = heightsOf([21, 20, 20.2, 5, 21]);
    expect(labels.map(([text]) => text)).toEqual(['5', '20', '20.2', '21']);
    const gaps = labels.slice(1).map(([, y], i) => labels[i][1] - y);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(11);
    expect(lines).toHaveLength(4);
    // The label of the lonely one is at its height, and the middle of the others at the middle of theirs.
    const at = lines.map((d) => Number(/,([\d.]+)H/.exec(d)?.[1]));
    expect(labels[0][1]).toBeCloseTo(at[0] + 4, 1);
    expect(labels[2][1]).toBeCloseTo((at[1] + at[2] + at[3]) / 3 + 4, 1);
    const ends = lines.map((d) => /L[\d.]+,([\d.]+)$/.exec(d)?.[1]);
    expect(ends).toEqual([undefined, (labels[1][1] - 4).toFixed(1), undefined, (labels[3][1] - 4).toFixed(1)]);
    // At the edge they move into the panel; of too many, only some have labels.
    const edge = heightsOf([-300, -299, -298]).labels.map(([, y]) => y - 4);
    expect(edge).toEqual([150, 138, 126]);
    const many = heightsOf(Array.from({ length: 40 }, (_, i) => i / 10)).labels;
    expect(many.map(([text]) => text)).toEqual(
      ['0.3', '0.7', '1.1', '1.5', '1.9', '2.3', '2.7', '3.1', '3.5', '3.9'].slice(0, many.length),
    );
    expect(many).toHaveLength(10);
  });

  it('says in its caption and description where, when and from what the values are', () => {
    const svg = draw(daily(temperature));
    const caption = elementsOf(svg, 'text', 'soft caption')
      .map(({ text }) => text)
      .join(' · ');
    expect(caption).toBe(
      `37.3° N, 79.84° W · run 2026-03-02 00:00 UTC · seasonal demo-1 · 5 members · plumecast ${version}`,
    );
    expect(svg).toMatch(/role="img" aria-label="Ensemble meteogram: temp mean"/);
    expect(svg).toContain('<title>Ensemble meteogram: temp mean</title>');
    expect(svg).toMatch(
      /<desc>temp mean \(°C\), daily, 2026-03-02 to 2026-03-29, 5 members: values from .+ to .+ °C\.<\/desc>/,
    );
  });

  it('escapes texts of tables and options', () => {
    const attack = '"><script>alert(1)</script>&\u0000\ud800';
    const named = table(
      { date: daysFrom('2026-03-02', 2), m0: [1, 2], m1: [2, 3] },
      { units: attack, version: attack, init_time: attack },
    );
    const svg = draw({ ensemble: named }, { title: attack });
    expect(svg).not.toContain('<script');
    expect(svg).not.toContain('\u0000');
    expect(svg).toContain('&quot;&gt;&lt;script&gt;');
  });

  it('thins lines of many years to what pixels show: extremes stay', () => {
    const days = 40 * 365;
    const values = Array.from({ length: days }, (_, d) => (d === 7000 ? 99 : Math.sin(d / 58)));
    const [panel] = panelsOf(draw({ ensemble: members(values) }));
    const [line] = linesOf(elementsOf(panel, 'path', 'members single')[0].attributes.d);
    expect(line.length).toBeLessThan(4 * 840);
    expect(valueAt(panel)(Math.min(...line.map(([, y]) => y)))).toBeCloseTo(99, 0);
  });

  it('has one axis of days for all panels', () => {
    const later = demoTable('temp_mean', { days: 10, members: 2, initDate: 20_524 });
    const [first, second] = panelsOf(draw([{ ensemble: members([1, 2, 3]) }, { ensemble: later }]));
    const end = (panel: string) => linesOf(elementsOf(panel, 'path', 'grid')[0].attributes.d)[0][0];
    expect(end(first)).toEqual(end(second));
  });

  it('draws days of model calendars', () => {
    const year = table(
      { date: ['2000-02-29', '2000-02-30', '2000-03-01'], m0: [1, 2, 3], m1: [2, 3, 4] },
      { variable: 'temp_mean', calendar: '360_day' },
    );
    const svg = draw(daily(year));
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['29', '30', '1']));
    expect(svg).toContain('2000-02-29 to 2000-03-01');
  });

  it('selects the place of a point', () => {
    const places = [
      { latitude: 10, longitude: 20 },
      { latitude: 10, longitude: 21 },
    ];
    const both = demoTable('temp_mean', { days: 3, members: 2, locations: places });
    const only = demoTable('temp_mean', { days: 3, members: 2, locations: [places[1]] });
    expect(draw({ ...daily(both), point: places[1] })).toBe(draw(daily(only)));
  });

  const several = demoTable('temp_mean', {
    days: 9,
    members: 2,
    locations: [
      { latitude: 1, longitude: 2 },
      { latitude: 1, longitude: 3 },
    ],
  });
  const weekly = (ensemble: Table) => statistics(core, ensemble, { granularity: 'weekly' });
  it.each<[string, PlotPanel | PlotPanel[], MeteogramOptions, string]>([
    ['no panel', [], {}, 'panels: cannot be used; received 0; allowed: 1 to 100 panels'],
    ['a panel of nothing', {}, {}, 'panel: shows nothing; allowed: an ensemble, statistics, or both'],
    [
      'several places',
      daily(several),
      {},
      'panel.ensemble: has several places, and a meteogram is of one; allowed: a table of one place, or the option point',
    ],
    [
      'results of several places',
      { statistics: statistics(core, several) },
      {},
      'panel.statistics: has several places, and a meteogram is of one; allowed: a table of one place, or the option point',
    ],
    [
      'daily amounts with weekly sums',
      { ensemble: rain, statistics: weekly(rain) },
      {},
      'panel: sums over windows of different lengths have no common scale; received "weekly, daily"; allowed: tables of one granularity, and members of the same windows',
    ],
    [
      'two variables',
      [{ ensemble: rain, statistics: statistics(core, temperature) }],
      {},
      'panel: tables of another variable; received "precipitation"; allowed: temp_mean',
    ],
    [
      'an ensemble as statistics',
      { statistics: rain },
      {},
      'panel.statistics: not statistics; received "latitude, longitude, date, member_00, member_01, member_0..."; allowed: a result of statistics: columns start and end, and mean or quantiles such as q50',
    ],
    [
      'no rows',
      { statistics: weekly(temperature).slice(0, 0) },
      {},
      'panel: no windows to show; allowed: tables with at least one row',
    ],
    [
      'an infinite value',
      { ensemble: members([1, Number.POSITIVE_INFINITY]) },
      {},
      'panel.ensemble, row 2, column m0: infinite value; received Infinity; allowed: finite numbers; NaN or null is missing',
    ],
    [
      'a climatology of another variable',
      { ensemble: rain, climatology: climatologyTable(climatology(core, history, reference)) },
      {},
      'climatology: is of another variable; received "temp_mean"; allowed: precipitation',
    ],
    [
      'rows that come twice',
      {
        statistics: table({
          period: ['a', 'b'],
          start: ['2026-03-02', '2026-03-02'],
          end: ['2026-03-02', '2026-03-02'],
          mean: [1, 2],
        }),
      },
      {},
      'panel.statistics: periods that overlap; received "2026-03-02 to 2026-03-02"; allowed: one row for each period of a place',
    ],
    [
      'a width of nothing',
      { ensemble: rain },
      { width: 0 },
      'width: cannot be used; received 0; allowed: a whole number of pixels from 240 to 10000',
    ],
    [
      'an unknown theme',
      { ensemble: rain },
      { theme: 'pink' as never },
      'theme: unknown; received "pink"; allowed: light, dark, auto',
    ],
  ])('rejects %s', (_, panels, options, message) => {
    expect(() => meteogram(panels, options)).toThrow(message);
  });
});

it('draws so many lines of members that they are an area behind the bands', () => {
  const order = (members: number, days: number) => {
    const ensemble = demoTable('temp_mean', { members, days });
    const svg = meteogram([{ ensemble, statistics: statistics(core, ensemble) }]);
    return svg.indexOf('class="members"') < svg.indexOf('class="band');
  };
  expect([order(31, 180), order(121, 30), order(20, 6000)]).toEqual([false, true, true]);
});

it('leaves out marks that would turn the text after them, and cuts bold titles where they end', () => {
  const ensemble = demoTable('temp_mean', { members: 2, days: 5 });
  const svg = meteogram([{ ensemble }], { title: `\u202Ea\u2066${'x'.repeat(200_000)}` });
  expect(svg).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  const [, title] = />(ax+…)</.exec(svg) ?? [];
  expect(title.length).toBeLessThan(85);
});
