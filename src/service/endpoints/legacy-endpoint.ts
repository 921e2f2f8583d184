import type { Point } from '../../ensemble/nearest-place.js';
import { JSON_TYPE } from '../../respond/body.js';
import type { JsonWriter } from '../../respond/json-writer.js';
import type { Variable } from '../../variable/variable.js';
import type { StoredLocation } from '../access/locations.js';
import type { DataQuery, Endpoint, EndpointDefinition } from './endpoint.js';
import { latitudeParameter, longitudeParameter, type Parameter, type ParameterValues } from './parameters.js';

/** The place of a legacy query. */
interface LegacyPlace {
  readonly point: Point;
  /** The id of the stored location, where the request names one. */
  readonly locationId: string | undefined;
}

/** What all legacy endpoints take. */
export interface LegacyParameters extends LegacyPlace {
  readonly variables: readonly Variable[] | undefined;
}

/** What the variants of a legacy endpoint have in common. */
interface LegacyDefinition<Parameters extends readonly Parameter[], Query, Answer>
  extends Omit<EndpointDefinition<Parameters, Query, Answer>, 'generation' | 'query' | 'mediaTypes' | 'write'> {
  query(values: ParameterValues<Parameters>, place: LegacyPlace): Query;
  /** The body as JSON. */
  write(answer: Answer, writer: JsonWriter): Uint8Array;
}

/**
 * The four variants of an endpoint of `/v1`: by coordinates and by stored location, each with the prefix `/v1` and
 * without. All answer JSON only.
 */
export function legacyEndpoints<const Parameters extends readonly Parameter[], Query extends DataQuery, Answer>(
  definition: LegacyDefinition<Parameters, Query, Answer>,
): Endpoint[] {
  const { operationId, path, summary, parameters, query, write } = definition;
  const common = {
    ...definition,
    generation: 'legacy' as const,
    mediaTypes: [JSON_TYPE] as const,
    write: (answer: Answer, _: string, writer: JsonWriter) => write(answer, writer),
  };
  type Values = ParameterValues<Parameters>;
  const byPoint: Endpoint = {
    ...common,
    parameters: [latitudeParameter(), longitudeParameter(), ...parameters],
    query: (values: Values & { readonly lat: number; readonly lon: number }) =>
      query(values, { point: { latitude: values.lat, longitude: values.lon }, locationId: undefined }),
  };
  const byLocation: Endpoint = {
    ...common,
    operationId: `${operationId}OfLocation`,
    path: `${path}/location/{id}`,
    summary: `${summary}, of a stored location`,
    query(values: Values, { location }) {
      const { id, latitude, longitude } = location as StoredLocation;
      return query(values, { point: { latitude, longitude }, locationId: id });
    },
  };
  return [byPoint, withoutPrefix(byPoint), byLocation, withoutPrefix(byLocation)];
}

function withoutPrefix(endpoint: Endpoint): Endpoint {
  return {
    ...endpoint,
    operationId: `${endpoint.operationId}Unprefixed`,
    path: endpoint.path.slice('/v1'.length),
    description: `The same as \`${endpoint.path}\`, for existing integrations. ${endpoint.description}`,
  };
}
