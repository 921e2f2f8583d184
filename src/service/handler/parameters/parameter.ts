import type { Granularity } from '../../../period/window-table.js';
import type { Variable } from '../../../variable/variable.js';

/** A JSON Schema, as OpenAPI 3.1 takes it. */
export type Schema = Readonly<Record<string, unknown>>;

/** The values of all parameters by name; a parameter that an endpoint does not take has its default. */
export interface ParameterValues {
  lat: number;
  lon: number;
  var: readonly Variable[] | undefined;
  start_date: number | undefined;
  end_date: number | undefined;
  use_downscaling: boolean;
  statistics: readonly number[];
  granularity: Granularity;
}

export type ParameterName = keyof ParameterValues;

/**
 * Records what is wrong with a text; `received` is the part that is wrong, `allowed` a more exact description of what
 * is allowed.
 */
export type Reject = (detail: string, more?: { received?: string; allowed?: string }) => undefined;

/** One parameter of the query string: how it is read and documented. */
export interface Parameter<Name extends ParameterName = ParameterName> {
  readonly name: Name;
  /** For the documentation, in Markdown. */
  readonly description: string;
  readonly schema: Schema;
  readonly example: unknown;
  readonly required: boolean;
  /** Whether it may be given several times: then the texts are joined by commas. */
  readonly repeatable: boolean;
  /** Longer texts are rejected unread, in characters. */
  readonly maxLength: number;
  /** What is accepted, in words. */
  readonly allowed: string;
  /** Reads a text that is neither empty nor too long; returns undefined where it has called `reject`. */
  read(text: string, reject: Reject): ParameterValues[Name] | undefined;
}
