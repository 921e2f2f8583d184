import type { Table } from 'apache-arrow';
import type { Timeline } from '../../blend/blend.js';
import type { Core } from '../../core/load.js';
import type { Places, Point } from '../../ensemble/nearest-place.js';
import type { GridEnsemble } from '../../files/cf/grid-ensemble.js';
import type { Granularity } from '../../period/period.js';
import type { SeriesMethod } from '../view/view.js';
import type { SkillOfWindows } from './window-skill.js';

/** A variable that can be shown. */
export interface SourceVariable {
  /** Its slug; the name in the file where that is not a known variable. */
  readonly key: string;
  readonly isKnown: boolean;
}

/** The daily values of one variable at one place. */
export interface Series {
  /** The canonical wide form: a row for each day, a column for each member. */
  readonly table: Table;
  /** The time steps, where they are requested and the file has some. */
  readonly steps?: StepSeries;
  /** How it was joined, of several horizons. */
  readonly timeline?: Timeline;
  /** For people: what was done to values. */
  readonly notes: readonly string[];
}

/** The time steps of one variable at one place. */
interface StepSeries {
  /** A row for each step, as `timeSteps` has it. */
  readonly table: Table;
  readonly notes: readonly string[];
}

/** Which values to read. */
export interface SeriesRequest {
  readonly core: Core;
  readonly variable: string;
  /** The slug of what it is, as the reader says, where the data do not. */
  readonly as?: string;
  /** The model, of a table of several; the first by default. */
  readonly model?: string | undefined;
  /** Needed where there are several places. */
  readonly point?: Point;
  readonly method: SeriesMethod;
  /** Whether time steps are requested, too. */
  readonly steps?: boolean;
}

/** Which values to read of one file or run. */
export type ReadRequest = Omit<SeriesRequest, 'method'>;

/** Where values come from, for copied commands. */
export type Origin =
  | { readonly kind: 'sample' }
  | { readonly kind: 'files'; readonly files: readonly OriginFile[] }
  | { readonly kind: 'server'; readonly address: string };

/** The path or name of a file, and the address that it was read from. */
export interface OriginPath {
  readonly path: string;
  readonly url?: string;
}

/** A file as commands name it. */
interface OriginFile extends OriginPath {
  /** Those that are read together with it. */
  readonly others: readonly OriginPath[];
  /** Keys of its variables. */
  readonly variables: readonly string[];
  readonly form: FileForm;
  /** Which of the horizons it belongs to. */
  readonly horizon: number;
}

/** What a file is: a table, a file of arrays, or a Zarr store. */
export type FileForm = 'table' | 'arrays' | 'store';

/** Data that are open. */
export interface OpenSource {
  readonly origin: Origin;
  readonly title: string;
  readonly variables: readonly SourceVariable[];
  /** Empty where the data state none. */
  readonly places: Places;
  /** Whether any point may be requested, as of a server. */
  readonly hasAnyPlace: boolean;
  /** Whether values are of time steps within days, which can be shown. */
  readonly hasSteps: boolean;
  /** The names of models whose members are in one table, where there are several. */
  readonly models: readonly string[];
  /** The names of horizons, where there are several. */
  readonly horizons: readonly string[];
  /** Reads a variable. Throws what reading throws. */
  read(request: SeriesRequest): Promise<Series>;
  /** The history of a variable at a place, from which normal values are computed; undefined where there is none. */
  readonly history?: (variable: string, point: Point | undefined) => Promise<Table>;
  /** How good earlier forecasts of a variable's windows were at a place; undefined where nobody can know. */
  readonly skill?: (
    variable: string,
    granularity: Granularity,
    point: Point | undefined,
  ) => Promise<SkillOfWindows | undefined>;
  /** The values of a variable at all places of an open grid; undefined where the source has none, or it is joined of several. */
  readonly gridOf?: (variable: string) => ((as: string | undefined) => Promise<GridEnsemble>) | undefined;
  /** Tables of climatologies that were opened, by variable. */
  readonly climatologies: ReadonlyMap<string, ClimatologyFile>;
}

/** A climatology that was opened. */
export interface ClimatologyFile {
  readonly path: string;
  readonly table: Table;
}

/** The years of a server's history that normal values are of. */
export const REFERENCE = { startDate: '1993-01-01', endDate: '2022-12-31' };

/** No place. */
export const NO_PLACES: Places = { latitude: new Float64Array(0), longitude: new Float64Array(0) };
