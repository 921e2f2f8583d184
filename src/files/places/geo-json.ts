import { isPlainObject } from '../../check/option-checks.js';
import { DataError } from '../../errors.js';

/** GeoJSON, or TopoJSON, as JSON.parse gives it. */
export interface GeoObject {
  readonly type: string;
}

/** A geometry of GeoJSON; the shape of coordinates depends on its type. */
interface Geometry {
  readonly type: string;
  readonly coordinates?: unknown;
}

/** A feature: what is somewhere, and where. */
export interface Feature {
  readonly id?: string | number;
  readonly geometry: Geometry | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** GeoJSON from before RFC 7946 may name other coordinates than longitude and latitude. */
const DEGREES = /(CRS:?84|EPSG:{1,2}4326|WGS ?84)$/i;

/**
 * The features of GeoJSON (RFC 7946), and of TopoJSON all objects of its collections. Throws DataError for what is
 * neither, and for coordinates of another reference system.
 */
export function featuresOf(given: GeoObject, source: string): readonly Feature[] {
  const { type } = given;
  const fail = (problem: string, received: unknown, allowed: string) =>
    new DataError({ source, problem, received, allowed });
  if (type === 'Topology') return featuresOfTopology(given as Topology, source);
  const { crs } = given as { readonly crs?: { readonly properties?: { readonly name?: unknown } } };
  const named = crs?.properties?.name;
  if (typeof named === 'string' && !DEGREES.test(named)) {
    throw fail(
      'has coordinates of another reference system',
      named,
      'longitudes and latitudes (ogr2ogr -t_srs EPSG:4326)',
    );
  }
  if (type === 'FeatureCollection') {
    const { features } = given as { readonly features?: unknown };
    if (Array.isArray(features) && features.length > 0) return features.map((each) => toFeature(each, source));
    throw fail('has no features', features, 'a FeatureCollection with at least one');
  }
  if (type === 'Feature') return [toFeature(given, source)];
  if ('coordinates' in given) return [{ geometry: given as Geometry, properties: {} }];
  throw fail('is no GeoJSON', type, 'a FeatureCollection, a Feature, a geometry, or a Topology');
}

function toFeature(given: unknown, source: string): Feature {
  if (!isPlainObject(given))
    throw new DataError({ source, problem: 'has a feature that is no object', received: given });
  const { id, geometry, properties } = given as Partial<Feature>;
  return {
    ...((typeof id === 'string' || typeof id === 'number') && { id }),
    geometry: isPlainObject(geometry) ? (geometry as Geometry) : undefined,
    properties: isPlainObject(properties) ? (properties as Feature['properties']) : {},
  };
}

type Position = readonly number[];

/** Geometries that share arcs: https://github.com/topojson/topojson-specification */
interface Topology extends GeoObject {
  readonly objects: Readonly<Record<string, TopologyObject>>;
  readonly arcs: readonly (readonly Position[])[];
  readonly transform?: { readonly scale: Position; readonly translate: Position };
}

interface TopologyObject {
  readonly type: string;
  readonly id?: string | number;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly geometries?: readonly TopologyObject[];
  readonly coordinates?: Position;
  readonly arcs?: unknown;
}

function featuresOfTopology({ objects, arcs, transform }: Topology, source: string): readonly Feature[] {
  if (!isPlainObject(objects) || !Array.isArray(arcs)) {
    throw new DataError({ source, problem: 'is a Topology without objects or arcs', allowed: 'both' });
  }
  const { scale = [1, 1], translate = [0, 0] } = transform ?? {};
  const placed = ([x, y]: Position): Position => [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  const decoded = arcs.map((arc) => {
    if (transform === undefined) return arc;
    let [x, y] = [0, 0];
    // Each position is the difference from the one before it.
    return arc.map(([dx, dy]: Position) => placed([(x += dx), (y += dy)]));
  });
  const arcAt = (index: number): readonly Position[] => {
    const arc = decoded[index < 0 ? ~index : index];
    if (arc === undefined) throw new DataError({ source, problem: 'has no such arc', received: index });
    return index < 0 ? [...arc].reverse() : arc;
  };
  /** Arcs one after the other: the first position of each is the last of the one before it. */
  const line = (indices: readonly number[]) =>
    indices.flatMap((index, i) => (i === 0 ? arcAt(index) : arcAt(index).slice(1)));
  const lines = (nested: unknown): unknown =>
    Array.isArray(nested) && typeof nested[0] === 'number' ? line(nested) : (nested as unknown[]).map(lines);
  const toFeatures = (object: TopologyObject): Feature[] => {
    if (object.type === 'GeometryCollection') return (object.geometries ?? []).flatMap(toFeatures);
    const { type, id, properties = {}, coordinates } = object;
    const isPoint = coordinates !== undefined;
    const found = isPoint ? placed(coordinates) : object.arcs === undefined ? undefined : lines(object.arcs);
    const geometry = found === undefined ? undefined : { type, coordinates: found };
    return [{ ...(id !== undefined && { id }), geometry, properties }];
  };
  return Object.values(objects).flatMap(toFeatures);
}
