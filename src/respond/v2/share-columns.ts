import type { FloatArray } from '../../core/float-array.js';
import { type Statistic, statisticName } from '../../statistics/result-column.js';
import type { StatisticsColumns } from '../../statistics/statistics-columns.js';
import type { StatisticsAnswer } from '../answer-data.js';

/** Shares of members that a request adds to the statistics of a variable: an entry for each window. */
export interface ShareColumn {
  readonly statistic: Statistic;
  /** As in tables of statistics: `p_gt_20`, `p_below`. */
  readonly name: string;
  readonly values: FloatArray;
}

/** What the shares of a variable are taken from. */
type SharedVariable = Pick<StatisticsAnswer['variables'][number], 'thresholds' | 'terciles'> & {
  readonly statistics: Partial<Pick<StatisticsColumns, 'probabilities'>>;
};

const NONE: readonly ShareColumn[] = [];
const TERCILES = ['below', 'normal', 'above'] as const;

/** The shares of a variable: those of its thresholds in the order requested, then those of terciles. */
export function shareColumns({ statistics, thresholds, terciles }: SharedVariable): readonly ShareColumn[] {
  if (thresholds === undefined && terciles === undefined) return NONE;
  const { probabilities = [] } = statistics;
  return [
    ...(thresholds ?? []).map((threshold, k) => shareColumn({ kind: 'exceedance', threshold }, probabilities[k])),
    ...(terciles?.shares ?? []).map((values, k) => shareColumn({ kind: 'category', category: TERCILES[k] }, values)),
  ];
}

function shareColumn(statistic: Statistic, values: FloatArray): ShareColumn {
  return { statistic, name: statisticName(statistic), values };
}

/**
 * The climatologies that variables are compared with, and their years, each text once; undefined where there are none.
 */
export function tercileMetadata(variables: readonly Pick<SharedVariable, 'terciles'>[]): {
  readonly referencePeriod?: string;
  readonly tercileReference?: string;
} {
  const used = variables.flatMap(({ terciles }) => terciles?.climatology ?? []);
  return {
    referencePeriod: joinTexts(used.map(({ reference }) => reference)),
    tercileReference: joinTexts(used.map(({ name }) => name)),
  };
}

function joinTexts(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : [...new Set(texts)].join(', ');
}
