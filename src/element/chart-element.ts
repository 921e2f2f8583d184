import type { Table } from 'apache-arrow';

/** A chart of an ensemble or of statistics in a page: the element that `definePlumeChart` defines. */
export interface PlumeChart extends HTMLElement {
  /**
   * What it shows: results of `statistics`, daily members in any form that `statistics` takes, or a result of
   * `memberWindows`. It comes before `src`.
   */
  table: Table | undefined;
  /** The address of an Arrow file, or of an answer of the service; the attribute `src`. */
  src: string;
  /** Headers of the request, such as `Authorization`. With them, redirects are an error. */
  headers: Readonly<Record<string, string>> | undefined;
  /** Settled when what was last requested is drawn, or has failed. It never rejects: the event `plume-error` has the error. */
  readonly complete: Promise<void>;
}

/** The detail of the event `plume-load`: the chart is drawn. */
export interface ChartLoad {
  /** The slugs of the variables, in the order of the panels; `values` where one is not named. */
  readonly variables: readonly string[];
  /** The number of windows of the panel that has most of them. */
  readonly windows: number;
}

/** The detail of the event `plume-error`. */
export interface ChartError {
  /** What is wrong, as the chart says it. */
  readonly message: string;
  readonly error: unknown;
}

/** The detail of the event `plume-select`: the reader points at a window, or at none. */
export interface ChartSelect {
  /** The first and the last day, as `2026-03-09`; undefined where none is chosen. */
  readonly start: string | undefined;
  readonly end: string | undefined;
  /** What the chart says of it. */
  readonly text: string;
}
