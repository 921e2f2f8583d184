import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { FloatArray } from '../../core/number-arrays.js';
import {
  type ClimateLines,
  type EarlierRun,
  type MemberLines,
  type PanelData,
  type SamplingError,
  type Seam,
  shownSpans,
  type TableTexts,
  type WindowStatistics,
  type Windows,
} from '../../plot/panel-data.js';
import { readClimate } from '../../plot/read-climate.js';
import { readMembers } from '../../plot/read-members.js';
import { seamsOf } from '../../plot/seams.js';
import { memberWindows } from '../../statistics/member-windows.js';
import type { Threshold } from '../../statistics/options.js';
import type { StatisticsColumns } from '../../statistics/statistics-columns.js';
import type { Series } from '../data/open-source.js';
import { errorText } from '../error-text.js';
import { type Shown, shownHold, shownLimit } from '../view/units.js';
import type { WindowChoice } from '../view/window-choice.js';
import { earlierRun } from './earlier-run.js';
import { type SeriesResults, SeriesStatistics } from './series-statistics.js';
import { inOrder, inUnit, orderOf } from './window-order.js';

/** What is computed of a series. */
export interface PanelRequest {
  readonly core: Core;
  readonly series: Series;
  readonly choice: WindowChoice;
  readonly quantiles: readonly number[];
  readonly threshold?: Threshold;
  /** The table of a climatology of the same windows. */
  readonly climatology?: Table;
  /** An earlier run at the same place. */
  readonly earlier?: Table | undefined;
  /** The probability of the band of sampling error; none by default. */
  readonly sampling?: number | undefined;
  readonly shown: Shown;
}

/** What a chart shows. */
export interface ShownPanel {
  /** In the unit of the reader's choice. */
  readonly panel: PanelData;
  readonly members: MemberLines;
  /** The keys of windows, where their days alone do not say these. */
  readonly keys: readonly string[] | undefined;
  /** The share of members beyond the threshold by window, NaN where it is missing; undefined without a threshold. */
  readonly chance: Float64Array | undefined;
  /** What the band of sampling error is; undefined where it is not requested. */
  readonly samplingNote?: string | undefined;
  /** Why an earlier run that was opened is not shown. */
  readonly earlierNote?: string | undefined;
  /** In the unit of the data. */
  readonly results: SeriesResults;
}

/** The members of a series by window, and the climatology along them, in a unit: they change rarely. */
interface Background {
  readonly choice: WindowChoice;
  readonly climatology: Table | undefined;
  readonly shown: Shown;
  readonly texts: TableTexts;
  readonly members: MemberLines;
  readonly climate: ClimateLines | undefined;
  readonly seams: readonly Seam[];
  readonly statistics: SeriesStatistics;
  readonly firstDay: number;
  readonly lastDay: number;
}

const backgrounds = new WeakMap<Table, Background>();

/** Computes what a chart shows. Throws what statistics throw. */
export function shownPanel(request: PanelRequest): ShownPanel {
  const { core, series, choice, quantiles, threshold, shown, sampling, earlier } = request;
  const { texts, members, climate, seams, statistics, firstDay, lastDay } = backgroundOf(request);
  const results = statistics.compute({ quantiles, thresholds: threshold === undefined ? [] : [threshold] });
  const band = sampling === undefined ? undefined : statistics.medianBand(sampling);
  const { granularity, start, end, days } = members;
  const { columns, windows } = results;
  const order = orderOf(windows);
  const before =
    earlier &&
    earlierOrNot({
      ...{ core, table: earlier, choice, quantiles, shown, windows, firstDay, lastDay },
      ...{ place: statistics.place, units: series.table.schema.metadata.get('units') },
    });
  return {
    ...{ results, members },
    keys: windows.keys && Array.from(order, (w) => windows.keys?.[w] ?? ''),
    ...(sampling !== undefined && { samplingNote: samplingNote(members.values.length, sampling) }),
    ...(before?.note && { earlierNote: before.note }),
    chance: threshold && inOrder(columns.probabilities[0], order),
    panel: {
      ...{ texts, members, climate, seams },
      earlier: before?.run,
      statistics: [
        {
          ...{ granularity, start, end, days, ...shownStatistics(columns, order, quantiles, shown) },
          ...(band && sampling && { sampling: { level: sampling, ends: shownBand(band, order, shown) } }),
        },
      ],
      thresholds: threshold === undefined ? [] : [shownLimit(threshold.limit, shown)],
      memberCount: members.values.length,
      ...{ firstDay, lastDay },
    },
  };
}

/** An earlier run, or in words why it is not shown: the chart is shown without it. */
function earlierOrNot(request: Parameters<typeof earlierRun>[0]): { run?: EarlierRun | undefined; note?: string } {
  try {
    const run = earlierRun(request);
    return run === undefined ? { note: 'The earlier run has none of these windows.' } : { run };
  } catch (error) {
    return { note: errorText(error) };
  }
}

function shownBand(
  [low, high]: readonly [FloatArray, FloatArray],
  order: Int32Array,
  shown: Shown,
): SamplingError['ends'] {
  return [inUnit(inOrder(low, order), shown), inUnit(inOrder(high, order), shown)];
}

/** What the caption says of the band of sampling error. */
function samplingNote(members: number, level: number): string {
  return `The grey band has the median of many more members with a probability of ${100 * level} %: the sampling error of ${members} members.`;
}

function backgroundOf({ core, series, choice, climatology, shown }: PanelRequest): Background {
  const known = backgrounds.get(series.table);
  if (known?.choice === choice && known.climatology === climatology && isSame(known.shown, shown)) return known;
  const { texts, members } = readMembers(memberWindows(core, series.table, choice), {});
  const isEmpty = members.start.length === 0;
  // Where no window is complete, the axis has the days of the data.
  const spanned = isEmpty ? readMembers(memberWindows(core, series.table, {}), {}).members : members;
  const [firstDay] = shownSpans(spanned).from;
  const lastDay = spanned.end.reduce((last, day) => Math.max(last, day));
  const span = { texts, shown: [members], firstDay, lastDay };
  const climate = climatology && !isEmpty ? readClimate(climatology, span) : undefined;
  const convert = (values: FloatArray) => inUnit(values, shown);
  const background: Background = {
    ...{ choice, climatology, shown },
    texts: { ...texts, units: shown.label || undefined, window: shownHold(texts.window, shown) },
    ...{ firstDay: span.firstDay, lastDay: span.lastDay },
    members: { ...members, values: members.values.map(convert) },
    climate: climate && {
      ...climate,
      limits: climate.limits.map(convert),
      ...(climate.band && {
        band: [
          { ...climate.band[0], values: convert(climate.band[0].values) },
          { ...climate.band[1], values: convert(climate.band[1].values) },
        ] as const,
      }),
    },
    seams: seamsOf(texts),
    statistics: new SeriesStatistics(core, series.table, choice, climatology),
  };
  backgrounds.set(series.table, background);
  return background;
}

function isSame(a: Shown, b: Shown): boolean {
  return a.units === b.units && a.factor === b.factor && a.days?.units === b.days?.units;
}

const CATEGORIES = ['below', 'normal', 'above'] as const;

/** Results as a panel has them; `quantiles` are those requested, ascending. Shares only of terciles are shown. */
function shownStatistics(
  { mean, quantiles: values, categories }: StatisticsColumns,
  order: Int32Array,
  quantiles: readonly number[],
  shown: Shown,
): Omit<WindowStatistics, keyof Windows> {
  const shares = categories[0]?.length === CATEGORIES.length ? categories[0] : [];
  return {
    mean: inUnit(inOrder(mean, order), shown),
    quantiles: quantiles.map((probability, k) => ({ probability, values: inUnit(inOrder(values[k], order), shown) })),
    ...(shares.length > 0 && {
      categories: shares.map((share, c) => ({ category: CATEGORIES[c], values: inOrder(share, order) })),
    }),
  };
}
