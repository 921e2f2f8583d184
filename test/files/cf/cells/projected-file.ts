import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MemoryArray, memoryFile } from '../memory-file.js';

export type Attributes = Readonly<Record<string, string | number | number[]>>;

export interface Reference {
  readonly mapping: Attributes & { readonly grid_mapping_name: string };
  /** x, y, and the latitude and longitude that pyproj gives: none beside the disc of the earth. */
  readonly points: readonly (readonly [number, number, number | null, number | null])[];
}

/** Written by write_projections.py. */
export const { cases } = JSON.parse(readFileSync(join(import.meta.dirname, 'projections.json'), 'utf8')) as {
  cases: Reference[];
};

export const AXES: Readonly<Record<string, readonly [Attributes, Attributes]>> = {
  geostationary: [
    { standard_name: 'projection_y_angular_coordinate', units: 'radian' },
    { standard_name: 'projection_x_angular_coordinate', units: 'radian' },
  ],
  rotated_latitude_longitude: [
    { standard_name: 'grid_latitude', units: 'degrees' },
    { standard_name: 'grid_longitude', units: 'degrees' },
  ],
};
export const METRES = [
  { standard_name: 'projection_y_coordinate', units: 'm' },
  { standard_name: 'projection_x_coordinate', units: 'm' },
] as const;

export interface Parts {
  readonly y: readonly number[];
  readonly x: readonly number[];
  readonly mapping: Attributes;
  readonly axes?: readonly [Attributes, Attributes];
  readonly attributes?: Attributes;
  readonly names?: readonly ['y' | 'x', 'y' | 'x'];
}

/** A file whose cells are on a plane: every y with every x, or in the other order of dimensions. */
export function projectedFile({
  y,
  x,
  mapping,
  axes = METRES,
  attributes = { grid_mapping: 'crs' },
  names = ['y', 'x'],
}: Parts) {
  const lengths = { y: y.length, x: x.length };
  const dimensions = { time: 1, ...Object.fromEntries(names.map((name) => [name, lengths[name]])) };
  const arrays: Record<string, MemoryArray> = {
    time: { dimensions: { time: 1 }, values: [0], attributes: { units: 'days since 2026-01-01' } },
    y: { dimensions: { y: y.length }, values: y, attributes: axes[0] },
    x: { dimensions: { x: x.length }, values: x, attributes: axes[1] },
    crs: { type: 'int32', values: [0], attributes: mapping },
    tas: {
      dimensions,
      values: Float64Array.from({ length: x.length * y.length }, (_, i) => i),
      attributes: { units: 'degC', standard_name: 'air_temperature', ...attributes },
    },
  };
  return memoryFile(arrays);
}
