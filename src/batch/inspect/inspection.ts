/** What a file, or a store, holds, as far as it is understood. Numbers of days are of UTC days, dates are `YYYY-MM-DD`. */
export interface Inspection {
  /** The file, as it was named. */
  readonly source: string;
  /** The format as people call it: `NetCDF4`, `Zarr v3`, `Parquet`. */
  readonly format: string;
  /** Of the file, or of all files of a store; undefined where they cannot be counted. */
  readonly bytes?: number;
  /** Daily or sub-daily values, of members or a single series; results of plumecast; no values at all, where all arrays are empty; or nothing that is understood. */
  readonly holds: 'values' | 'statistics' | 'climatology' | 'no values' | 'nothing understood';
  /** Texts about the whole, as they are. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Of files of arrays. */
  readonly dimensions?: readonly { readonly name: string; readonly length: number }[];
  /** Of tables; undefined where values were not looked at. */
  readonly rows?: number;
  /** The columns of a table, or the arrays, in their order. */
  readonly columns: readonly InspectedColumn[];
  /** What can be computed of, and what cannot, and why. */
  readonly variables: readonly InspectedVariable[];
}

/** A column of a table, or an array. */
export interface InspectedColumn {
  readonly name: string;
  /** As the format calls it. */
  readonly type: string;
  /** What it is taken for: `latitude`, `date`, `member`, `values of precipitation`; undefined where for nothing. */
  readonly role?: string;
  readonly units?: string;
  /** Rows of a table's column without a value. */
  readonly missing?: number;
  /** The dimensions of an array, and the length of each. */
  readonly dimensions?: readonly string[];
  readonly shape?: readonly number[];
  /** The shape of the pieces that an array is stored in. */
  readonly chunk?: readonly number[];
  readonly filters?: readonly string[];
}

/** Values of one variable over time, or why they are not understood. */
export interface InspectedVariable {
  /** The array or the column that they are in, or what the table calls them. */
  readonly name: string;
  /** Its slug; undefined where it is none that is known. */
  readonly variable?: string;
  /** Why they cannot be read: all else that is not told is not known then. */
  readonly problem?: string;
  /** Of the daily values. */
  readonly units?: string;
  /** What is done to values (`kg m-2 s-1 to mm`, `hourly rates to daily sums`), and which columns of numbers are left out. */
  readonly conversions?: readonly string[];
  /** What amounts count: `per-step`, `since-start`, `buckets`, or `either` where that makes no difference. */
  readonly accumulation?: 'per-step' | 'since-start' | 'buckets' | 'either';
  /** What may be wrong. */
  readonly warnings?: readonly string[];
  readonly members?: { readonly count: number; readonly first: string; readonly last: string };
  readonly days?: InspectedDays;
  readonly places?: InspectedPlaces;
  /** The number of windows that are whole. */
  readonly windows?: { readonly weekly: number; readonly monthly: number };
  /** Undefined where values were not looked at. */
  readonly values?: InspectedValues;
  /** How statistics would read an array. */
  readonly reading?: InspectedReading;
  /** A command that computes statistics of it; undefined where there is a problem, or something is needed. */
  readonly command?: string;
  /** What has to be given for statistics of it, where neither the file nor the options say it. */
  readonly needed?: string;
}

/** The days that values cover. */
export interface InspectedDays {
  readonly first: string;
  readonly last: string;
  /** Those that have values, or all of their steps. */
  readonly whole: number;
  /** Days between the first and the last that are not whole. */
  readonly missing: number;
  /** The first runs of them. */
  readonly gaps: readonly { readonly first: string; readonly last: string; readonly days: number }[];
  /** `daily`, `hourly`, `3-hourly`, `3- to 6-hourly`. */
  readonly steps: string;
  readonly calendar?: string;
}

/** Where values are: a grid, or places. Degrees north and east; undefined where nothing tells. */
export interface InspectedPlaces {
  readonly kind: 'rectilinear' | 'curvilinear' | 'places';
  readonly count: number;
  /** The length of each dimension of a grid. */
  readonly shape?: readonly number[];
  /** South to north. */
  readonly latitude?: readonly [number, number];
  /** West to east. */
  readonly longitude?: readonly [number, number];
  /** Degrees from one latitude, and one longitude, to the next; undefined where they are not even. */
  readonly step?: readonly [number | undefined, number | undefined];
}

/** What daily values are, in the variable's unit. */
export interface InspectedValues {
  /** How many were looked at, one for each day, member and place. */
  readonly count: number;
  readonly missing: number;
  readonly infinite: number;
  /** Undefined where none is finite. */
  readonly lowest?: InspectedValue;
  readonly highest?: InspectedValue;
  /** The plausible range of the variable, and how many values lie below and above it. */
  readonly bounds?: readonly [number, number];
  readonly below?: number;
  readonly above?: number;
  /** Chunks that are not in a store, and how many there should be. */
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

/** How an array is read in some memory. */
export interface InspectedReading {
  readonly memory: number;
  readonly blocks: number;
  /** Stored pieces, and how often they are decoded in all; undefined where values are not stored in pieces. */
  readonly chunks?: number;
  readonly decoded?: number;
}
