import type { Command } from 'commander';
import type { Point } from '../ensemble/nearest-place.js';
import type { Threshold } from '../statistics/thresholds.js';
import { dateText, plainNumber, point, quantileList, threshold } from './option-values.js';

/** What `withStatisticsOptions` reads. */
export interface StatisticsOptionValues {
  quantiles?: number[];
  quantileType?: number;
  threshold?: Threshold[];
  spread?: boolean;
  startDate?: string;
  endDate?: string;
  partial?: boolean;
  minMemberShare?: number;
  point?: Point;
}

/** Adds to a command the options that say what to compute over members, and of which days and places. */
export function withStatisticsOptions(command: Command): Command {
  return command
    .option('--quantiles <list>', 'quantiles from 0 to 1 (default: 0.05,0.25,0.5,0.75,0.95)', quantileList)
    .option('--quantile-type <1..9>', 'sample quantile type of Hyndman and Fan (default: 7)', plainNumber)
    .option('--threshold <condition>', 'share of members with, say, ">20"; may be repeated', threshold)
    .option('--spread', 'standard deviation over members')
    .option('--start-date <date>', 'first day that counts, YYYY-MM-DD', dateText)
    .option('--end-date <date>', 'last day that counts, YYYY-MM-DD', dateText)
    .option('--partial', 'keep windows that the data or dates cut')
    .option('--min-member-share <share>', 'share of members that must be there, 0 to 1 (default: 0.8)', plainNumber)
    .option('--point <lat,lon>', 'only the place nearest to this point', point);
}
