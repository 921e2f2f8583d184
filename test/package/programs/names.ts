/*
 * Functions whose results other functions take, and names that the declarations must keep. Compiled by
 * `scripts/check-declarations.mjs`.
 */
import { type Core, loadCore } from 'plumecast';
import type { Coastlines } from 'plumecast/plot';

export const core: Promise<Core> = loadCore(new Uint8Array(8));
/** As TypeScript reads JSON files. */
const file = { type: 'Topology', objects: { land: { type: 'GeometryCollection' } }, arcs: [[[0, 0]]] };
export const coastlines: Coastlines = file;
