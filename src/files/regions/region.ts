/** The outline of a region, of which all edges are straight in longitude and latitude. */
export interface RegionShape {
  /** Edges of all rings, in degrees; longitudes go on beyond 180 where a ring crosses the date line. */
  readonly edges: RegionEdges;
  /** A place in its middle. */
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * Edges from a first to a second end, so directed that those that go north have the region on their east: outer rings
 * are clockwise, holes counterclockwise.
 */
export interface RegionEdges {
  readonly count: number;
  readonly west: number;
  readonly east: number;
  /** Longitude and latitude of both ends of each edge. */
  readonly ends: Float64Array;
  /** The edge that begins where each ends. */
  readonly next: Int32Array;
}

/** Regions by their names, each with a place in its middle. */
export interface RegionPlaces {
  /** The name in messages. */
  readonly source: string;
  readonly names: readonly string[];
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** What was done to outlines, for people. */
  readonly notes: readonly string[];
}

/** Regions with their outlines. */
export interface Regions extends RegionPlaces {
  readonly shapes: readonly RegionShape[];
}
