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

/** TopoJSON of countries or of land. Throws OptionError for anything else. */
export function checkCoastlines(given: Coastlines | string): Coastlines {
  if (typeof given === 'object' && given !== null) {
    const { type, arcs, objects }: Partial<Coastlines> = given;
    const shapes = objects?.countries ?? objects?.land;
    if (type === 'Topology' && Array.isArray(arcs) && shapes !== undefined) return given;
  }
  throw unusable('coastlines', given, 'TopoJSON with an object countries or land, as of the package world-atlas');
}
