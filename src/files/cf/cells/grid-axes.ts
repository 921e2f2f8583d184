import { assertKind, assertOneOf, assertShape } from '../../../check/option-checks.js';
import type { Grid } from '../../../ensemble/grid.js';
import { unusable } from '../../../errors.js';
import type { ModelCalendar } from '../../../period/calendar.js';
import type { AttributeValue } from '../../array/array-file.js';
import type { NetcdfArray } from '../../netcdf4/netcdf-content.js';
import { labelArrays } from './station-labels.js';

/** How cells or times are written to a NetCDF file. */
export interface Axes {
  /** The dimensions of values, and their lengths. */
  readonly dimensions: readonly (readonly [string, number])[];
  readonly arrays: readonly NetcdfArray[];
}

/** Axes of cells, and the attributes of values that name their coordinates where the dimensions do not. */
export interface CellAxes extends Axes {
  readonly valueAttributes: readonly (readonly [string, AttributeValue])[];
}

const LATITUDE = [
  ['standard_name', 'latitude'],
  ['long_name', 'latitude'],
  ['units', 'degrees_north'],
] as const;
const LONGITUDE = [
  ['standard_name', 'longitude'],
  ['long_name', 'longitude'],
  ['units', 'degrees_east'],
] as const;

/** Throws OptionError for what is not a grid. */
function assertGrid(grid: Grid): void {
  assertShape('grid', grid, { kind: 'text', latitude: 'doubles', longitude: 'doubles' });
  assertOneOf('grid.kind', grid.kind, ['rectilinear', 'places']);
  if (grid.kind === 'rectilinear') return;
  const { shape, latitude, longitude } = grid;
  assertKind('grid.shape', shape, 'list');
  const cells = shape.reduce((product, length) => product * (Number.isSafeInteger(length) ? length : Number.NaN), 1);
  if (shape.length < 1 || shape.length > 2 || cells !== latitude.length || cells !== longitude.length) {
    throw unusable('grid.shape', shape, `one or two lengths of ${latitude.length} cells, each with both coordinates`);
  }
}

/**
 * Creates the axes of cells by the CF conventions: `latitude, longitude` of a rectilinear grid, else `location`, or `y,
 * x`.
 */
export function cellAxes(grid: Grid): CellAxes {
  assertGrid(grid);
  const { kind, latitude, longitude, labels, ...rest } = grid;
  if (kind === 'rectilinear') {
    return {
      dimensions: [
        ['latitude', latitude.length],
        ['longitude', longitude.length],
      ],
      arrays: [
        coordinate('latitude', ['latitude'], latitude, [...LATITUDE, ['axis', 'Y']]),
        coordinate('longitude', ['longitude'], longitude, [...LONGITUDE, ['axis', 'X']]),
        ...labelArrays(labels, ['latitude', 'longitude']),
      ],
      valueAttributes: [],
    };
  }
  const shape = 'shape' in rest ? rest.shape : [latitude.length];
  const names = shape.length === 2 ? ['y', 'x'] : ['location'];
  const dimensions = names.map((name, d) => [name, shape[d]] as const);
  const ofPlaces = labelArrays(labels, names);
  const named = ofPlaces.map(({ name }) => name);
  // A single series may have no coordinates, and so may places with ids.
  if (latitude.every(Number.isNaN)) {
    return {
      dimensions,
      arrays: ofPlaces,
      valueAttributes: named.length > 0 ? [['coordinates', named.join(' ')]] : [],
    };
  }
  return {
    dimensions,
    arrays: [
      coordinate('latitude', names, latitude, LATITUDE),
      coordinate('longitude', names, longitude, LONGITUDE),
      ...ofPlaces,
    ],
    valueAttributes: [
      ['coordinates', ['latitude', 'longitude', ...named].join(' ')],
      // Only CDO knows this attribute; without it, CDO would read members as rows of a grid.
      ...(shape.length === 1 ? [['CDI_grid_type', 'unstructured'] as const] : []),
    ],
  };
}

/** Creates the axis `time` in days of a calendar, with bounds where `ends` are given (day numbers, inclusive). */
export function timeAxis(calendar: ModelCalendar | undefined, starts: Int32Array, ends?: Int32Array): Axes {
  const attributes: [string, AttributeValue][] = [
    ['standard_name', 'time'],
    ['long_name', ends === undefined ? 'UTC day' : 'first day of the window'],
    ['units', 'days since 1970-01-01'],
    ['calendar', calendar ?? 'proleptic_gregorian'],
    ['axis', 'T'],
  ];
  if (ends === undefined) {
    return { dimensions: [['time', starts.length]], arrays: [coordinate('time', ['time'], starts, attributes)] };
  }
  const bounds = Int32Array.from({ length: 2 * starts.length }, (_, i) =>
    i % 2 === 0 ? starts[i >> 1] : ends[i >> 1] + 1,
  );
  return {
    dimensions: [
      ['time', starts.length],
      ['bnds', 2],
    ],
    arrays: [
      coordinate('time', ['time'], starts, [...attributes, ['bounds', 'time_bnds']]),
      coordinate('time_bnds', ['time', 'bnds'], bounds, []),
    ],
  };
}

function coordinate(
  name: string,
  dimensions: readonly string[],
  values: Int32Array | Float64Array,
  attributes: readonly (readonly [string, AttributeValue])[],
): NetcdfArray {
  const type = values instanceof Int32Array ? 'int32' : 'float64';
  return { name, type, dimensions, attributes: new Map(attributes), values };
}
