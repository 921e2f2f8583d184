import { thresholdSpace } from '../../plot/draw-panel.js';
import type { MemberLines, PanelData } from '../../plot/panel-data.js';
import { commonDays, commonGranularity } from '../../plot/panel-days.js';
import { type TimeAxis, timeAxis } from '../../plot/time-axis.js';
import { extentOf, type ValueScale, valueScale } from '../../plot/value-scale.js';

/** Where the parts of all charts are, in pixels: they share one axis of days. */
export interface Layout {
  readonly width: number;
  readonly left: number;
  readonly right: number;
  readonly height: number;
  readonly axis: TimeAxis;
  readonly x: (day: number) => number;
  /** The axis of values of each chart; undefined where all its values are missing. */
  readonly scales: readonly (ValueScale | undefined)[];
}

/** Pixels beside the plots, and of the labels of axes at least: those of shares. */
const [LEFT, RIGHT, MIN_LABELS] = [10, 10, 30];

/** The least space for labels of thresholds, and its steps: plots stand still while most thresholds are dragged. */
const [MIN_SPACE, STEP] = [32, 16];

/**
 * Lays charts out in a width. Axes of values are those of the members, whether these are drawn or not, so that they
 * stay where they are while quantiles change.
 */
export function chartLayout(panels: readonly PanelData[], width: number, height: number): Layout {
  const { firstDay, lastDay, ...ofDays } = commonDays(panels);
  const scales = panels.map((panel) => valueScale({ ...panel, statistics: [] }, height, 0));
  const left = Math.ceil(LEFT + Math.max(MIN_LABELS, ...scales.map((scale) => scale?.width ?? 0)));
  const space = Math.ceil(thresholdSpace(panels) / STEP) * STEP;
  const right = width - (space === 0 ? RIGHT : Math.max(MIN_SPACE, space));
  const granularity = commonGranularity(panels);
  return {
    ...{ width, left, right, height, scales },
    axis: timeAxis({ firstDay, lastDay, ...ofDays, length: right - left, granularity }),
    x: (day) => left + ((day - firstDay) / (lastDay + 1 - firstDay)) * (right - left),
  };
}

const extents = new WeakMap<MemberLines, [number, number]>();

/** The least and the greatest value of members; 0 and 1 where all are missing. */
export function memberExtent(members: MemberLines): [number, number] {
  const known = extents.get(members) ?? extentOf({ members, statistics: [], thresholds: [] }) ?? [0, 1];
  extents.set(members, known);
  return known;
}
