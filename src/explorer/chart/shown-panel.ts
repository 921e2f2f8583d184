import type { Table } from 'apache-arrow';
import { statisticsAgainst } from '../../climate/statistics-against.js';
import type { Core } from '../../core/load.js';
import type { Granularity } from '../../period/window-table.js';
import type { ClimateLines, MemberLines, PanelData, TableTexts, WindowStatistics } from '../../plot/panel-data.js';
import { readClimate } from '../../plot/read-climate.js';
import { readMembers } from '../../plot/read-members.js';
import { readStatistics } from '../../plot/read-statistics.js';
import { seamsOf } from '../../plot/seams.js';
import { memberWindows } from '../../statistics/member-windows.js';
import { statistics } from '../../statistics/statistics.js';
import type { Threshold } from '../../statistics/thresholds.js';
import type { Series } from '../data/open-source.js';
import { type Shown, shownLimit, toShown } from '../view/units.js';

/** What is computed of a series. */
export interface PanelRequest {
  readonly core: Core;
  readonly series: Series;
  readonly granularity: Granularity;
  readonly quantiles: readonly number[];
  readonly threshold?: Threshold;
  /** The table of a climatology of the same granularity. */
  readonly climatology?: Table;
  readonly shown: Shown;
}

/** What a chart shows. */
export interface ShownPanel {
  /** In the unit of the reader's choice. */
  readonly panel: PanelData;
  /** The results, in the unit of the data. */
  readonly statistics: Table;
}

/** The members of a series by window, and the climatology along them, in a unit: they change rarely. */
interface Background {
  readonly granularity: Granularity;
  readonly climatology: Table | undefined;
  readonly shown: Shown;
  readonly texts: TableTexts;
  readonly members: MemberLines;
  readonly climate: ClimateLines | undefined;
}

const backgrounds = new WeakMap<Table, Background>();

/** Computes what a chart shows. Throws what statistics throw. */
export function shownPanel(request: PanelRequest): ShownPanel {
  const { core, series, granularity, quantiles, threshold, climatology, shown } = request;
  const { texts, members, climate } = backgroundOf(request);
  const options = { granularity, quantiles, thresholds: threshold === undefined ? [] : [threshold] };
  const table =
    climatology === undefined
      ? statistics(core, series.table, options)
      : statisticsAgainst(core, series.table, climatology, options);
  const { start, end } = members;
  return {
    statistics: table,
    panel: {
      texts: { ...texts, units: shown.label || undefined },
      members,
      climate,
      statistics: [shownStatistics(readStatistics(table, {}).statistics, shown)],
      seams: seamsOf(texts.metadata),
      thresholds: threshold === undefined ? [] : [shownLimit(threshold.limit, shown)],
      memberCount: members.values.length,
      firstDay: start[0] ?? 0,
      lastDay: end[end.length - 1] ?? 0,
    },
  };
}

function backgroundOf({ core, series, granularity, climatology, shown }: PanelRequest): Background {
  const known = backgrounds.get(series.table);
  if (known?.granularity === granularity && known.climatology === climatology && isSame(known.shown, shown))
    return known;
  const { texts, members } = readMembers(memberWindows(core, series.table, { granularity }), {});
  const { start, end } = members;
  const span = { texts, firstDay: start[0], lastDay: end[end.length - 1] };
  const climate = climatology && start.length > 0 ? readClimate(climatology, span) : undefined;
  const convert = (values: Float64Array) => inUnit(values, shown);
  const background: Background = {
    ...{ granularity, climatology, shown, texts },
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
  };
  backgrounds.set(series.table, background);
  return background;
}

function isSame(a: Shown, b: Shown): boolean {
  return a.units === b.units && a.factor === b.factor;
}

function shownStatistics(result: WindowStatistics, shown: Shown): WindowStatistics {
  return {
    ...result,
    ...(result.mean && { mean: inUnit(result.mean, shown) }),
    quantiles: result.quantiles.map((line) => ({ ...line, values: inUnit(line.values, shown) })),
  };
}

function inUnit(values: Float64Array, shown: Shown): Float64Array {
  const { factor, offset } = shown;
  return factor === 1 && offset === 0 ? values : values.map((value) => toShown(shown, value));
}
