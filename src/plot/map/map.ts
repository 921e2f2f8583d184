import world from 'world-atlas/land-110m.json';
import { type Checked, type Choice, checkOptions, type OptionSchema } from '../../check/option-checks.js';
import { type BoundingBox, boxText, checkBoundingBox, isWithinBox } from '../../ensemble/bounding-box.js';
import { DataError, OptionError } from '../../errors.js';
import { checkPixels, picture, titleLines } from '../picture.js';
import { element, escapeText, rounded } from '../svg.js';
import { FONT, fittedText, wrappedLines, wrappedText } from '../text-size.js';
import { PLOT_THEMES, type PlotTheme } from '../theme.js';
import { shownUnits } from '../window-rows.js';
import { drawCoastlines } from './coastlines.js';
import { colourClass, dotsPath, drawCells } from './draw-cells.js';
import { graticule } from './graticule.js';
import { type MapCells, mapCells } from './map-cells.js';
import { extentOfCells, extentOfSeen, type MapExtent } from './map-extent.js';
import { checkMapField, type MapField } from './map-field.js';
import {
  drawMapLegend,
  drawTercileLegend,
  LEGEND_HEIGHT,
  type LegendParts,
  TERCILE_LEGEND_HEIGHT,
} from './map-legend.js';
import { chooseProjection, type MapProjection, mapProjection, outlineOf } from './map-projection.js';
import {
  describeMap,
  describeTerciles,
  leadText,
  legendUnits,
  mapCaption,
  mapHeading,
  windowText,
} from './map-texts.js';
import { MAP_PROJECTIONS, type MapProjectionName } from './projection-names.js';
import { tercileClasses } from './tercile-classes.js';
import { type Coastlines, checkCoastlines } from './topojson.js';
import { checkLimits, classOf, valueClasses } from './value-classes.js';

/** How a map looks. */
export interface MapOptions {
  /** The width in pixels, 240 to 10,000. Default 840. */
  width?: number;
  /**
   * The greatest height in pixels, 200 to 10,000: the map is as large as fits. Default: as high as the width asks for, the
   * map at most 0.8 times as high as wide.
   */
  height?: number;
  /**
   * Default `auto`: on the ground of the page, dark where the page is, or alone the reader's system. The colours of
   * cells are the same.
   */
  theme?: Choice<PlotTheme>;
  /** A line above the picture. Default none. */
  title?: string;
  /** Whether the picture fills the width of its box in a page, and is laid out for `width` pixels. Default false. */
  fill?: boolean;
  /** The part to show: the cells whose centre is in it, each of them whole. Default: all cells. */
  bbox?: BoundingBox;
  /**
   * How the globe becomes a plane. Default: `equirectangular` for cells along parallels, and for curvilinear grids that
   * of their own plane, its y axis to the top; where the grid does not state it, `lambert`, a cone, or around a pole
   * `polar`.
   */
  projection?: Choice<MapProjectionName>;
  /**
   * The limits between classes, with the lowest and the highest: 2 to 40 ascending numbers in the unit of the values,
   * 0 to 1 for shares. Values outside of them belong to the outermost classes, which the legend says; below the lowest of
   * the most likely tercile is the neutral class. Default: round numbers that hold all values, or nearly all where fewer
   * than five classes were in use otherwise; of the most likely tercile 0.4, 0.5, 0.6, 0.7, 1.
   */
  limits?: readonly number[];
  /** Finer coastlines, or `none`. Default: those of Natural Earth for 1:110 million. */
  coastlines?: Coastlines | Choice<'none'>;
}

/** The options of `map`. */
const MAP_OPTIONS = /* @__PURE__ */ (() =>
  ({
    width: { check: checkPixels('width', 240, 10_000), default: 840 },
    height: { check: checkPixels('height', 200, 10_000) },
    theme: { choices: PLOT_THEMES, default: 'auto' },
    title: { type: 'text', default: '' },
    fill: { type: 'flag', default: false },
    bbox: { check: checkBoundingBox },
    projection: { choices: MAP_PROJECTIONS },
    limits: { check: checkLimits },
    coastlines: {
      check: (given: Coastlines | string): Coastlines | 'none' => (given === 'none' ? given : checkCoastlines(given)),
    },
  }) satisfies OptionSchema<MapOptions>)();

/** Pixels around and between the parts of a picture. */
const MARGIN = 10;
const LEFT = 46;
const LINE = 15;
/** The height of the labels of meridians. */
const AXIS = 30;
/** The least height of a map. */
const MIN_MAP = 60;

/**
 * Draws a map of one statistic of one window as SVG: cells in classes of their values on their own grid, coastlines,
 * parallels and meridians, a legend. Cells are areas up to 20,000, then an image. Those of a rectilinear grid and of a
 * reduced Gaussian grid reach halfway to their neighbours along parallels and meridians, those of HEALPix have their own
 * shapes, and those of a curvilinear grid reach to the middles between four centres; other places are discs. Missing
 * cells are hatched. Longitudes may be from -180 or from 0, latitudes in any order. The same input gives the same text.
 *
 * Throws OptionError for options and for what is not a field, and DataError for infinite values and for a field of a
 * single place, or without a cell that is seen.
 */
export function weatherMap(field: MapField, options: MapOptions = {}): string {
  const look = checkOptions<MapOptions, typeof MAP_OPTIONS>(options, MAP_OPTIONS);
  checkMapField(field);
  return mapOf({ ...field, units: shownUnits(field.variable, field.units) }, look);
}

function mapOf(field: MapField, look: Checked<MapOptions, typeof MAP_OPTIONS>): string {
  const { width, height = Number.POSITIVE_INFINITY, theme, title, bbox } = look;
  const cells = mapCells(field.grid);
  const { values: seen, isSeen } = seenCells(field, bbox);
  const extent = bbox === undefined ? extentOfCells(cells) : extentOfSeen(cells, bbox, isSeen);
  if (field.values.length < 2 || extent === undefined || !(extent.south < extent.north) || extent.west >= extent.east) {
    const problem = field.values.length < 2 ? 'is of a single place' : 'has no area';
    throw new DataError({ source: 'field', problem, allowed: 'a grid, or places apart from each other' });
  }
  const { kinds, colours, legend, description } = classesOf(field, { seen, isSeen, limits: look.limits });
  const body: string[] = [];
  let y = MARGIN;
  const addText = (text: string, size: number, name: string, weight?: number) => {
    y += size + 4;
    const place = { class: name, x: MARGIN, y, 'font-size': size, 'font-weight': weight };
    body.push(element('text', place, escapeText(fittedText(text, size, width - 2 * MARGIN, weight !== undefined))));
  };
  for (const line of titleLines(title, width)) addText(line, FONT.title, 'title', 700);
  const heading = wrappedText(mapHeading(field), FONT.label + 1, width - 2 * MARGIN, true);
  for (const line of heading) addText(line, FONT.label + 1, 'heading', 600);
  for (const line of linesOf(field, width)) addText(line, FONT.label, 'soft window');
  y += 10;
  const caption = wrappedLines(mapCaption(field), ' · ', FONT.small, width - 2 * MARGIN);
  const below = AXIS + legend.height + caption.length * LINE + MARGIN;
  const projection = projectionOf(cells, extent, look, {
    width: width - LEFT - MARGIN - 8,
    height: Math.max(MIN_MAP, height - y - below),
  });
  const left = Math.round(LEFT + (width - LEFT - MARGIN - 8 - projection.width) / 2);
  const coastlines = look.coastlines ?? world;
  const dots = dotsPath(field, kinds, projection);
  const map = drawMap(cells, kinds, projection, { colours, coastlines, dots });
  body.push(element('g', { transform: `translate(${left},${y})` }, ...map));
  y += projection.height + AXIS;
  const hasMissing = seen.some((value) => Number.isNaN(value));
  // It begins below the map, except where that is so narrow that classes would be, too.
  const legendLeft = left <= width / 4 ? left : LEFT;
  const drawn = legend.draw({ units: legendUnits(field), hasMissing, width: width - legendLeft - MARGIN });
  body.push(element('g', { transform: `translate(${legendLeft},${Math.round(y)})` }, ...drawn));
  y += legend.height;
  for (const line of caption) {
    y += LINE;
    body.push(element('text', { class: 'soft caption', x: MARGIN, y, 'font-size': FONT.small }, escapeText(line)));
  }
  return picture({
    ...{ width, height: y + MARGIN, theme, fill: look.fill, description, body: [HATCHING, ...body] },
    title: title || `Map: ${mapHeading(field)}`,
    fills: new Map(colours.map((colour) => [colourClass(colour), colour])),
  });
}

/** The projection of a map that fits into a size. */
function projectionOf(
  cells: MapCells,
  extent: MapExtent,
  { projection, bbox }: Checked<MapOptions, typeof MAP_OPTIONS>,
  size: { readonly width: number; readonly height: number },
): MapProjection {
  const name = projection ?? chooseProjection(cells, extent);
  const outline = outlineOf(cells, extent, bbox !== undefined);
  const plane = cells.kind === 'corners' ? cells.projection : undefined;
  return mapProjection(name, { extent, outline, plane }, size);
}

/** The class of each cell, and what the picture says of the classes. */
interface MapClasses {
  readonly kinds: Int16Array;
  readonly colours: readonly string[];
  readonly legend: { readonly height: number; readonly draw: (parts: LegendParts) => string[] };
  readonly description: string;
}

interface ClassRequest extends Pick<SeenCells, 'isSeen'> {
  readonly seen: Float64Array;
  readonly limits: readonly number[] | undefined;
}

function classesOf(field: MapField, { seen, isSeen, limits }: ClassRequest): MapClasses {
  const { values, categories } = field;
  const kinds = new Int16Array(values.length);
  const fill = (classAt: ((cell: number) => number) | undefined) => {
    for (let cell = 0; cell < kinds.length; cell++) {
      const isMissing = classAt === undefined || Number.isNaN(values[cell]);
      kinds[cell] = isSeen?.(cell) === false ? UNSEEN : isMissing ? MISSING : classAt(cell);
    }
  };
  if (categories !== undefined) {
    const classes = tercileClasses(field, limits);
    fill(classes.classOf);
    const legend = {
      height: TERCILE_LEGEND_HEIGHT,
      draw: (parts: LegendParts) => drawTercileLegend(classes, parts),
    };
    return { kinds, colours: classes.colours, legend, description: describeTerciles(field, kinds, classes) };
  }
  const classes = valueClasses(field, seen, limits);
  fill(classes && ((cell) => classOf(classes, values[cell])));
  const legend = { height: LEGEND_HEIGHT, draw: (parts: LegendParts) => drawMapLegend(classes, parts) };
  return { kinds, colours: classes?.colours ?? [], legend, description: describeMap(field, seen, classes) };
}

/** The class of cells outside of the box, which are not drawn, and of missing ones. */
const [UNSEEN, MISSING] = [-2, -1];

/** The values of the cells that are seen. */
interface SeenCells {
  readonly values: Float64Array;
  /** Whether each cell is seen; undefined if all are. */
  readonly isSeen?: (cell: number) => boolean;
}

function seenCells({ grid, values }: MapField, bbox: BoundingBox | undefined): SeenCells {
  const all = values instanceof Float64Array ? values : new Float64Array(values);
  const { kind, latitude, longitude } = grid;
  const width = longitude.length;
  const isPlaced = (cell: number) => !Number.isNaN(latitude[cell] + longitude[cell]);
  if (bbox === undefined) {
    const areAll = kind === 'rectilinear' || latitude.every((_, cell) => isPlaced(cell));
    return areAll ? { values: all } : { values: all.filter((_, cell) => isPlaced(cell)), isSeen: isPlaced };
  }
  const isSeen = (cell: number) =>
    kind === 'rectilinear'
      ? isWithinBox(bbox, latitude[Math.floor(cell / width)], longitude[cell % width])
      : isWithinBox(bbox, latitude[cell], longitude[cell]);
  const seen = all.filter((_, cell) => isSeen(cell));
  if (seen.length > 0) return { values: seen, isSeen };
  throw new OptionError({
    ...{ subject: 'bbox', problem: 'no cell is within it', received: boxText(bbox) },
    allowed: `a box that overlaps ${extentText(grid)}`,
  });
}

function extentText(grid: MapField['grid']): string {
  const extent = extentOfCells(mapCells(grid));
  return extent === undefined ? 'the grid' : boxText(extent);
}

/** The lines below the heading of a map. */
function linesOf(field: MapField, width: number): string[] {
  if (field.lines !== undefined) return wrappedLines(field.lines, ' · ', FONT.label, width - 2 * MARGIN);
  const window = [windowText(field), leadText(field)].filter((text) => text !== undefined);
  return window.length === 0 ? [] : wrappedLines(window, ' · ', FONT.label, width - 2 * MARGIN);
}

interface CellColours {
  readonly colours: readonly string[];
  readonly coastlines: Coastlines | 'none';
  /** The path of dots; empty where there are none. */
  readonly dots: string;
}

/** The cells, lines on them, and a frame; what lies outside of the frame is cut. */
function drawMap(
  cells: MapCells,
  kinds: Int16Array,
  projection: MapProjection,
  { colours, coastlines, dots }: CellColours,
): string[] {
  const { width, height } = projection;
  const { lines, labels } = graticule(projection);
  const shapes = drawCells(cells, kinds, projection, colours);
  return [
    element(
      'svg',
      { x: 0, y: 0, width, height, viewBox: `0 0 ${rounded(width)} ${rounded(height)}`, 'aria-hidden': 'true' },
      // Lines lie on areas, and below discs.
      ...(cells.kind === 'places' ? [] : shapes),
      lines,
      ...(coastlines === 'none' ? [] : drawCoastlines(coastlines, projection.geo)),
      ...(cells.kind === 'places' ? shapes : []),
      ...(dots === ''
        ? []
        : [element('path', { class: 'dots-edge', d: dots }), element('path', { class: 'dots', d: dots })]),
    ),
    element('rect', { class: 'frame', x: 0, y: 0, width, height }),
    element('g', { class: 'soft-texts', 'font-size': FONT.small }, ...labels),
  ];
}

/** Missing cells are hatched, so that no colour can be mistaken for them. */
const HATCHING = /* @__PURE__ */ (() =>
  element(
    'defs',
    {},
    element(
      'pattern',
      { id: 'plumecast-missing', width: 5, height: 5, patternUnits: 'userSpaceOnUse' },
      element('rect', { class: 'missing-area', width: 5, height: 5 }),
      element('path', { class: 'missing-line', d: 'M0,5L5,0M-1,1L1,-1M4,6L6,4' }),
    ),
  ))();
