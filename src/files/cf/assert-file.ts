import { assertShape } from '../../check/assert-shape.js';
import { assertKnownKeys, missingList } from '../../check/option-checks.js';
import { assertCalendar } from '../../table/read-options.js';
import { assertVariable, assertVariables } from '../../variable/assert-variable.js';
import { GRID_OPTIONS, type GridOptions } from './grid-options.js';

/** Throws OptionError for what is not an open file of arrays, and for options that cannot be used. */
export function assertFile(file: unknown, options: GridOptions): void {
  assertShape('file', file, { source: 'any text', arrays: 'map', attributes: 'map' });
  assertKnownKeys(options, GRID_OPTIONS);
  const texts = { array: 'any text?', stamps: 'text?', accumulation: 'text?', init: 'any text?' } as const;
  assertShape('options', options, texts);
  missingList(options.missing);
  const { variable, variables, calendar } = options;
  if (calendar !== undefined) assertCalendar(calendar);
  if (variable !== undefined && typeof variable !== 'string') assertVariable(variable);
  assertVariables(variables);
}
