import type { StateAbout } from '../../skill/state.js';
import type { GroupLabels } from '../../skill/verification.js';
import { variableByName } from '../../variable/find-variable.js';
import { placeText, windowWords } from '../panel-texts.js';
import { shownUnits } from '../window-rows.js';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** The text that is said of data; undefined where there is none. */
function said(about: StateAbout, key: string): string | undefined {
  const value = about[key];
  return value === undefined || value === '' || Array.isArray(value) ? undefined : String(value);
}

/** What is verified: `temp mean, weekly means`, with the horizon where one is known. */
export function subjectWords(about: StateAbout): string {
  const [variable, granularity, horizon] = ['variable', 'granularity', 'horizon'].map((key) => said(about, key));
  const name = (variable ?? 'values').replaceAll('_', ' ');
  // The record of a store has windows as answers have them, without the rule.
  const rule = said(about, 'window') ?? variableByName(variable ?? '')?.window;
  return [name, granularity && windowWords(granularity, rule), horizon].filter(Boolean).join(', ');
}

/** The unit of the values, as it is shown. */
export function unitsOf(about: StateAbout): string {
  return shownUnits(said(about, 'variable'), said(about, 'units')) ?? '';
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
};

const CATEGORIES: Readonly<Record<string, readonly [ofTwo: string, ofThree: string]>> = {
  below: ['below the median', 'below normal'],
  normal: ['near normal', 'near normal'],
  above: ['above the median', 'above normal'],
};

/** An event in words: `above normal`, `more than 20 mm`, `above the 90 % quantile of the climatology`. */
export function eventWords(event: string, { about, categories }: { about: StateAbout; categories: number }): string {
  if (Object.hasOwn(CATEGORIES, event) && categories <= 3) return CATEGORIES[event][categories === 2 ? 0 : 1];
  const [, operator, limit] = /^(>=?|<=?)(-?[\d.]+(?:e-?\d+)?)$/.exec(event) ?? [];
  if (operator !== undefined) return `${COMPARISONS[operator]} ${limit.replace('-', '−')} ${unitsOf(about)}`.trim();
  const [, side, digits] = /^([<>])=?q(\d{2,})$/.exec(event) ?? [];
  if (side === undefined) return event;
  const percent = digits === '100' ? 100 : Number((100 * Number(`0.${digits}`)).toFixed(4));
  return `${side === '>' ? 'above' : 'below'} the ${percent} % quantile of the climatology`;
}

/** The labels of a group in words: `lead 2 weeks, March, 52.5° N, 10° E`; empty for all cases together. */
export function labelWords(labels: GroupLabels, about: StateAbout): string {
  const { latitude, longitude, ...others } = labels;
  const parts = Object.entries(others).map(([name, value]) => labelWord(name, String(value), about));
  if (latitude === undefined) return parts.join(', ');
  const place = placeText({ latitude: Number(latitude), longitude: Number(longitude) });
  return [...parts, place].filter(Boolean).join(', ');
}

function labelWord(name: string, value: string, about: StateAbout): string {
  if (name === 'lead') return `lead ${value} ${said(about, 'lead_unit') ?? ''}`.trim();
  if (name === 'month') return MONTHS[Number(value) - 1] ?? value;
  if (name === 'start_month') return `starts in ${MONTHS[Number(value) - 1] ?? value}`;
  return name === 'id' ? value : name === 'window' ? `window ${value}` : value;
}

/** The leads that several groups have together: `leads 0 to 5 weeks`; undefined without leads. */
export function leadsWords(leads: readonly number[], about: StateAbout): string | undefined {
  if (leads.length === 0) return undefined;
  const [first, last] = [Math.min(...leads), Math.max(...leads)];
  const unit = said(about, 'lead_unit') ?? '';
  return (first === last ? `lead ${first} ${unit}` : `leads ${first} to ${last} ${unit}`).trim();
}

/** What forecasts are compared with, as the end of a sentence: `the climatology 1993-2016`. */
export function referenceWords(about: StateAbout): string | undefined {
  const [against, years] = [said(about, 'against'), said(about, 'reference')];
  if (against === undefined || against === 'none') return undefined;
  if (against !== 'climatology') return against.replace(/^forecast: /, '');
  return `climatology${years === undefined ? '' : ` ${years}`}`;
}

/** How many blocks of time there are: `27 years of starts`. */
export function blockWords(blocks: number, about: StateAbout): string {
  const block = said(about, 'block');
  if (block === 'none') return '';
  if (block !== 'year' && block !== 'month')
    return block === 'start' ? counted(blocks, 'start') : counted(blocks, 'block');
  return `starts of ${counted(blocks, block)}`;
}

/** `1 case`, `12,345 cases`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A whole number with commas between thousands. */
function grouped(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

const SCORES: Readonly<Record<string, string>> = {
  bias: 'bias of the mean',
  mae: 'absolute error of the mean',
  mse: 'squared error of the mean',
  rmse: 'root mean square error',
  correlation: 'correlation of the mean',
  spread: 'spread',
  spread_error_ratio: 'ratio of spread to error',
  crps: 'CRPS',
  fair_crps: 'fair CRPS',
  quantile_score: 'quantile score',
  brier: 'Brier score',
  fair_brier: 'fair Brier score',
  rps: 'RPS',
  fair_rps: 'fair RPS',
  roc_area: 'area under the ROC curve',
};

/** A score in words: `Brier score of more than 20 mm`. */
export function scoreWords(score: string, event: string | undefined): string {
  const name = Object.hasOwn(SCORES, score) ? SCORES[score] : score.replaceAll('_', ' ');
  return event === undefined ? name : `${name} of ${event}`;
}

/** The unit of a score. */
export function scoreUnits(score: string, units: string): string {
  if (['bias', 'mae', 'rmse', 'spread', 'crps', 'fair_crps', 'quantile_score'].includes(score)) return units;
  return score === 'mse' && units !== '' ? `(${units})²` : score === 'ignorance' ? 'bits' : '';
}

/** A number with two or three significant digits, and a minus sign; a dash where there is none. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const text = Math.abs(value) < 0.1 ? value.toPrecision(2) : value.toFixed(2);
  return String(Number(text)).replace('-', '−');
}

/** A p-value: `p < 0.001`, `p 0.04`. */
export function pValueWords(p: number): string {
  if (Number.isNaN(p)) return 'p –';
  return p < 0.001 ? 'p < 0.001' : `p ${Number(p.toPrecision(2))}`;
}

/** A share in percent. */
export function percentWords(share: number): string {
  return `${Number((100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0))} %`;
}
