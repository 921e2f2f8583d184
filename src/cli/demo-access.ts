import type { StoredLocation } from '../service/access/locations.js';

/** The keys of the demo store, which everybody knows. */
export const DEMO_KEYS = { coarse: 'demo', fine: 'demo-1km' } as const;

/** The stored locations of the demo store: one on its grid, and one beside it, which forecasts cover but legacy history does not. */
export const DEMO_LOCATIONS: readonly StoredLocation[] = [
  { id: 'demo-field', latitude: 37.3, longitude: -79.84 },
  { id: 'demo-remote', latitude: 38.2, longitude: -79.84 },
];
