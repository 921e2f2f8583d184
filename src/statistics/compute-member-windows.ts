import type { EnsembleField, GivenField } from '../core/field.js';
import { type FloatArray, floatArray } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import type { WindowTable } from '../period/window-table.js';
import type { WindowRule } from '../variable/variable.js';
import { assertRule, assertWindowed } from './statistics-request.js';
import { placeWindows, type WindowDays } from './tiles.js';
import { WindowRows } from './window-rows.js';

/**
 * Combines each member's days by window, before any statistics: one array for each member, results in the order of the
 * input (see `computeStatistics`), NaN where a day is missing, rounded once to the field's type. Throws as
 * `computeStatistics` does.
 */
export function computeMemberWindows(
  core: Core,
  field: GivenField,
  windows: WindowTable,
  rule: WindowRule,
): FloatArray[] {
  assertWindowed(core, field, windows);
  assertRule(rule);
  return combineWindows(core, field, windows, rule);
}

/** Like `computeMemberWindows`, without checks of its arguments. */
export function combineWindows(core: Core, field: EnsembleField, windows: WindowDays, rule: WindowRule): FloatArray[] {
  const results = field.members.map(() => floatArray(field.type, field.cells * windows.count));
  if (results[0].length === 0) return results;
  const { memory } = core;
  const mark = memory.mark();
  try {
    const source = new WindowRows(core, field, placeWindows(field, windows), rule);
    source.begin();
    for (const tile of source.tiles()) {
      source.fill(tile);
      // Only a sum over members would show whether there is an infinite value, and there is none: search every tile.
      source.assertFinite(tile);
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
