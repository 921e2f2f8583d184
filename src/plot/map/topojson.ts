import { unusable } from '../../errors.js';

/**
 * Coastlines and borders as TopoJSON: a file of the package world-atlas, such as `countries-50m.json` or
 * `land-110m.json`, or others with an object `countries` or `land`.
 */
export interface Coastlines {
  /** `Topology`. */
  readonly type: string;
  readonly objects: Readonly<Record<string, object>>;
  readonly arcs: readonly object[];
}

/** Throws OptionError for what is not TopoJSON of countries or of land. */
export function checkCoastlines(given: Coastlines): void {
  const { type, arcs, objects } = (given ?? {}) as Partial<Coastlines>;
  const shapes = objects?.countries ?? objects?.land;
  if (type === 'Topology' && Array.isArray(arcs) && shapes !== undefined) return;
  throw unusable('coastlines', given, 'TopoJSON with an object countries or land, as of the package world-atlas');
}
