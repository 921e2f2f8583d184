import { type LinearScale, linearScale, niceDomain, tickLabel, ticksOf } from './linear-scale.js';
import type { PanelData } from './panel-data.js';
import { FONT, textWidth } from './text-size.js';

/** The axis of values of a panel. */
export interface ValueScale {
  readonly scale: LinearScale;
  readonly ticks: readonly number[];
  readonly label: (tick: number) => string;
  /** The width of the longest label in pixels. */
  readonly width: number;
}

type ShownValues = Pick<PanelData, 'members' | 'statistics' | 'climate' | 'earlier' | 'thresholds'>;

/** Pixels of an axis for each tick. */
const PER_TICK = 30;

/** The axis of values of a panel from `bottom` to `top`; undefined where all values are missing. */
export function valueScale(panel: PanelData, bottom: number, top: number): ValueScale | undefined {
  const extent = extentOf(panel);
  if (extent === undefined) return undefined;
  const count = Math.max(2, Math.floor((bottom - top) / PER_TICK));
  const domain = niceDomain(axisEnds(extent, panel.texts.window === 'sum'), count);
  const scale = linearScale(domain, [bottom, top]);
  const ticks = ticksOf(domain, count);
  const greatest = Math.max(...domain.map(Math.abs));
  const label = tickLabel(domain, count, greatest < 1e-3 || greatest >= 1e6 ? '~e' : undefined);
  return { scale, ticks, label, width: Math.max(...ticks.map((tick) => textWidth(label(tick), FONT.small))) };
}

/** The least and the greatest value that a panel shows; undefined where all are missing. */
export function extentOf({
  members,
  statistics,
  climate,
  earlier,
  thresholds,
}: ShownValues): [number, number] | undefined {
  const lines = [
    ...(members?.values ?? []),
    ...statistics.flatMap(({ mean, quantiles, sampling }) => [
      ...(mean ? [mean] : []),
      ...(sampling ? sampling.ends : []),
      ...quantiles.map(({ values }) => values),
    ]),
  ];
  const data = extentOfLines(lines);
  if (data === undefined) return undefined;
  const bands = [...(climate?.band ?? []), ...(earlier?.quantiles ?? [])].map(({ values }) => values);
  const behind = [...bands, ...(climate?.limits ?? [])];
  const [low, high] = extentOfLines([...behind, Float64Array.from(thresholds)]) ?? data;
  return [Math.min(low, data[0]), Math.max(high, data[1])];
}

function extentOfLines(lines: readonly Float64Array[]): [number, number] | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const values of lines) {
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : undefined;
}

/** Amounts begin at 0, also where some are below it by rounding; an axis of equal values has them in its middle. */
function axisEnds([low, high]: [number, number], isAmount: boolean): [number, number] {
  const from = isAmount && low > -high / 100 ? 0 : low;
  if (from < high) return [from, high];
  const half = Math.abs(high) * 0.1 || 1;
  return isAmount && high === 0 ? [0, 1] : [high - half, high + half];
}
