import { loadCore } from '../core/load.js';
import type { PanelData } from '../plot/panel-data.js';
import { type PlotPanel, readPanels } from '../plot/read-panel.js';
import { hasWindows } from '../plot/window-rows.js';
import { memberWindows } from '../statistics/member-windows.js';
import { statistics } from '../statistics/statistics.js';
import { variableByName } from '../variable/find-variable.js';
import type { VariableSlug } from '../variable/slug.js';
import type { ChartRequest } from './chart-request.js';
import type { VariableRows } from './variable-rows.js';

/** Reads the panels of members, and computes their statistics. Throws what these throw. */
export async function memberPanels(parts: readonly VariableRows[], request: ChartRequest): Promise<PanelData[]> {
  const { point, granularity, thresholds } = request;
  const core = await loadCore();
  const panels = parts.map(({ slug, table }): PlotPanel => {
    if (hasWindows(table)) return { ensemble: table, thresholds, point };
    // A day of a variable of one's own is its value by any rule.
    const isOwn = slug !== undefined && variableByName(slug) === undefined && (granularity ?? 'daily') === 'daily';
    const options = {
      granularity,
      point,
      source: 'table',
      ...(slug !== undefined && { variable: slug as VariableSlug }),
      ...(isOwn && { window: 'mean' as const }),
    };
    return {
      ensemble: memberWindows(core, table, options),
      statistics: statistics(core, table, options),
      thresholds,
    };
  });
  return readPanels(panels);
}
