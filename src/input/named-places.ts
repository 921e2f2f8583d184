import type { Ensemble } from '../ensemble/ensemble.js';
import type { Grid } from '../ensemble/grid.js';
import { onlyCell } from '../ensemble/nearest-cell.js';
import { idsOf, type PlaceLabels } from '../ensemble/place-labels.js';
import { DataError, mentionOption } from '../errors.js';
import type { ValueOptions } from './input-request.js';
import { isRegionBox } from './place-options.js';

/** An ensemble of one place, and its id. */
interface NamedPlace {
  readonly ensemble: Ensemble;
  readonly id: string | undefined;
}

/** Which places of several are drawn. */
export interface PlacesToDraw {
  readonly values: ValueOptions;
  /** How many at most. */
  readonly maxPlaces: number;
  /** Whether each has a picture of its own, whose name has the id of the place. */
  readonly hasOwnPictures: boolean;
}

/** The labels of a grid's cells, where it is a list of places. */
export function labelsOf(grid: Grid): PlaceLabels | undefined {
  return grid.kind === 'places' ? grid.labels : undefined;
}

/** Throws DataError for several places of which none was asked for, and for more than can be drawn. */
export function assertDrawable(
  cells: number,
  labels: PlaceLabels | undefined,
  source: string,
  { values, maxPlaces, hasOwnPictures }: PlacesToDraw,
): void {
  const { points, regions, ids } = values;
  const areRequested = [points, regions, ids].some((given) => given !== undefined) || isRegionBox(values);
  const haveNames = hasOwnPictures && labels?.hasId === true;
  if (cells > 1 && !areRequested && !haveNames) throw severalPlaces(source, cells);
  if (cells <= maxPlaces) return;
  const each = hasOwnPictures ? '' : `, or a picture for each: ${mentionOption('out', 'plume-{id}.svg')}`;
  const problem = 'has more places than can be drawn';
  throw new DataError({ source, problem, received: `${cells} places`, allowed: `at most ${maxPlaces}${each}` });
}

/** Each place of an ensemble by itself, after `assertDrawable`. */
export function namedPlaces({ parts, ...ensemble }: Ensemble, source: string, request: PlacesToDraw): NamedPlace[] {
  const cells = parts.reduce((sum, { field }) => sum + field.cells, 0);
  assertDrawable(cells, parts[0]?.labels, source, request);
  return parts.flatMap((part) =>
    Array.from({ length: part.field.cells }, (_, cell): NamedPlace => {
      const only = part.field.cells === 1 ? part : onlyCell(part, cell);
      return { ensemble: { ...ensemble, parts: [only] }, id: idsOf(only.labels)?.[0] };
    }),
  );
}

function severalPlaces(source: string, cells: number): DataError {
  const problem = 'has several places, and a meteogram is of one';
  return new DataError({
    ...{ source, problem, received: `${cells} places` },
    allowed: `one, by ${mentionOption('point')}; some, by ${mentionOption('ids')}, ${mentionOption('points')} or ${mentionOption('regions')}; or a map of all, by ${mentionOption('map', true)}`,
  });
}
