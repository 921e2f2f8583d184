import { type Choice, checkOptions, type OptionSchema } from '../check/option-checks.js';
import { drawMeteogram } from './draw-meteogram.js';
import type { DayMarks } from './draw-values.js';
import type { PanelData } from './panel-data.js';
import { checkPixels } from './picture.js';
import { type PlotPanel, readPanels } from './read-panel.js';
import { PLOT_THEMES, type PlotTheme } from './theme.js';

/** How a meteogram looks. */
export interface MeteogramOptions {
  /** The width in pixels, 240 to 10,000. Default 840. */
  width?: number;
  /** The height of the plot of each panel in pixels, 40 to 4,000. Default 150. */
  panelHeight?: number;
  /**
   * The height of the whole picture in pixels, 120 to 10,000; panels share what is left for them, at least 40 each. Default:
   * by `panelHeight`.
   */
  height?: number;
  /** Default `auto`: on the ground of the page, dark where the page is, or alone the reader's system. */
  theme?: Choice<PlotTheme>;
  /** A line above the picture. Default none. */
  title?: string;
  /** Whether members are drawn where there are statistics, too. Default true. */
  members?: boolean;
  /**
   * How amounts of days, such as rain, are drawn where days are wide enough: as box plots, as `bars` from zero up to the
   * median and the upper quantiles, or as `bands`. Default `boxes`.
   */
  amounts?: Choice<DayMarks>;
  /** Whether the picture fills the width of its box in a page, and is laid out for `width` pixels. Default false. */
  fill?: boolean;
}

/** The options of `meteogram`. */
const METEOGRAM_OPTIONS = {
  width: { check: checkPixels('width', 240, 10_000), default: 840 },
  panelHeight: { check: checkPixels('panelHeight', 40, 4000), default: 150 },
  height: { check: checkPixels('height', 120, 10_000) },
  theme: { choices: PLOT_THEMES, default: 'auto' },
  amounts: { choices: ['boxes', 'bars', 'bands'], default: 'boxes' },
  title: { type: 'text', default: '' },
  members: { type: 'flag', default: true },
  fill: { type: 'flag', default: false },
} satisfies OptionSchema<MeteogramOptions>;

/**
 * Draws an ensemble meteogram as SVG: a panel for each variable, one above the other on one axis of days (UTC).
 *
 * Members are thin lines, quantiles nested bands (days) or box plots (weeks and months), the median a line and the
 * mean a broken one; a climatology lies behind, and shares of members below, near and above normal are bars below.
 * Seams of a timeline of `blend` are marked by the metadata of its table or of its statistics. Null and NaN are gaps;
 * where all values are missing, the panel says so. The caption has place, run, number of members and version. The same
 * input gives the same text.
 *
 * Throws OptionError for options and for panels without tables, and DataError for tables that cannot be shown in one
 * panel: of several places without a `point`, of different variables, units or places, with sums over windows of
 * different lengths, or with infinite values.
 *
 * @example
 * ```js
 * import { loadCore, statistics } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 * import { meteogram } from 'plumecast/plot';
 *
 * const weeks = statistics(await loadCore(), demoTable('temp_mean'), { granularity: 'weekly' });
 * console.log(meteogram({ statistics: weeks }).slice(0, 4)); // SVG
 * ```
 *
 * ```text
 * <svg
 * ```
 */
export function meteogram(panels: PlotPanel | readonly PlotPanel[], options: MeteogramOptions = {}): string {
  const checked = checkOptions<MeteogramOptions, typeof METEOGRAM_OPTIONS>(options, METEOGRAM_OPTIONS);
  const read = readPanels(panels);
  return drawMeteogram(checked.members ? read : read.map(withoutMembers), checked);
}

/** A panel of statistics alone; one that has none keeps its members. */
function withoutMembers(panel: PanelData): PanelData {
  return panel.statistics.length === 0 ? panel : { ...panel, members: undefined };
}
