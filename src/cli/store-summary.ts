import { formatDate } from '../period/day.js';
import type { Axis } from '../service/source/dataset.js';
import { describeStore, type PartDescription } from '../service/source/folder/index.node.js';
import { textTable } from './text-table.js';

/** Describes a store: a table of its parts, and lines for the rest. Throws FileError and FormatError. */
export async function storeSummary(dir: string): Promise<string> {
  const { forecast, parts, climatologies, hasElevation, preloaded, attribution } = await describeStore(dir);
  const rows = [...parts].map(([name, part]) => ({ name, part, axis: longestAxis(part) }));
  const count = (value: (row: (typeof rows)[number]) => number) => rows.map((row) => String(value(row)));
  const table = textTable([
    { name: 'part', align: 'left', cells: rows.map(({ name }) => name) },
    { name: 'variables', align: 'right', cells: count(({ part }) => part.variables.size) },
    { name: 'places', align: 'right', cells: count(({ part }) => part.places) },
    { name: 'members', align: 'right', cells: count(({ axis }) => axis.members) },
    { name: 'days', align: 'left', cells: rows.map(({ axis }) => spanOf(axis)) },
  ]);
  const lines = [`${dir} now has:`, '', table, ''];
  if (forecast !== undefined)
    lines.push(`Forecast of ${forecast.initTime}, ${forecast.version}, ${forecast.generation}`);
  const others = [
    climatologies.length > 0 &&
      `${climatologies.length} ${climatologies.length === 1 ? 'climatology' : 'climatologies'}`,
    hasElevation && 'elevation',
    preloaded > 0 && `${preloaded} pre-loaded points`,
    attribution !== undefined && `credit to ${JSON.stringify(attribution)}`,
  ].filter(Boolean);
  if (others.length > 0) lines.push(`Besides: ${others.join(', ')}`);
  return `${lines.join('\n')}\n`;
}

/** The longest axis of the variables of a part, some of which may end early. */
function longestAxis({ variables }: PartDescription): Axis {
  return [...variables.values()].map(({ axis }) => axis).reduce((best, axis) => (axis.days > best.days ? axis : best));
}

function spanOf({ firstDay, days }: Axis): string {
  return `${formatDate(firstDay)} to ${formatDate(firstDay + days - 1)}`;
}
