import { assertKind, assertOneOf, assertShape } from '../../check/option-checks.js';
import { cellsOfGrid, GRID_PROJECTIONS, type Grid, type GridProjection } from '../../ensemble/grid.js';
import { DataError, unusable } from '../../errors.js';
import { windowsOf } from '../../period/windows.js';
import type { Statistic } from '../../statistics/statistic.js';
import { STATISTIC_KINDS } from '../../statistics/statistic-kinds.js';
import { readWindowValue } from '../../statistics/window-measure.js';
import { WINDOW_RULES, type WindowRule } from '../../variable/variable.js';

/** What a map shows: a value for each cell of a grid, and what it is. */
export interface MapField {
  readonly grid: Grid;
  /** By cell, in the order of the grid; NaN is missing. */
  readonly values: ArrayLike<number>;
  /** What the values are; without it, they are shown as they are. */
  readonly statistic?: Statistic;
  /** The slug of the variable, and its units. */
  readonly variable?: string;
  readonly units?: string;
  /** How the days of the window were combined. */
  readonly window?: WindowRule | (string & {});
  /** The windows, if the values are of one: `weekly`, or what others are, as `windowsOf` says it. */
  readonly granularity?: string;
  /** The key of the window. Default: the day, week or month of `start`. */
  readonly period?: string;
  /** Day numbers of its first and last day. */
  readonly start?: number;
  readonly end?: number;
  /** Texts of the data: init_time, horizon, version, calendar, ... */
  readonly metadata?: ReadonlyMap<string, string>;
  /** The number of members. */
  readonly members?: number;
  /** What stands above the map. Default: the variable, the windows and the statistic. */
  readonly heading?: string;
  /** Lines below the heading. Default: the window. */
  readonly lines?: readonly string[];
  /** Whether values are differences, whose colours are on both sides of zero. Default: as the statistic is. */
  readonly isDifference?: boolean;
  /**
   * By cell, the category that its value is the share of: 0 below, 1 near, 2 above normal; -1 where two have this share.
   * With it, the map shows the most likely tercile.
   */
  readonly categories?: ArrayLike<number>;
  /** By cell, whether it has a dot, as where a value is significant. Default: none. */
  readonly dots?: ArrayLike<boolean>;
  /** What dots mean, for the caption. */
  readonly dotsNote?: string;
}

/** Throws OptionError for what is not a field, and DataError for infinite values, which no legend can show. */
export function checkMapField(field: MapField): void {
  assertShape('field', field, {
    grid: 'object',
    variable: 'any text?',
    units: 'any text?',
    granularity: 'text?',
    period: 'text?',
    window: 'text?',
    start: 'integer?',
    end: 'integer?',
    metadata: 'map?',
    members: 'count?',
    statistic: 'object?',
    heading: 'any text?',
    lines: 'texts?',
    isDifference: 'flag?',
    dotsNote: 'any text?',
  });
  const { grid, values, granularity, window, statistic, dots, categories } = field;
  if (granularity !== undefined && granularity !== 'list') windowsOf(granularity);
  if (window !== undefined && readWindowValue(window) === undefined)
    throw unusable('field.window', window, WINDOW_RULES.join(', '));
  if (statistic !== undefined) assertOneOf('field.statistic.kind', statistic.kind, Object.keys(STATISTIC_KINDS));
  assertShape('field.grid', grid, { kind: 'text', latitude: 'doubles', longitude: 'doubles' });
  assertOneOf('field.grid.kind', grid.kind, ['rectilinear', 'places']);
  assertCoordinates(grid);
  const cells = cellsOfGrid(grid);
  if (values === null || typeof values !== 'object' || values.length !== cells) {
    throw unusable('field.values', values?.length ?? values, `${cells} numbers, one for each cell of the grid`);
  }
  if (dots !== undefined && (Object(dots) !== dots || dots.length !== cells))
    throw unusable('field.dots', dots, `${cells} values, true or false, one for each cell of the grid`);
  assertCategories(categories, cells);
  for (let cell = 0; cell < cells; cell++) {
    if (Number.isFinite(values[cell]) || Number.isNaN(values[cell])) continue;
    const [problem, allowed] = ['infinite value, or none', 'finite numbers; NaN is missing'];
    throw new DataError({ source: `field, cell ${cell}`, problem, received: values[cell], allowed });
  }
}

function assertCategories(categories: MapField['categories'], cells: number): void {
  if (categories === undefined) return;
  const isList = Object(categories) === categories && categories.length === cells;
  if (isList && Array.from(categories).every((category) => [-1, 0, 1, 2].includes(category))) return;
  throw unusable('field.categories', categories, `${cells} numbers from -1 to 2, one for each cell of the grid`);
}

function assertProjection(projection: GridProjection): void {
  assertShape('field.grid.projection', projection, { name: 'text', latitude: 'number', longitude: 'number' });
  const { name, parallels, distance } = projection;
  assertOneOf('field.grid.projection.name', name, GRID_PROJECTIONS);
  if (name === 'lambert_conformal_conic' || name === 'albers_conical_equal_area') {
    assertShape('field.grid.projection.parallels', { ...parallels }, { 0: 'number', 1: 'number' });
  }
  if (name === 'geostationary' && !(Number(distance) > 1)) {
    throw unusable('field.grid.projection.distance', distance, 'radii of the earth, more than 1');
  }
}

function assertCoordinates(grid: Grid): void {
  const { latitude, longitude } = grid;
  if (grid.kind === 'places') {
    assertKind('field.grid.shape', grid.shape, 'list');
    const cells = grid.shape.reduce((product, length) => product * length, 1);
    if (grid.shape.length < 1 || grid.shape.length > 2 || cells !== latitude.length || cells !== longitude.length) {
      throw unusable('field.grid.shape', grid.shape, `one or two lengths of ${latitude.length} cells`);
    }
  }
  if (grid.kind === 'places' && grid.projection !== undefined) assertProjection(grid.projection);
  if (latitude.length === 0 || longitude.length === 0) throw unusable('field.grid', 'no cells', 'at least two cells');
  for (const [name, degrees, most] of [
    ['latitude', latitude, 90.001],
    ['longitude', longitude, 360.001],
  ] as const) {
    const wrong = degrees.find((value) => Math.abs(value) > most);
    if (wrong !== undefined) throw unusable(`field.grid.${name}`, wrong, `degrees up to ${Math.floor(most)}`);
  }
}
