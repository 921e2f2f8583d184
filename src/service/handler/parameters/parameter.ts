import type { Granularity } from '../../../period/window-table.js';
import type { Variable } from '../../../variable/variable.js';

/** A JSON Schema, as OpenAPI 3.1 takes it. */
export type Schema = Readonly<Record<string, unknown>>;

/** The values of all parameters by name; what an endpoint does not take has the value of an omitted parameter. */
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

/** Notes what is wrong with a text; `received` where that is only a part of it, `allowed` where it is known more closely. */
export type Reject = (detail: string, more?: { received?: string; allowed?: string }) => undefined;

/** One parameter of the query string: what validates it and what documents it. */
export interface Parameter<Name extends ParameterName = ParameterName> {
  readonly name: Name;
  /** For the documentation, in Markdown. */
  readonly description: string;
  readonly schema: Schema;
  readonly example: unknown;
  readonly required: boolean;
  /** Whether it may be given several times; the texts are then joined by commas. */
  readonly repeatable: boolean;
  /** The longest text that is read at all, in characters. */
  readonly longest: number;
  /** What is accepted, in words. */
  readonly allowed: string;
  /** The value of a text that is neither empty nor too long; undefined after each fault that it notes. */
  read(text: string, reject: Reject): ParameterValues[Name] | undefined;
}
