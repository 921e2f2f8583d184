/** How the globe becomes a plane: latitudes and longitudes as they are, a Lambert cone, or a view of a pole. */
export type MapProjectionName = 'equirectangular' | 'lambert' | 'polar';

/** Every projection. */
export const MAP_PROJECTIONS: readonly MapProjectionName[] = /* @__PURE__ */ Object.freeze([
  'equirectangular',
  'lambert',
  'polar',
] as const);
