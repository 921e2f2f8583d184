import type { Bool, DataType, DateDay, Dictionary, Float, Float64, Int32, Table, Utf8 } from 'apache-arrow';

/** The type of columns of texts. */
export type Text = Dictionary<Utf8, Int32>;

/** The columns of a table of statistics. Quantiles, shares and others are there where they are requested. */
export type StatisticsFields = {
  variable: Text;
  units: Text;
  latitude: Float64;
  longitude: Float64;
  period: Text;
  /** Of the calendar window, inclusive; texts in calendars without the real days. */
  start: DateDay;
  end: DateDay;
  complete: Bool;
  n_days: Int32;
  n_members: Int32;
  mean: Float;
  spread: Float;
  anomaly: Float;
  /** A quantile: `q05`. */
  [quantile: `q${number}`]: Float;
  /** A share of members: `p_gt_20`, `p_below`. */
  [share: `p_${string}`]: Float;
  // So that names which a program makes are names of columns, too.
  [column: string]: DataType;
};

/** A row for each place and window: see `statistics`. */
export type StatisticsTable = Table<StatisticsFields>;
