import type { VerifyOptions } from '../skill/pairing/options.js';
import type { OptionRows } from './library-options.js';
import { CLIMATOLOGY, STATISTICS } from './option-rows.js';
import { conditionTexts, plainNumber, quantileList, textList, yearSpan } from './option-values.js';

/** Options of `plumecast verify`. */
export const VERIFY = {
  variable: CLIMATOLOGY.variable,
  granularity: {
    value: '<name>',
    text: 'the windows that are verified (default: daily)',
    example: '--granularity weekly',
  },
  by: {
    value: '<labels>',
    text: 'a result for each lead, window, month, season, year, start_month, place or region, or for several: lead,season; none: one for all (default: lead)',
    read: (text: string) => (text.trim() === 'none' ? [] : textList(text)),
    example: '--by lead,season',
  },
  against: {
    value: '<what>',
    text: 'reference of skill: climatology (of the observations, without the verified year), persistence, none, or files of another forecast, in quotes as a glob (default: climatology, where there are enough years)',
    read: (text: string) => text,
    example: '--against persistence',
  },
  conditions: {
    value: '<condition>',
    text: 'an event to score: ">20", "5..20", ">q90" of the climatology; may be repeated',
    read: conditionTexts,
    example: '--condition ">20"',
  },
  categories: {
    value: '<number>',
    text: 'equally likely categories, 0 for none (default: 3, terciles, where there are enough years)',
    read: plainNumber,
    example: '--categories 5',
  },
  quantiles: {
    value: '<list>',
    text: 'quantiles to score (default: none)',
    read: quantileList,
    example: '--quantiles 0.1,0.9',
  },
  decomposition: { text: 'the reliability of the CRPS, and its potential', example: '--decomposition' },
  reference: {
    value: '<years>',
    text: 'first and last year of the climatology (default: all years of the observations)',
    read: yearSpan,
    example: '--reference 1991-2020',
  },
  halfWidth: {
    value: '<days>',
    text: 'for days and rolling windows, the days before and after a day that the climatology takes (default: 7)',
    read: plainNumber,
    example: '--half-width 5',
  },
  block: {
    value: '<length>',
    text: 'starts that are drawn together for intervals: all of a year, of a month, or each start by itself; none: no intervals, for very many places (default: year)',
    example: '--block month',
  },
  weights: {
    value: '<which>',
    text: 'whether cells of a grid count by their area, or equally (default: area)',
    example: '--weights equal',
  },
  startDate: { ...STATISTICS.startDate, text: 'first day that is verified, YYYY-MM-DD' },
  endDate: { ...STATISTICS.endDate, text: 'last day that is verified, YYYY-MM-DD' },
  window: STATISTICS.window,
  minMemberShare: STATISTICS.minMemberShare,
  point: STATISTICS.point,
  columns: STATISTICS.columns,
} satisfies OptionRows<VerifyOptions>;
