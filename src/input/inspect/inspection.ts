import type { TimeMeaning } from '../../ensemble/time-meaning.js';
import type { TakenFacts } from '../../files/cf/grid-ensemble.js';
import type { ColumnRoles } from '../../table/columns/column-role.js';
import type { ValueOptions } from '../input-request.js';
/** How to inspect an input. */
export interface InspectRequest {
  /** Whether to inspect values too, not only the structure. */
  readonly values: boolean;
  /** What the input does not state about its values. */
  readonly options: ValueOptions;
  /** Names of columns of tables that are not the usual ones. */
  readonly columns?: ColumnRoles;
}

/**
 * The content of a file or store, as far as it is understood. Numbers of days are of UTC days, dates are `YYYY-MM-DD`.
 */
export interface Inspection {
  /** The name of the file, as given. */
  readonly source: string;
  /** The common name of the format: `NetCDF4`, `Zarr v3`, `Parquet`. */
  readonly format: string;
  /** The size of the file, or of all files of a store; undefined if it is not known. */
  readonly bytes?: number;
  /**
   * Daily or sub-daily values, of members or a single series; results of plumecast; no values, if all arrays are empty;
   * or nothing understood.
   */
  readonly holds: 'values' | 'statistics' | 'climatology' | 'no values' | 'nothing understood';
  /** The metadata of the file, unchanged. */
  readonly metadata: Readonly<Record<string, string>>;
  /** For files of arrays only. */
  readonly dimensions?: readonly { readonly name: string; readonly length: number }[];
  /** For tables only; undefined if values were not inspected. */
  readonly rows?: number;
  /** The columns of a table, or the arrays, in their order. */
  readonly columns: readonly InspectedColumn[];
  /** What was found when the file was opened that people should know. */
  readonly notices?: readonly string[];
  /** The variables, and for those that cannot be read, why. */
  readonly variables: readonly InspectedVariable[];
}

/** A column of a table, or an array. */
export interface InspectedColumn {
  readonly name: string;
  /** The name of the type in the format. */
  readonly type: string;
  /** How it is used: `latitude`, `date`, `member`, `values of precipitation`; undefined if it is not. */
  readonly role?: string;
  readonly units?: string;
  /** The number of rows without a value, in a column of a table. */
  readonly missing?: number;
  /** The dimensions of an array, and the length of each. */
  readonly dimensions?: readonly string[];
  readonly shape?: readonly number[];
  /** The shape of the chunks of an array. */
  readonly chunk?: readonly number[];
  readonly filters?: readonly string[];
}

/** Values of one variable over time, or why they are not understood. */
export interface InspectedVariable {
  /** The array or column of the values, or their name in the table. */
  readonly name: string;
  /** Its slug; undefined for an unknown variable. */
  readonly variable?: string;
  /** Why the values cannot be read; other fields may be missing then. */
  readonly problem?: string;
  /** The units of the daily values. */
  readonly units?: string;
  /**
   * What is done to values (`kg m-2 s-1 to mm`, `hourly rates to daily sums`), and which columns of numbers are left
   * out.
   */
  readonly conversions?: readonly string[];
  /** What amounts count: `per-step`, `since-start`, `buckets`, or `either` if both give the same. */
  readonly accumulation?: 'per-step' | 'since-start' | 'buckets' | 'either';
  /** What may be wrong. */
  readonly warnings?: readonly string[];
  readonly members?: { readonly count: number; readonly first: string; readonly last: string };
  readonly days?: InspectedDays;
  /** What a time of a step stands for, and by which evidence. */
  readonly times?: Pick<TimeMeaning, 'stamps' | 'by'>;
  /** How units, members, the run and places are taken, of tables also dates, and by what. */
  readonly taken?: TakenFacts;
  readonly places?: InspectedPlaces;
  /** The number of complete windows. */
  readonly windows?: { readonly weekly: number; readonly monthly: number };
  /** Undefined if values were not inspected. */
  readonly values?: InspectedValues;
  /** How statistics would read an array. */
  readonly reading?: InspectedReading;
  /** A command that computes statistics of it; undefined if there is a problem, or something is needed. */
  readonly command?: string;
  /** The option that statistics of it need, if neither the file nor the options state it. */
  readonly needed?: string;
}

/** The days that values cover. */
export interface InspectedDays {
  readonly first: string;
  readonly last: string;
  /** The number of days with values, and with all of their steps. */
  readonly whole: number;
  /** The number of missing or incomplete days between the first and the last. */
  readonly missing: number;
  /** The first runs of missing days. */
  readonly gaps: readonly { readonly first: string; readonly last: string; readonly days: number }[];
  /** `daily`, `hourly`, `3-hourly`, `3- to 6-hourly`. */
  readonly steps: string;
  readonly calendar?: string;
}

/** Where values are: a grid, or places. Degrees north and east; undefined if they are not known. */
export interface InspectedPlaces {
  readonly kind: 'rectilinear' | 'curvilinear' | 'places';
  readonly count: number;
  /** The length of each dimension of a grid. */
  readonly shape?: readonly number[];
  /** South to north. */
  readonly latitude?: readonly [number, number];
  /** West to east. */
  readonly longitude?: readonly [number, number];
  /** Degrees from one latitude, and one longitude, to the next; undefined if distances differ. */
  readonly step?: readonly [number | undefined, number | undefined];
  /** The columns that say more of places, ids first: of each how many values it has, and the first of them. */
  readonly labels?: readonly InspectedLabel[];
}

/** A column with one value for each place: ids, names, zones. */
export interface InspectedLabel {
  readonly name: string;
  readonly count: number;
  readonly first: readonly string[];
}

/** A summary of daily values, in the variable's unit. */
export interface InspectedValues {
  /** The number of values, one for each day, member and place. */
  readonly count: number;
  /** The number of all values, where these are a sample, or none: of arrays that take longer to decode than a second or so. */
  readonly sampleOf?: number;
  /** The members of a sample, where it is of some alone. */
  readonly sampledMembers?: readonly string[];
  readonly missing: number;
  readonly infinite: number;
  /** Undefined if no value is finite. */
  readonly lowest?: InspectedValue;
  readonly highest?: InspectedValue;
  /** The plausible range of the variable, and how many values lie below and above it. */
  readonly bounds?: readonly [number, number];
  readonly below?: number;
  readonly above?: number;
  /** The number of chunks that are missing in a store, and of all its chunks. */
  readonly missingChunks?: { readonly count: number; readonly of: number };
}

/** A value and where it is. */
export interface InspectedValue {
  readonly value: number;
  readonly date: string;
  readonly member: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

/** How an array is read with a given memory. */
export interface InspectedReading {
  readonly memory: number;
  readonly blocks: number;
  /** The number of chunks, and of times that one is decoded; undefined if values are not stored in chunks. */
  readonly chunks?: number;
  readonly decoded?: number;
}
