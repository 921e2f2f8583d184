import { type EventScores, eventScores } from './event-scores.js';
import type { Skill } from './load-skill.js';
import type { CheckedVerification, Events } from './options.js';
import type { ForecastTotals, Totals } from './totals.js';

/** A score of a forecast, or of its reference, or the skill of one against the other. */
export interface ScoreName {
  /** Such as `crps`, `brier`, `rps_skill`. */
  readonly score: string;
  /** The event or the quantile that it is of, where it is of one. */
  readonly of: string | undefined;
  readonly forecast: 'forecast' | 'reference' | 'skill';
}

/** A score and its value: NaN where it cannot be computed, as the correlation of constant observations. */
export interface ScoreValue extends ScoreName {
  readonly value: number;
}

/** What is less where a forecast is better, and 0 where it is perfect: skill is 1 minus its ratio to the reference's. */
const WITH_SKILL = new Set([
  ...['mae', 'mse', 'crps', 'fair_crps', 'quantile_score', 'brier', 'fair_brier', 'ignorance', 'rps', 'fair_rps'],
]);

/** The least variance of which there are a few digits, as a share of the mean square. */
const LEAST_VARIANCE = 1e-12;

/** All scores of totals, in one order for all totals of a verification. */
export function scoreValues(
  skill: Skill,
  totals: Totals,
  events: Events,
  options: Pick<CheckedVerification, 'quantiles'>,
): ScoreValue[] {
  const of = (totals_: ForecastTotals) => forecastScores(skill, totals, totals_, events, options);
  const own = of(totals.forecast);
  const values: ScoreValue[] = own.map((score) => ({ ...score, forecast: 'forecast' }));
  if (totals.reference === undefined) return values;
  of(totals.reference).forEach((other, k) => {
    values.push({ ...other, forecast: 'reference' });
    const { score, of: event, value } = own[k];
    if (!WITH_SKILL.has(score)) return;
    values.push({ score: `${score}_skill`, of: event, forecast: 'skill', value: skillOf(value, other.value) });
  });
  return values;
}

/** 1 for a perfect forecast; NaN where the reference is perfect, too, as nothing can be better. */
function skillOf(value: number, reference: number): number {
  return reference === 0 ? Number.NaN : 1 - value / reference;
}

type OwnScore = Pick<ScoreValue, 'score' | 'of' | 'value'>;

function forecastScores(
  skill: Skill,
  { weight, observed, squaredObserved, isConstant }: Totals,
  totals: ForecastTotals,
  events: Events,
  { quantiles }: Pick<CheckedVerification, 'quantiles'>,
): OwnScore[] {
  const { sums, fairWeight } = totals;
  const mse = sums.squaredError / weight;
  const covariance = sums.product / weight - (sums.mean / weight) * (observed / weight);
  const squares = [sums.squaredMean / weight, squaredObserved / weight];
  const variances = [squares[0] - (sums.mean / weight) ** 2, squares[1] - (observed / weight) ** 2];
  // What rounding leaves of values that hardly differ beside their size is no variance.
  const isNoise = variances.some((variance, k) => variance <= LEAST_VARIANCE * squares[k]);
  const correlation = covariance / Math.sqrt(variances[0] * variances[1]);
  const inflated = Math.sqrt(sums.inflatedVariance / fairWeight);
  const scores: OwnScore[] = [
    score('bias', sums.error / weight),
    score('mae', sums.absoluteError / weight),
    score('mse', mse),
    score('rmse', Math.sqrt(mse)),
    score(
      'correlation',
      isConstant || totals.isConstant || isNoise ? Number.NaN : Math.max(-1, Math.min(1, correlation)),
    ),
    score('spread', Math.sqrt(sums.variance / fairWeight)),
    score('spread_error_ratio', mse === 0 ? Number.NaN : inflated / Math.sqrt(mse)),
    score('crps', sums.crps / weight),
    // Of all cases, or of none: scores are of the same cases.
    score('fair_crps', fairWeight === weight ? sums.fairCrps / fairWeight : Number.NaN),
    ...quantiles.map((p, q) => score('quantile_score', totals.quantiles[q] / weight, `quantile ${p}`)),
  ];
  const [conditions, cumulative, categories] = dividedEvents(totals.events, events);
  conditions.forEach((list, e) => {
    scores.push(...scoresOfEvent(eventScores(skill, list), events.conditions[e].name));
  });
  if (cumulative.length === 0) return scores;
  const ranked = cumulative.map((list) => eventScores(skill, list));
  const sum = (pick: (one: EventScores) => number) => ranked.reduce((total, one) => total + pick(one), 0);
  scores.push(
    score(
      'rps',
      sum(({ brier }) => brier),
    ),
    score(
      'fair_rps',
      sum(({ fairBrier }) => fairBrier),
    ),
  );
  categories.forEach((list, e) => {
    scores.push(...scoresOfEvent(eventScores(skill, list), events.categories[e].name));
  });
  return scores;
}

/** Lists of the events of conditions, of cumulative categories, and of categories. */
export function dividedEvents<List>(lists: readonly List[], events: Events): [List[], List[], List[]] {
  const [a, b] = [events.conditions.length, events.conditions.length + events.cumulative.length];
  return [lists.slice(0, a), lists.slice(a, b), lists.slice(b)];
}

function score(name: string, value: number, of?: string): OwnScore {
  return { score: name, of, value };
}

function scoresOfEvent(scores: EventScores, name: string): OwnScore[] {
  const { baseRate, brier, fairBrier, reliability, resolution, uncertainty, ignorance, rocArea } = scores;
  return [
    score('base_rate', baseRate, name),
    score('brier', brier, name),
    score('fair_brier', fairBrier, name),
    score('reliability', reliability, name),
    score('resolution', resolution, name),
    score('uncertainty', uncertainty, name),
    score('ignorance', ignorance, name),
    score('roc_area', rocArea, name),
  ];
}
