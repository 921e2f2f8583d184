import type { Core } from '../../core/load.js';
import type { Point } from '../../ensemble/nearest-place.js';
import type { Granularity } from '../../period/period.js';
import type { Body, MediaType } from '../../respond/body.js';
import type { JsonWriter } from '../../respond/json-writer.js';
import type { HorizonName } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import type { KeyRecord } from '../access/key-store.js';
import type { StoredLocation } from '../access/locations.js';
import type { AvailableVariables } from '../point/available-variables.js';
import type { RequestedCondition } from '../point/condition-shares.js';
import type { CoreBuffers, WindowTables } from '../point/core-buffers.js';
import type { PointClimatologies } from '../point/point-climatology.js';
import type { SeriesBuffers } from '../point/series.js';
import type { Snapshot } from '../source/source.js';
import type { Parameter, ParameterValues } from './parameters.js';

/** One path that answers with data: how its parameters become a query, and an answer to it becomes a body. */
export interface Endpoint {
  /** Unique; names the endpoint in metrics, too. Paths for several points are counted with `ofOnePoint`. */
  readonly operationId: string;
  /** Its last segment is `{id}` where it takes the place of a stored location. */
  readonly path: string;
  /** Of a path for several points alone: the endpoint that answers the same by `points` in place of `lat` and `lon`. */
  readonly ofOnePoint?: Endpoint;
  readonly generation: 'current' | 'legacy';
  readonly family: 'forecast' | 'history' | 'climatology';
  readonly summary: string;
  readonly description: string;
  /** Those of the query string, in the order of the documentation. */
  readonly parameters: readonly Parameter[];
  /** What is requested: the values of the parameters, as what computes takes them. */
  query(values: Readonly<Record<string, unknown>>, requester: Requester): DataQuery;
  /** The method of `Answers` that computes the answer. */
  readonly answer: 'members' | 'statistics' | 'history' | 'legacyForecast' | 'legacyHistory' | 'legacyClimatology';
  /** What finds the revision of the data behind the answer to a query. */
  revision(query: DataQuery): Revision;
  /** The name of the schema of its body in the OpenAPI document. */
  readonly schema: string;
  /** In order of preference. */
  readonly mediaTypes: readonly MediaType[];
  /** The body of a response; short JSON is written with `writer`. Throws DataError for what JSON cannot hold. */
  write(answer: unknown, mediaType: MediaType, writer: JsonWriter): Body | Promise<Body>;
}

/** A text that changes with any of the data behind an answer; undefined where a snapshot does not have them. */
export type Revision = (data: Snapshot) => string | undefined;

/** An endpoint with the types that belong together: those of its parameters, its query and its answer. */
export interface EndpointDefinition<Parameters extends readonly Parameter[], Query, Answer>
  extends Omit<Endpoint, 'parameters' | 'query' | 'write'> {
  readonly parameters: Parameters;
  query(values: ParameterValues<Parameters>, requester: Requester): Query;
  write(answer: Answer, mediaType: MediaType, writer: JsonWriter): Body | Promise<Body>;
}

/** Who requests, and the stored location that the path names. */
export interface Requester {
  readonly key: KeyRecord;
  readonly location: StoredLocation | undefined;
}

/**
 * What the queries of all endpoints have, and what only some of them have. `query-fields.ts` distinguishes
 * requests by all of these fields.
 */
export interface DataQuery {
  /** Of several points the first. */
  readonly point: Point;
  /** Where several are requested: in their order, and as often as they are given. */
  readonly points?: readonly Point[];
  /** In the order requested, each once; undefined for all that are not derived. */
  readonly variables: readonly Variable[] | undefined;
  readonly startDay?: number;
  readonly endDay?: number;
  readonly downscaling?: boolean;
  readonly quantiles?: readonly number[];
  readonly thresholds?: readonly RequestedCondition[];
  readonly terciles?: boolean;
  readonly skill?: boolean;
  readonly horizons?: boolean;
  readonly members?: 'all';
  readonly granularity?: Granularity;
  readonly horizon?: HorizonName;
  readonly locationId?: string;
}

/** What computes answers: a core, and what is kept between requests. */
export interface Tools {
  readonly core: Core;
  readonly available: AvailableVariables;
  readonly buffers: SeriesBuffers;
  readonly coreBuffers: CoreBuffers;
  readonly climatologies: PointClimatologies;
  readonly windows: WindowTables;
}
