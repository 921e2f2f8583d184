import type { BoundingBox } from '../../ensemble/bounding-box.js';
import { boxText } from '../../ensemble/bounding-box.js';
import { DataError, mentionOption } from '../../errors.js';
import { type Feature, featuresOf, type GeoObject } from '../places/geo-json.js';
import type { RegionPlaces, RegionShape, Regions } from './region.js';
import { boxShape, regionShape } from './region-rings.js';

/** The properties that name a region, the first that a file has; then `id` of the feature itself. */
const NAMES = ['name', 'id'];

/**
 * Reads regions from GeoJSON or TopoJSON with polygons. Each has a name, by the property `name` or `id` or by `property`;
 * a file of one region needs none. Throws DataError for a region without a name or an outline, or a name that comes
 * twice.
 */
export function regionList(
  given: GeoObject,
  { source = 'regions', property }: { readonly source?: string; readonly property?: string | undefined } = {},
): Regions {
  const features = featuresOf(given, source);
  const names = namesOf(features, source, property);
  const notes = new Map<string, string[]>();
  const shapes = features.map(({ geometry }, index) => {
    const subject = names[index];
    if (geometry === undefined || !(geometry.type === 'Polygon' || geometry.type === 'MultiPolygon')) {
      const received = geometry?.type ?? 'no geometry';
      throw new DataError({
        source,
        subject,
        problem: 'has no outline',
        received,
        allowed: 'a Polygon or a MultiPolygon',
      });
    }
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    if (!Array.isArray(polygons) || !polygons.every(Array.isArray)) {
      throw new DataError({
        source,
        subject,
        problem: 'has no coordinates',
        received: polygons,
        allowed: 'lists of rings',
      });
    }
    return regionShape(polygons as readonly (readonly (readonly number[])[][])[], { source, subject }, (text) => {
      const known = notes.get(text) ?? [];
      notes.set(text, known.at(-1) === subject ? known : [...known, subject]);
    });
  });
  return withShapes(
    source,
    names,
    shapes,
    [...notes].map(([text, some]) => `${some.join('; ')} ${text}`),
  );
}

/** A box of latitudes and longitudes as one region. */
export function boxRegion(box: BoundingBox): Regions {
  const { south, west, north } = box;
  const east = box.east + (box.east < west ? 360 : 0);
  const shape = boxShape(south, west, north, east);
  if (shape === undefined) {
    throw new DataError({
      source: 'bbox',
      problem: 'has no area',
      received: boxText(box),
      allowed: 'a box with an area',
    });
  }
  return withShapes('bbox', [boxText(box)], [shape], []);
}

function withShapes(
  source: string,
  names: readonly string[],
  shapes: readonly RegionShape[],
  notes: readonly string[],
): Regions {
  const of = (axis: 'latitude' | 'longitude') => Float64Array.from(shapes, (shape) => shape[axis]);
  return { source, names, shapes, notes, latitude: of('latitude'), longitude: of('longitude') };
}

function namesOf(features: readonly Feature[], source: string, property: string | undefined): readonly string[] {
  const key = property ?? NAMES.map((name) => usualKey(features, name)).find((found) => found !== undefined);
  const names = features.map(({ properties, id }) => {
    const named = key === undefined ? undefined : properties[key];
    const found = named ?? (property === undefined ? id : undefined);
    return found === undefined || found === null || Object(found) === found ? '' : String(found).trim();
  });
  if (features.length === 1 && names[0] === '' && property === undefined) return ['region'];
  assertNames(source, names, [...new Set(features.flatMap(({ properties }) => Object.keys(properties)))]);
  return names;
}

/** The property of a usual name, whatever its case. */
function usualKey(features: readonly Feature[], name: string): string | undefined {
  for (const { properties } of features) {
    const found = Object.keys(properties).find((key) => key.toLowerCase() === name && properties[key] != null);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Throws DataError for a region without a name, or with the name of another one. */
function assertNames(source: string, names: readonly string[], properties: readonly string[]): void {
  const known = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    const before = known.get(name);
    known.set(name, index);
    if (name !== '' && before === undefined) continue;
    throw new DataError({
      ...{ source, subject: `region ${index + 1}` },
      problem: name === '' ? 'has no name' : `has the name of region ${(before ?? 0) + 1}`,
      received: name === '' ? `properties ${properties.join(', ') || 'none'}` : name,
      allowed: `a property with a name that no other region has, by default name or id; or another by ${mentionOption('regionName')}`,
    });
  }
}

/** Regions of other sources than outlines. */
export function namedRegions(
  source: string,
  names: readonly string[],
  middle: readonly { readonly latitude: number; readonly longitude: number }[],
): RegionPlaces {
  assertNames(source, names, []);
  const of = (axis: 'latitude' | 'longitude') => Float64Array.from(middle, (place) => place[axis]);
  return { source, names, notes: [], latitude: of('latitude'), longitude: of('longitude') };
}
