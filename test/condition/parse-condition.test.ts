import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CombinedPart, Condition, ConditionLimit, ConditionPart } from '../../src/condition/condition.js';
import { leavesOf } from '../../src/condition/condition.js';
import { ConditionError } from '../../src/condition/condition-error.js';
import { conditionStatistic, conditionText } from '../../src/condition/condition-text.js';
import { parseCondition } from '../../src/condition/parse-condition.js';
import { parseThreshold } from '../../src/statistics/options.js';
import { statisticName } from '../../src/statistics/statistic.js';
import { isFullCheck } from '../full-check.js';

const above = (limit: ConditionLimit, variable?: string): ConditionPart => ({
  ...{ kind: 'comparison', operator: '>', limit },
  ...(variable !== undefined && { variable }),
});

describe('parseCondition', () => {
  it('reads comparisons as parseThreshold does', () => {
    for (const text of ['>20', ' >= +0.10 ', '<-.5', '<=3.', '>-0']) {
      expect(parseCondition(text)).toEqual({ kind: 'comparison', ...parseThreshold(text) });
    }
  });

  it('reads ranges, also of negative numbers and of quantiles, with both ends', () => {
    expect(parseCondition('5..20')).toEqual({ kind: 'range', from: 5, to: 20 });
    expect(parseCondition(' -5 .. .5 ')).toEqual({ kind: 'range', from: -5, to: 0.5 });
  });

  it('reads quantiles of a climatology', () => {
    expect(parseCondition('>q90')).toEqual(above({ quantile: 0.9 }));
    expect(parseCondition('q025..q975')).toEqual({ kind: 'range', from: { quantile: 0.025 }, to: { quantile: 0.975 } });
  });

  it('reads names of variables, of several words, with a unit, or in quotes', () => {
    expect(parseCondition('precipitation > 5')).toEqual(above(5, 'precipitation'));
    expect(parseCondition('2t>5')).toEqual(above(5, '2t'));
    expect(parseCondition('total precipitation>5')).toEqual(above(5, 'total precipitation'));
    expect(parseCondition('Rain (mm)>5')).toEqual(above(5, 'Rain (mm)'));
    expect(parseCondition('"rain and snow">5')).toEqual(above(5, 'rain and snow'));
    expect(parseCondition('temp_mean -5..0')).toEqual({ kind: 'range', variable: 'temp_mean', from: -5, to: 0 });
  });

  it('binds and before or, or before given, and parentheses before all', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => above(1, name));
    const and = (...parts: ConditionPart[]): CombinedPart => ({ kind: 'and', parts });
    const or = (...parts: ConditionPart[]): CombinedPart => ({ kind: 'or', parts });
    expect(parseCondition('a>1 or b>1 and c>1')).toEqual(or(a, and(b, c)));
    expect(parseCondition('(a>1 or b>1) and c>1')).toEqual(and(or(a, b), c));
    expect(parseCondition('a>1 AND (b>1 and c>1)')).toEqual(and(a, b, c));
    expect(parseCondition('a>1 or b>1 given c>1')).toEqual({ kind: 'given', condition: or(a, b), given: c });
  });

  it('reads a variable alone before given as more than 0', () => {
    const parsed = parseCondition('snow given precipitation>1');
    expect(parsed).toEqual({ kind: 'given', condition: above(0, 'snow'), given: above(1, 'precipitation') });
  });

  const faults: [string, number, string][] = [
    ['', 0, 'expected a condition'],
    ['precipitation', 13, 'expected a comparison of precipitation'],
    ['20', 0, 'expected a variable, an operator or a range'],
    ['precipitation>', 14, 'expected a limit'],
    ['>x', 1, 'expected a limit'],
    ['>1e5', 1, 'expected a limit'],
    ['>20,>30', 3, 'unexpected comma'],
    ['>2,5', 2, 'unexpected comma'],
    ['> 5 mm', 4, 'unexpected unit "mm"'],
    ['>20mm', 3, 'unexpected unit "mm"'],
    ['a>5 xor b<3', 4, 'unexpected word "xor"'],
    ['a>5 mm or b<3', 4, 'unexpected unit "mm"'],
    ['5..20 °F or >30', 6, 'unexpected unit "°F"'],
    ['==5', 0, 'expected a condition'],
    ['a==5', 1, 'expected a comparison of a'],
    ['5>3', 0, 'expected a variable, an operator or a range'],
    ['20..5', 4, 'a range that ends below its beginning'],
    ['q90..q10', 5, 'a range that ends below its beginning'],
    ['>5..20', 2, 'a range after an operator'],
    ['>q9', 1, 'no quantile'],
    ['>q050', 1, 'no quantile'],
    ['a>1 and', 7, 'expected a condition'],
    ['a>1 b>1', 4, 'unexpected "b"'],
    ['(a>1', 4, 'expected )'],
    ['a>1)', 3, 'unexpected ")"'],
    ['(a>1 given b>1)', 5, 'given within parentheses'],
    ['a>1 given b>1 given c>1', 14, 'a second given'],
    ['"">5', 0, 'a variable without a name'],
    [`>${'9'.repeat(400)}`, 1, 'too large a number'],
    [Array(100).fill('>1').join(' or '), 99 * 6, 'too many parts'],
    [`${'('.repeat(100)}>1${')'.repeat(100)}`, 99, 'too many parentheses'],
  ];
  for (const [text, position, problem] of faults) {
    it(`points at the fault of ${text.slice(0, 24)}`, () => {
      const error = errorOf(text);
      expect([error?.problem, error?.position]).toEqual([`${problem} at character ${position + 1}`, position]);
    });
  }

  it('shows the text, and points at the character', () => {
    expect(errorOf('precipitation>5 and temp_mean<')?.message).toBe(
      `condition: expected a limit at character 31; allowed: a plain decimal such as 20, or a quantile of the climatology such as q90
  precipitation>5 and temp_mean<
                                ^`,
    );
  });

  it('shows what is around the fault of a long text, and no control characters', () => {
    const lines = errorOf(`${'a>1 or '.repeat(20)}\u001b[31m>x`)?.lines.split('\n') as string[];
    expect(lines.every((line) => line.length < 90 && !line.includes('\u001b'))).toBe(true);
    expect(lines[0][lines[1].indexOf('^')]).toBe('x');
  });

  it('gives a condition, or an error at a position in the text', () => {
    const words = fc.constantFrom(
      '>',
      '<=',
      '5',
      '20',
      '..',
      'q90',
      ' ',
      'and',
      'or',
      'given',
      '(',
      ')',
      'rain',
      '"',
      '.',
      '-',
      '=',
    );
    const texts = fc.oneof(
      fc.array(words, { maxLength: 14 }).map((all) => all.join('')),
      fc.array(words, { maxLength: 14 }).map((all) => all.join(' ')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const error = errorOf(text);
        if (error === undefined) expect(leavesOf(parseCondition(text)).length).toBeGreaterThan(0);
        else expect(error.position >= 0 && error.position <= text.length).toBe(true);
      }),
      { numRuns: isFullCheck ? 5000 : 500 },
    );
  });
});

/** The error for a text; undefined where it is a condition. Anything but a ConditionError is thrown. */
function errorOf(text: string): ConditionError | undefined {
  try {
    parseCondition(text);
    return undefined;
  } catch (error) {
    if (error instanceof ConditionError) return error;
    throw error;
  }
}

const numbers = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
);
const quantiles = fc.integer({ min: 0, max: 1000 }).map((k) => ({ quantile: k / 1000 }));
const variables = fc.oneof(
  fc.constantFrom(
    undefined,
    'precipitation',
    'temp_mean',
    'and',
    'Given',
    'rain and snow',
    '5',
    '5..6',
    'q90',
    "it's",
    'a"b',
    '°C',
  ),
  fc.string({ minLength: 1 }).filter((name) => name.trim() !== '' && !(name.includes('"') && name.includes("'"))),
);
const leaves: fc.Arbitrary<ConditionPart> = fc.oneof(
  fc
    .record({
      variable: variables,
      operator: fc.constantFrom('>', '>=', '<', '<='),
      limit: fc.oneof(numbers, quantiles),
    })
    .map(
      ({ variable, ...rest }) =>
        ({ kind: 'comparison', ...rest, ...(variable !== undefined && { variable }) }) as ConditionPart,
    ),
  fc
    .record({ variable: variables, ends: fc.oneof(fc.tuple(numbers, numbers), fc.tuple(quantiles, quantiles)) })
    .map(({ variable, ends }) => {
      const value = (limit: ConditionLimit) => (typeof limit === 'number' ? limit : limit.quantile);
      const [from, to] = [...ends].sort((a: ConditionLimit, b: ConditionLimit) => value(a) - value(b));
      return { kind: 'range', from, to, ...(variable !== undefined && { variable }) } as ConditionPart;
    }),
);
const parts: fc.Arbitrary<ConditionPart> = fc.letrec<{ part: ConditionPart }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaves,
    fc
      .record({ kind: fc.constantFrom('and', 'or'), parts: fc.array(tie('part'), { minLength: 2, maxLength: 3 }) })
      .map(({ kind, parts: inner }) => {
        const flat = inner.flatMap((part) => (part.kind === kind ? (part as CombinedPart).parts : [part]));
        return { kind, parts: flat } as ConditionPart;
      }),
  ),
})).part;
const conditions: fc.Arbitrary<Condition> = fc.oneof(
  parts,
  fc.record({ kind: fc.constant('given' as const), condition: parts, given: parts }),
);

describe('conditionText', () => {
  it('is read back as the same condition', () => {
    fc.assert(
      fc.property(conditions, (condition) => {
        fc.pre(leavesOf(condition).length <= 99);
        expect(parseCondition(conditionText(condition))).toEqual(condition);
      }),
      { numRuns: isFullCheck ? 2000 : 250 },
    );
  });
});

describe('conditionStatistic', () => {
  const columns: [string, string][] = [
    ['>20', 'p_gt_20'],
    ['<=-0.5', 'p_le_-0.5'],
    ['>q90', 'p_gt_clim_q90'],
    ['<q10', 'p_lt_clim_q10'],
    ['5..20', 'p_5_to_20'],
    ['q10..q90', 'p_clim_q10_to_clim_q90'],
    ['<1 or >20', 'p_lt_1_or_gt_20'],
    ['precipitation>5 and temp_mean<0', 'p_precipitation_gt_5_and_temp_mean_lt_0'],
    ['snow given precipitation>1', 'p_snow_gt_0_given_precipitation_gt_1'],
    ['(a>1 or b>2) and c>3', 'p__a_gt_1_or_b_gt_2__and_c_gt_3'],
    ['"Rain (mm)">5', 'p_Rain_mm_gt_5'],
  ];
  for (const [text, column] of columns) {
    it(`names the column of ${text} ${column}`, () => {
      expect(statisticName(conditionStatistic(parseCondition(text)))).toBe(column);
    });
  }
});
