import { checkAgainstOptions, type StatisticsAgainstOptions } from '../climate/against-options.js';
import { ClimateReferences } from '../climate/climate-reference.js';
import type { Climatology } from '../climate/climatology.js';
import type { WholeMembers } from '../ensemble/whole-members.js';
import { type CheckedStatisticsOptions, checkStatisticsOptions } from '../statistics/options.js';
import type { ValueOptions } from './value-options.js';

/** What a part of a divided ensemble does not show. */
export interface PartOfWhole {
  /** The members of the whole; by default the members of the part. */
  readonly members?: WholeMembers;
}

/** What to compute from each input. */
export interface InputRequest {
  readonly statistics: StatisticsAgainstOptions;
  readonly climatology?: Climatology;
  readonly values: ValueOptions;
  /**
   * Whether the windows are the periods of the values as they are stored: days, ISO weeks or calendar months. Only for
   * files of arrays, and without a climatology.
   */
  readonly native?: boolean;
  /** Whether results are written on the grid of the input: cells without a place, which no table has, stay. */
  readonly keepsGrid?: boolean;
  /** Says that the input is a part of a divided ensemble. */
  readonly part?: PartOfWhole;
  /** The most threads that read and compute; by default one for each processor. */
  readonly threads?: number;
}

/** Checked options of statistics, and the references of ensembles if they are compared with a climatology. */
export interface CheckedRequest {
  readonly options: CheckedStatisticsOptions;
  readonly references: ClimateReferences | undefined;
}

/** Checks what to compute from an input. Throws OptionError. */
export function checkRequest({ statistics, climatology, values }: InputRequest, source: string): CheckedRequest {
  const requested = { ...statistics, calendar: values.calendar, source };
  if (climatology === undefined) return { options: checkStatisticsOptions(requested), references: undefined };
  const options = checkAgainstOptions(climatology, requested);
  return { options, references: new ClimateReferences(climatology, options) };
}
