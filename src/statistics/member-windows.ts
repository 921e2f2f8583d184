import type { Table } from 'apache-arrow';
import { memberName } from '../arrow/wide-table.js';
import { numbers, tableOf } from '../arrow/write-table.js';
import { type EnsembleField, type FloatArray, floatArray } from '../core/field.js';
import type { Core } from '../core/load.js';
import type { WindowTable } from '../period/window-table.js';
import type { WindowRule } from '../variable/variable.js';
import { checkWindowOptions, type WindowOptions } from './options.js';
import { ensembleAsked, resultMetadata, windowRule } from './statistics.js';
import { placeWindows } from './tiles.js';
import { WindowRows } from './window-rows.js';
import { placeAndWindowColumns, windowsOfPart } from './windows-of-part.js';

/**
 * Each member's days combined by window, before any statistics: a row for each place and window as `statistics` has them, and a
 * column for each member (`member_00`), whose names in the input are in the metadata as `member_names`, a JSON array.
 *
 * Takes the same tables as `statistics`. A missing day makes that member's window missing. Throws OptionError for options
 * and DataError for values that cannot be used, an infinite one among them.
 */
export function memberWindows(core: Core, table: Table, options: WindowOptions = {}): Table {
  const checked = checkWindowOptions(options);
  const ensemble = ensembleAsked(table, checked);
  const { parts } = ensemble;
  const window = windowRule(ensemble, checked);
  const windows = parts.map((part) => windowsOfPart(part, checked));
  const results = parts.map(({ field }, i) => computeMemberWindows(core, field, windows[i], window));
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
  return tableOf([...placeAndWindowColumns(parts, windows, variable?.slug, units), ...columns], metadata);
}

/**
 * As `memberWindows`, of a field: one array for each member, results in the order of the input (see `computeStatistics`), NaN
 * where a day is missing, rounded once to the field's type. Throws DataError for an infinite value in the days that windows use.
 */
export function computeMemberWindows(
  core: Core,
  field: EnsembleField,
  windows: WindowTable,
  rule: WindowRule,
): FloatArray[] {
  const results = field.members.map(() => floatArray(field.type, field.cells * windows.count));
  if (results[0].length === 0) return results;
  const { memory } = core;
  const mark = memory.mark();
  try {
    const source = new WindowRows(core, field, placeWindows(field, windows), rule);
    for (const tile of source.tiles()) {
      source.fill(tile);
      // Without a sum over members nothing tells whether a value is infinite: search every tile.
      source.refuseInfinite(tile);
      const divisors = source.divisors ? memory.float64(source.divisors, tile.lanes) : undefined;
      results.forEach((result, m) => {
        const row = memory.float64(source.rows + m * source.rowBytes, tile.lanes);
        for (let i = 0; i < tile.lanes; i++) result[tile.lane + i] = row[i] / (divisors?.[i] ?? 1) + 0;
      });
    }
  } finally {
    memory.release(mark);
  }
  return results;
}
