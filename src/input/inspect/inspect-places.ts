import type { Grid } from '../../ensemble/grid.js';
import { labelAt, type PlaceLabels } from '../../ensemble/place-labels.js';
import type { InspectedLabel, InspectedPlaces } from './inspection.js';

/** So many values of a label are listed. */
const LISTED = 3;

/** The labels of places, which come part by part. */
export class LabelScan {
  readonly #values = new Map<string, Set<string>>();

  add(labels: PlaceLabels | undefined): void {
    for (const column of labels?.columns ?? []) {
      const values = this.#values.get(column.name) ?? new Set();
      this.#values.set(column.name, values);
      for (const cell of labels?.of.keys() ?? []) {
        const value = labelAt(labels as PlaceLabels, column, cell);
        if (value !== undefined && value !== null) values.add(String(value));
      }
    }
  }

  end(): InspectedLabel[] {
    const filled = [...this.#values].filter(([, values]) => values.size > 0);
    return filled.map(([name, values]) => ({ name, count: values.size, first: [...values].slice(0, LISTED) }));
  }
}

/** Describes where the cells of a grid are, and what else is known of its places. */
export function inspectPlaces(grid: Grid): InspectedPlaces {
  const scan = new LabelScan();
  scan.add(grid.labels);
  return withLabels(inspectCells(grid), scan);
}

/** What is known of places, with their labels. */
export function withLabels(places: InspectedPlaces, scan: LabelScan): InspectedPlaces {
  const labels = scan.end();
  return labels.length === 0 ? places : { ...places, labels };
}

function inspectCells(grid: Grid): InspectedPlaces {
  const { latitude, longitude } = grid;
  const extent = {
    ...(known(latitude) && { latitude: extentOf(latitude) }),
    ...(known(longitude) && {
      longitude: extentOf(longitude.map((degrees) => (degrees > 180 ? degrees - 360 : degrees))),
    }),
  };
  if (grid.kind === 'rectilinear') {
    const count = latitude.length * longitude.length;
    const step = [evenStep(latitude), evenStep(longitude)] as const;
    return { kind: 'rectilinear', count, shape: [latitude.length, longitude.length], ...extent, step };
  }
  const isCurvilinear = grid.shape.length > 1;
  return {
    kind: isCurvilinear ? 'curvilinear' : 'places',
    count: latitude.length,
    ...(isCurvilinear && { shape: grid.shape }),
    ...extent,
  };
}

function known(degrees: Float64Array): boolean {
  return degrees.length > 0 && !degrees.every(Number.isNaN);
}

function extentOf(degrees: Float64Array): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of degrees) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

/** The distance between neighbours, if it is the same everywhere except for rounding. */
function evenStep(degrees: Float64Array): number | undefined {
  if (degrees.length < 2) return undefined;
  const step = (degrees[degrees.length - 1] - degrees[0]) / (degrees.length - 1);
  const isEven = degrees.every((value, i) => Math.abs(degrees[0] + i * step - value) < Math.abs(step) * 1e-3);
  return isEven ? Number(Math.abs(step).toPrecision(6)) : undefined;
}
