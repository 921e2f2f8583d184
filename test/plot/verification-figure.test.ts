import { beforeAll, describe, expect, it } from 'vitest';
import { DataError, OptionError } from '../../src/errors.js';
import { verificationFigure } from '../../src/plot/index.js';
import { textWidth } from '../../src/plot/text-size.js';
import { binomialRange } from '../../src/plot/verification/binomial-range.js';
import {
  type GroupLabels,
  type GroupScores,
  loadSkill,
  type Skill,
  Verification,
  type VerifiedCases,
  verificationScores,
  verificationTable,
} from '../../src/skill/index.js';
import { normal, randomValues } from '../skill/random-cases.js';
import { elementsOf } from './read-svg.js';

let skill: Skill;
beforeAll(async () => {
  skill = await loadSkill();
});

const about = {
  ...{ variable: 'precipitation', units: 'mm', granularity: 'weekly', window: 'sum', by: ['lead'], lead_unit: 'weeks' },
  ...{ against: 'climatology', reference: '1993-2016', block: 'year' },
};

/** Cases in years: members scatter around a signal that loses itself with `noise`. */
function casesOf(
  seed: number,
  noise: number,
  labels: GroupLabels,
  { count = 120, members = 9, shift = 0 } = {},
): VerifiedCases {
  const random = randomValues(seed);
  const signal = Float64Array.from({ length: count }, () => normal(random));
  const around = (spread: number) => Float64Array.from(signal, (value) => value + spread * normal(random));
  const blocks = 12;
  return {
    members: Array.from({ length: members }, () => around(noise).map((value) => value + shift)),
    observations: around(0.4),
    reference: Array.from({ length: 12 }, () => Float64Array.from({ length: count }, () => normal(random))),
    climate: new Map([1 / 3, 2 / 3].map((p) => [p, new Float64Array(count).fill(p < 0.5 ? -0.46 : 0.46)])),
    group: Array.from({ length: count }, (_, i) => i % blocks),
    groups: Array.from({ length: blocks }, (_, block) => ({ labels, block })),
  };
}

function byLead(leads = [0, 1, 2, 3], options = {}): Verification {
  const verification = new Verification(skill, { conditions: ['>1'], categories: 3, ...options });
  leads.forEach((lead, i) => {
    verification.add(casesOf(i + 1, 0.5 + 0.7 * i, { lead }));
  });
  return verification;
}

/** Points of the only path of a class, or of one after another. */
function pathsOf(svg: string, className: string): string[] {
  return elementsOf(svg, 'path', className).map(({ attributes }) => attributes.d);
}

/** The first points of parts of a path. */
function startsOf(d: string): [number, number][] {
  return [...d.matchAll(/M(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

function pointsOf(d: string): [number, number][] {
  return [...d.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

/** The pixels of the axes of the first panel: its frame is the last part of the path of its grid. */
function frameOf(svg: string, which = 0) {
  const grid = pathsOf(svg, 'grid')[which];
  const [, left, top, right, bottom] = /M([\d.]+),([\d.]+)H([\d.]+)V([\d.]+)H[\d.]+Z$/.exec(grid)?.map(Number) ?? [];
  return { left, top, right, bottom };
}

const near = (values: readonly number[], expected: readonly number[], digits: number) => {
  expect(values.length).toBe(expected.length);
  values.forEach((value, i) => {
    expect(Math.abs(value - expected[i]), `${i}: ${value}, ${expected[i]}`).toBeLessThan(digits);
  });
};

describe('the range of a share', () => {
  it('has at most (1 - level) / 2 of the binomial distribution on each side, and one more step would not', () => {
    for (const [count, p, level] of [
      [10, 0.3, 0.9],
      [1, 0.5, 0.9],
      [200, 0.04, 0.8],
      [31, 0.97, 0.5],
      [50_000, 1 / 52, 0.9],
    ]) {
      // Logarithms of the factorials, summed.
      const logs = [0];
      for (let i = 1; i <= count; i++) logs.push(logs[i - 1] + Math.log(i));
      const mass = (k: number) =>
        Math.exp(logs[count] - logs[k] - logs[count - k] + k * Math.log(p) + (count - k) * Math.log(1 - p));
      const masses = Array.from({ length: count + 1 }, (_, k) => mass(k));
      const quantile = (share: number) => {
        let sum = 0;
        for (let k = 0; k <= count; k++) {
          sum += masses[k];
          if (sum > share) return k / count;
        }
        return 1;
      };
      const [low, high] = binomialRange(count, p, level);
      expect(low).toBeCloseTo(quantile((1 - level) / 2), 12);
      masses.reverse();
      expect(high).toBeCloseTo(1 - quantile((1 - level) / 2), 12);
    }
  });

  it('is the probability itself where nothing is left to chance', () => {
    expect([binomialRange(10, 0, 0.9), binomialRange(10, 1, 0.9), binomialRange(0.2, 0.5, 0.9)]).toEqual([
      [0, 0],
      [1, 1],
      [0.5, 0.5],
    ]);
  });
});

describe('a reliability diagram', () => {
  it('has the points of the table, and bars of the share of cases', () => {
    const verification = byLead();
    const svg = verificationFigure({ verification, about }, { events: ['above'] });
    const [{ events, cases }] = verificationScores(verification, { by: [] });
    const { reliability } = events.find(({ event }) => event === 'above') as GroupScores['events'][number];
    const { left, top, right, bottom } = frameOf(svg);
    const points = pointsOf(pathsOf(svg, 'median').at(-1) as string);
    near(
      points.map(([x]) => (x - left) / (right - left)),
      reliability.map(({ probability }) => probability),
      0.001,
    );
    near(
      points.map(([, y]) => (bottom - y) / (bottom - top)),
      reliability.map(({ observed }) => observed),
      0.001,
    );
    expect(svg).toContain(`${cases} cases`);
    // The heights of bars are shares of all cases: the axis ends at the number beside it.
    const bars = [...pathsOf(svg, 'shade2')[0].matchAll(/M[\d.]+,([\d.]+)V([\d.]+)/g)];
    const frame = frameOf(svg, 1);
    const most = Math.max(...reliability.map((point) => point.cases)) / cases;
    const end = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1].find((share) => share >= most) as number;
    const heights = bars.map(([, from, to]) => ((Number(from) - Number(to)) / (frame.bottom - frame.top)) * end);
    near(
      heights,
      reliability.map((point) => point.cases / cases),
      0.003,
    );
  });

  it('pools many probabilities into tenths, at the mean of their forecasts', () => {
    const verification = new Verification(skill, { conditions: ['>0'] });
    verification.add(casesOf(3, 1, { lead: 0 }, { count: 400, members: 40 }));
    const svg = verificationFigure({ verification, about });
    const [{ events }] = verificationScores(verification, { by: [] });
    const { left, top, right, bottom } = frameOf(svg);
    const points = pointsOf(pathsOf(svg, 'median').at(-1) as string);
    const tenths = Array.from({ length: 10 }, (_, k) =>
      events[0].reliability.filter(
        ({ probability }) => Math.min(9, Math.floor(Math.round(probability * 40) / 4)) === k,
      ),
    ).filter((own) => own.length > 0);
    const mean = (own: (typeof tenths)[number], of: 'probability' | 'observed') =>
      own.reduce((sum, point) => sum + point.cases * point[of], 0) / own.reduce((sum, point) => sum + point.cases, 0);
    near(
      points.map(([x]) => (x - left) / (right - left)),
      tenths.map((own) => mean(own, 'probability')),
      0.001,
    );
    near(
      points.map(([, y]) => (bottom - y) / (bottom - top)),
      tenths.map((own) => mean(own, 'observed')),
      0.001,
    );
  });

  it('says events in words, with the Brier skill and how often they happened', () => {
    const svg = verificationFigure({ verification: byLead(), about });
    for (const text of ['more than 1 mm', 'below normal', 'near normal', 'above normal'])
      expect(svg).toContain(`>${text}<`);
    expect(svg).toMatch(/Brier skill 0\.\d+ · reliability [\d.]+/);
    expect(svg).toContain('leads 0 to 3 weeks · 480 cases · starts of 12 years · against climatology 1993-2016');
    expect(svg).toContain('Reliability of probabilities: precipitation, weekly sums');
  });
});

it('a rank histogram has the counts and the tests of the table', () => {
  const verification = byLead();
  const svg = verificationFigure({ verification, about }, { figure: 'ranks' });
  const [{ ranks, cases }] = verificationScores(verification, { by: [] });
  const bars = [...pathsOf(svg, 'shade2')[0].matchAll(/M([\d.]+),([\d.]+)V([\d.]+)/g)];
  const expected = cases / 10;
  const { bottom } = frameOf(svg);
  const [, level] = pointsOf(pathsOf(svg, 'axis').at(-1) as string)[0];
  const heights = bars.map(([, , from, to]) => ((Number(from) - Number(to)) / (bottom - level)) * expected);
  near(heights, ranks[0].counts, 0.6);
  expect(svg).toContain(`χ² ${Number(ranks[0].chiSquare.toFixed(2))} with 9 degrees of freedom`);
  const [low, high] = binomialRange(cases, 0.1, 0.9);
  const band = pathsOf(svg, 'climate')[0]
    .match(/[\d.]+/g)
    ?.map(Number) as number[];
  near([(bottom - band[1]) / (bottom - level), (bottom - band[3]) / (bottom - level)], [high / 0.1, low / 0.1], 0.01);
});

it('ROC curves have the points of the table, and their areas beside their names', () => {
  const verification = byLead();
  const svg = verificationFigure({ verification, about }, { figure: 'roc', events: ['>1', 'above'] });
  const [{ events, scores }] = verificationScores(verification, { by: [] });
  const { left, top, right, bottom } = frameOf(svg);
  for (const [name, event, className] of [
    ['more than 1 mm', '>1', 'members single'],
    ['above normal', 'above', 'mean'],
  ]) {
    const { roc } = events.find((one) => one.event === event) as GroupScores['events'][number];
    const points = pointsOf(pathsOf(svg, className)[0]);
    near(
      points.map(([x]) => (x - left) / (right - left)),
      roc.map(({ falseAlarmRate }) => falseAlarmRate),
      0.001,
    );
    near(
      points.map(([, y]) => (bottom - y) / (bottom - top)),
      roc.map(({ hitRate }) => hitRate),
      0.001,
    );
    const area = scores.find((one) => one.score === 'roc_area' && one.of === event)?.value as number;
    expect(svg).toContain(`>${name} ${area.toFixed(2)}<`);
  }
});

describe('a score by lead', () => {
  const verified = () => ({ verification: byLead(), about });

  it('has skill with intervals, and full points where the table says that it is significant', () => {
    const options = { confidence: 0.9, samples: 200 };
    const svg = verificationFigure(verified(), { figure: 'skill', ...options });
    const rows = verificationTable(verified(), options)
      .toArray()
      .filter(({ score }) => score === 'crps');
    const points = pointsOf(pathsOf(svg, 'median').find((d) => d.includes('L')) as string);
    const [first, last] = [points[0], points[3]];
    // Skill lies on a line of pixels, and so do the ends of intervals.
    const value = (y: number) =>
      rows[0].skill + ((y - first[1]) / (last[1] - first[1])) * (rows[3].skill - rows[0].skill);
    near(
      points.map(([, y]) => value(y)),
      rows.map(({ skill: own }) => own),
      0.006,
    );
    const band = pointsOf(pathsOf(svg, 'shade0')[0]);
    near(
      band.map(([, y]) => value(y)),
      [...rows.map((row) => row.skill_high), ...rows.map((row) => row.skill_low).reverse()],
      0.006,
    );
    expect(rows.some(({ significant }) => significant) && rows.some(({ significant }) => !significant)).toBe(true);
    const full = startsOf(pathsOf(svg, 'wet-above').at(-1) as string).map(([x]) => Math.round(x + 3.5));
    const at = points.map(([x]) => Math.round(x));
    expect(full).toEqual(at.filter((_, i) => rows[i].significant));
  });

  it('shows a score that has no skill beside the one of the reference, with its unit', () => {
    const svg = verificationFigure(verified(), { figure: 'skill', score: 'rmse' });
    expect(svg).toContain('Root mean square error by lead');
    expect(svg).toContain('Root mean square error (mm)');
    expect(pathsOf(svg, 'mean').some((d) => d.includes('L'))).toBe(true);
  });

  it('has a panel for each of the other labels', () => {
    const verification = new Verification(skill);
    for (const [i, season] of ['DJF', 'JJA'].entries())
      for (const lead of [0, 1]) verification.add(casesOf(i + 9, 1, { lead, season }));
    const svg = verificationFigure({ verification, about }, { figure: 'skill' });
    expect(elementsOf(svg, 'text', 'heading').map(({ text }) => text)).toEqual(['DJF', 'JJA']);
  });
});

describe('a map of skill', () => {
  const places = [0, 1, 2, 3].flatMap((row) =>
    [0, 1, 2, 3].map((column) => ({ latitude: 50 + row, longitude: 5 + column })),
  );
  const byPlace = () => {
    const verification = new Verification(skill);
    places.forEach((labels, i) => {
      verification.add(casesOf(i + 20, i < 8 ? 0.5 : 3, labels));
    });
    return { verification, about: { ...about, by: ['place'] } };
  };

  it('has dots at the places whose skill the table says is significant', () => {
    const options = { confidence: 0.9, samples: 200 };
    const svg = verificationFigure(byPlace(), { figure: 'map', coastlines: 'none', ...options });
    const rows = verificationTable(byPlace(), options)
      .toArray()
      .filter(({ score }) => score === 'crps');
    const marked = rows.filter(({ significant }) => significant);
    expect(marked.length > 0 && marked.length < 16).toBe(true);
    const dots = startsOf(pathsOf(svg, 'dots')[0]);
    const frame = elementsOf(svg, 'rect', 'frame')[0].attributes;
    // Cells reach half a degree beyond the places.
    const degrees = dots.map(([x, y]) => [53.5 - (4 * y) / Number(frame.height), 4.5 + (4 * x) / Number(frame.width)]);
    const expected = marked.map(({ latitude, longitude }) => `${latitude} ${longitude}`);
    expect(degrees.map(([lat, lon]) => `${Math.round(lat)} ${Math.round(lon)}`).sort()).toEqual(expected.sort());
    expect(svg).toContain('Skill of the CRPS: precipitation, weekly sums');
    expect(svg).toContain('dots: significant (at most 10 % of them by chance)');
    // All of it fits on a phone.
    const narrow = verificationFigure(byPlace(), { figure: 'map', coastlines: 'none', width: 360, ...options });
    expect(narrow).not.toContain('…');
    const [units] = elementsOf(narrow, 'text').filter(({ text }) => text.startsWith('skill (1'));
    expect(Number(units.attributes.x) + textWidth(units.text, 11)).toBeLessThanOrEqual(350);
  });

  it('has no dots where nothing was tested', () => {
    expect(verificationFigure(byPlace(), { figure: 'map', coastlines: 'none' })).not.toMatch(/class="dots|dots:/);
  });
});

it('several verifications are panels with what each is of', () => {
  const all = ['short-term', 'seasonal'].map((horizon) => ({
    verification: byLead([0, 1]),
    about: { ...about, horizon },
  }));
  const svg = verificationFigure(all, { figure: 'skill' });
  expect(elementsOf(svg, 'text', 'heading').map(({ text }) => text)).toEqual(['short-term', 'seasonal']);
  expect(svg).toContain('>Skill of the CRPS by lead: precipitation, weekly sums<');
});

it('all texts of all figures are at least 11 pixels high and within 360 pixels', () => {
  const long = { ...about, variable: 'potential_evapotranspiration_of_grass' };
  for (const figure of ['reliability', 'ranks', 'roc', 'skill']) {
    const svg = verificationFigure(
      { verification: byLead(), about: long },
      { figure, width: 360, confidence: 0.9, samples: 100 },
    );
    for (const [, attributes, text] of svg.matchAll(/<text ([^>]*)>([^<]*)</g)) {
      const size = Number(/font-size="([\d.]+)"/.exec(attributes)?.[1] ?? 11);
      const x = Number(/ ?x="(-?[\d.]+)"/.exec(attributes)?.[1]);
      expect(size).toBeGreaterThanOrEqual(11);
      if (!attributes.includes('class="axis"') && /class="(title|soft|heading)/.test(attributes) && x === 10)
        expect(x + textWidth(text, size), text).toBeLessThanOrEqual(352);
    }
    expect(Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1])).toBe(360);
  }
});

describe('what cannot be drawn', () => {
  const draw = (options: object, verification = byLead()) => verificationFigure({ verification, about }, options);

  it.each([
    [{ figure: 'pie' }, 'figure: unknown; received "pie"'],
    [{ events: ['wet'] }, 'events: is not in it; received "wet"; allowed: >1, below, normal, above'],
    [{ events: [] }, 'events'],
    [{ figure: 'skill', score: 'crpss' }, 'score: is not in it; received "crpss"; allowed: bias'],
    [{ figure: 'skill', score: 'brier' }, 'events: choose one, of which brier is shown'],
    [{ figure: 'skill', by: [] }, 'by: lead is missing'],
    [{ figure: 'map' }, 'by: place is missing'],
    [{ by: ['season'] }, 'by: is no label'],
    [{ width: 10 }, 'width'],
    [{ colour: 'red' }, 'unknown option'],
  ])('%o is an error in words', (options, message) => {
    expect(() => draw(options)).toThrow(OptionError);
    expect(() => draw(options)).toThrow(message);
  });

  it('events of a verification without any', () => {
    const verification = new Verification(skill);
    verification.add(casesOf(1, 1, {}));
    expect(() => draw({}, verification)).toThrow('is of events, and the verification has none');
  });

  it('nothing, and too many panels', () => {
    expect(() => draw({}, new Verification(skill))).toThrow(DataError);
    const many = byLead(Array.from({ length: 7 }, (_, lead) => lead));
    expect(() => draw({ by: ['lead'] }, many)).toThrow('by: gives 28 panels');
  });
});
