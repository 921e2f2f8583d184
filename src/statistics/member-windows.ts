import type { Table } from 'apache-arrow';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { floatArray } from '../core/number-arrays.js';
import { createTable, numbers } from '../table/build/create-table.js';
import { memberName } from '../table/build/wide-table.js';
import { ensembleOf, type Opened } from '../table/rows/read-ensemble.js';
import { readPlaces } from '../table/rows/read-places.js';
import { combineWindows } from './compute.js';
import { checkWindowOptions, type WindowOptions } from './options.js';
import { resultMetadata, windowRule } from './statistics-plan.js';
import { valueUnits } from './window-value.js';
import { placeColumns, resultLabels, windowedParts } from './windowed-part.js';

/**
 * Combines each member's days by window, before any statistics: a row for each place and window as in the result of
 * `statistics`, and a column for each member (`member_00`). The members' names in the input are in the metadata as
 * `member_names`, a JSON array.
 *
 * Takes the same tables as `statistics`, and what `ensemble` has opened. A missing day makes that member's window missing. Throws OptionError for
 * options and DataError for values that cannot be used, such as an infinite one.
 *
 * @example
 * ```js
 * import { loadCore, memberWindows } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 *
 * const weeks = memberWindows(await loadCore(), demoTable('precipitation'), { granularity: 'weekly' });
 * const { period, member_00, member_01 } = weeks.get(0); // the sums of its days
 * console.log(period, member_00.toFixed(1), member_01.toFixed(1));
 * ```
 *
 * ```text
 * 2026-W10 54.7 1.0
 * ```
 */
export function memberWindows(core: Core, data: Table | Opened, options: WindowOptions = {}): Table {
  assertCore(core);
  const checked = checkWindowOptions(options);
  const ensemble = ensembleOf(data, { ...checked, places: readPlaces });
  const window = windowRule(ensemble, checked);
  const parts = windowedParts(ensemble, checked);
  const results = parts.map(({ field, windows }) => combineWindows(core, field, windows, window));
  const { members } = parts[0].field;
  const length = results.reduce((sum, [first]) => sum + first.length, 0);
  const columns = members.map((_, m) => {
    const values = floatArray(parts[0].field.type, length);
    let at = 0;
    for (const result of results) {
      values.set(result[m], at);
      at += result[m].length;
    }
    return numbers(memberName(m, members.length), values);
  });
  const metadata = resultMetadata(ensemble, checked, window);
  metadata.set('member_names', JSON.stringify(members.map(({ name }) => name)));
  const { variable, units } = ensemble;
  return createTable(
    [...placeColumns(parts, resultLabels(variable?.slug, valueUnits(window, units), parts)), ...columns],
    metadata,
  );
}
