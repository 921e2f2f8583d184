import { matchingCells } from '../../ensemble/align-ensembles.js';
import type { DailySource } from '../../ensemble/daily-source.js';
import { distanceFrom, isCurvilinear, onSphere, type Places, type Point } from '../../ensemble/nearest-place.js';
import { PlaceIndex } from '../../ensemble/place-index.js';
import { areRegions, idsOf, labelAt, type PlaceLabels } from '../../ensemble/place-labels.js';
import { DataError, mentionOption, OptionError } from '../../errors.js';

/** The places at which forecasts are verified. */
export interface MatchedPlaces extends Places {
  readonly count: number;
  /** For each place the cell of forecasts, and of observations; undefined where all cells are taken in their order. */
  readonly forecast: Int32Array | undefined;
  readonly observed: Int32Array | undefined;
  /** The name of the region of each place, where results are by region. */
  readonly regions?: readonly string[];
  /** Whether the places are cells of a grid of latitudes and longitudes. */
  readonly areCells: boolean;
  /** What was matched, and what was left out, for people. */
  readonly notes: readonly string[];
}

/** Whether the cells of a source are a grid, and no stations. */
export function isGrid({ grid, latitude }: DailySource): boolean {
  if (grid === undefined || latitude.length < 2) return false;
  return grid.kind === 'rectilinear' || isCurvilinear(grid.shape);
}

/**
 * Matches the places of a forecast and of observations: by ids where both have some, else by the nearest place within a
 * grid step, or a degree of a place without neighbours. Cases are at the places of the forecast; where the forecast is a
 * grid and observations are stations, at the stations. Places without a match are left out. Throws DataError where none
 * is left, where one side has no coordinates, and where one has regions and the other places.
 */
export function matchPlaces(forecast: DailySource, observed: DailySource): MatchedPlaces {
  assertRegions(forecast, observed);
  if (arePlaced(forecast, observed)) {
    const atStations = isGrid(forecast) && !isGrid(observed);
    return atStations ? matched(observed, forecast, true) : matched(forecast, observed, false);
  }
  const { latitude, longitude, labels } = forecast;
  if (latitude.length === 1 && observed.latitude.length === 1) {
    const notes = ['the only place of forecasts and of observations'];
    const known = Number.isNaN(latitude[0]) ? observed : { latitude, longitude, labels };
    return { ...placesOf(known), ...{ count: 1, forecast: undefined, observed: undefined, areCells: false, notes } };
  }
  const without = isUnplaced(forecast) ? forecast : observed;
  throw new DataError({
    source: without.source,
    problem: 'has no coordinates and no ids to match places by',
    received: `${forecast.latitude.length} places of forecasts, ${observed.latitude.length} of observations`,
    allowed: 'columns latitude and longitude, or an id in both; or one place in both',
  });
}

/**
 * The places that have a region, by `regionOf`, else by their label `region`. Throws OptionError where nothing states regions,
 * and DataError where no place is in one.
 */
export function placesInRegions(
  places: MatchedPlaces,
  regionOf: ((place: Point) => string | undefined) | undefined,
  source: string,
): MatchedPlaces {
  const { latitude, longitude, labels, count, notes } = places;
  const column = labels?.columns.find(({ name }) => name.toLowerCase() === 'region');
  if (regionOf === undefined && column === undefined) {
    throw new OptionError({
      ...{ subject: 'by', problem: 'needs regions', received: 'region' },
      allowed: `${mentionOption('regions')} for places that have coordinates, or a column region of the places of ${source}`,
    });
  }
  const names = Array.from({ length: count }, (_, place) => {
    if (regionOf !== undefined) return regionOf({ latitude: latitude[place], longitude: longitude[place] });
    return labels && column && labelAt(labels, column, place);
  });
  const chosen = Int32Array.from(names.keys()).filter((place) => names[place] !== undefined && names[place] !== null);
  if (chosen.length === 0) {
    throw new DataError({
      ...{ source, problem: 'has no place in a region', received: placesText(count) },
      allowed: 'regions that hold some of the places',
    });
  }
  const left = count - chosen.length;
  const of = (order: Int32Array | undefined) => chosen.map((place) => order?.[place] ?? place);
  const outside = `${placesText(left)} outside of all regions ${left === 1 ? 'is' : 'are'} left out`;
  return {
    ...places,
    latitude: Float64Array.from(chosen, (place) => latitude[place]),
    longitude: Float64Array.from(chosen, (place) => longitude[place]),
    labels: someLabels(labels, chosen),
    count: chosen.length,
    forecast: left === 0 ? places.forecast : of(places.forecast),
    observed: left === 0 ? places.observed : of(places.observed),
    regions: Array.from(chosen, (place) => String(names[place])),
    notes: left === 0 ? notes : [...notes, outside],
  };
}

/** Throws DataError for forecasts of regions, where observations have none of their names, and the other way round. */
function assertRegions(forecast: DailySource, observed: DailySource): void {
  const [one, other] = areRegions(forecast.labels) ? [forecast, observed] : [observed, forecast];
  if (!areRegions(one.labels) || areRegions(other.labels)) return;
  const regions = idsOf(one.labels) ?? [];
  const own = idsOf(other.labels);
  if (own?.some((id) => regions.includes(id))) return;
  throw new DataError({
    source: other.source,
    problem: `has places, and ${one.source} has regions`,
    received: own === undefined ? 'no ids' : own.slice(0, 3).join(', '),
    allowed: `a grid, or a column id with names of regions, such as ${regions[0]}`,
  });
}

function placesOf({ latitude, longitude, labels }: Places): Places {
  return { latitude, longitude, labels };
}

const isUnplaced = ({ latitude }: Places) => latitude.every(Number.isNaN);

function arePlaced(forecast: Places, observed: Places): boolean {
  const haveIds = idsOf(forecast.labels) !== undefined && idsOf(observed.labels) !== undefined;
  return haveIds || !(isUnplaced(forecast) || isUnplaced(observed));
}

/** The places of `own` that the other source covers. */
function matched(own: DailySource, other: DailySource, areObserved: boolean): MatchedPlaces {
  const byId = cellsById(own, other);
  const found = byId ?? nearestCells(own, other);
  const chosen = Int32Array.from(found.keys()).filter((place) => found[place] >= 0);
  const all = own.latitude.length;
  if (chosen.length === 0) {
    throw new DataError({
      source: other.source,
      problem: byId === undefined ? 'is not near any place' : 'has no id',
      received: `${all} places of ${own.source}`,
      allowed:
        'observations of places that have forecasts, within a grid step of each other (a degree of places without neighbours)',
    });
  }
  const cells = chosen.map((place) => found[place]);
  const left = all - chosen.length;
  const [at, of] = areObserved ? ['observations', 'forecasts'] : ['forecasts', 'observations'];
  const how =
    byId === undefined
      ? `the nearest ${areObserved ? 'cell' : 'place'} of ${of}, at most ${farthest(own, other, chosen, cells)} degrees away`
      : `the one of ${of} with the same id`;
  const notes = [
    `scored at ${placesText(chosen.length)} of ${at}, with ${how}`,
    ...(left > 0 ? [`${placesText(left)} of ${at} without ${of} ${left === 1 ? 'is' : 'are'} left out`] : []),
  ];
  const [ownOrder, otherOrder] = [orderOf(chosen, all), orderOf(cells, other.latitude.length)];
  return {
    latitude: Float64Array.from(chosen, (place) => own.latitude[place]),
    longitude: Float64Array.from(chosen, (place) => own.longitude[place]),
    labels: someLabels(own.labels, chosen),
    ...{ count: chosen.length, areCells: isGrid(own) && own.grid?.kind === 'rectilinear', notes },
    forecast: areObserved ? otherOrder : ownOrder,
    observed: areObserved ? ownOrder : otherOrder,
  };
}

const placesText = (count: number) => `${count} place${count === 1 ? '' : 's'}`;

function someLabels(labels: PlaceLabels | undefined, chosen: Int32Array): PlaceLabels | undefined {
  return labels && { ...labels, of: chosen.map((place) => labels.of[place]) };
}

/** Undefined for all cells in their order. */
function orderOf(cells: Int32Array, count: number): Int32Array | undefined {
  return cells.length === count && cells.every((cell, i) => cell === i) ? undefined : cells;
}

/** For each place the cell of the other with its id; undefined where one has no ids, or they share none. */
function cellsById(own: Places, other: Places): Int32Array | undefined {
  const [ids, others] = [idsOf(own.labels), idsOf(other.labels)];
  if (ids === undefined || others === undefined) return undefined;
  const at = new Map(others.map((id, cell) => [id, cell]));
  const found = Int32Array.from(ids, (id) => at.get(id) ?? -1);
  const isOnlyWay = isUnplaced(own) || isUnplaced(other);
  return isOnlyWay || found.some((cell) => cell >= 0) ? found : undefined;
}

function nearestCells({ latitude, longitude }: Places, other: DailySource): Int32Array {
  const index = new PlaceIndex(
    { latitude: other.latitude, longitude: other.longitude },
    other.grid?.kind === 'places' ? other.grid.shape : undefined,
  );
  return Int32Array.from(latitude, (north, place) => {
    const point = { latitude: north, longitude: longitude[place] };
    return Number.isNaN(north + point.longitude) ? -1 : (index.covering(point) ?? -1);
  });
}

function farthest(own: Places, other: Places, chosen: Int32Array, cells: Int32Array): number {
  let most = 0;
  for (const [i, place] of chosen.entries()) {
    const at = onSphere({ latitude: own.latitude[place], longitude: own.longitude[place] });
    most = Math.max(most, distanceFrom(at, other.latitude[cells[i]], other.longitude[cells[i]]));
  }
  return Number(most.toPrecision(2));
}

/** The cells of another run at places that were matched with the first one. Throws DataError where it has others. */
export function orderOfRun(places: MatchedPlaces, first: DailySource, run: DailySource): Int32Array | undefined {
  if (run === first) return places.forecast;
  const own = matchingCells(first, run);
  if (own === undefined) return places.forecast;
  return places.forecast === undefined ? own : places.forecast.map((cell) => own[cell]);
}
