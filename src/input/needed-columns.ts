import { parseColumnName } from '../table/columns/column-name.js';
import type { DailyTableOptions } from '../table/daily/daily-options.js';
import { isNamedLabel } from '../table/rows/read-places.js';
import { variableFinder } from '../variable/find-variable.js';

/**
 * The columns of a table that are needed for the requested variable: all but the values of other known variables.
 * Undefined where no column is named as the variable, so that others may be needed to compute it.
 */
export function neededColumns(
  names: readonly string[],
  { variable, variables, columns = {} }: Pick<DailyTableOptions, 'variable' | 'variables' | 'columns'>,
): readonly string[] | undefined {
  const find = variableFinder(variables);
  const meant = (name: string) => {
    const { whole, stem } = parseColumnName(name);
    return (find(name) ?? find(whole) ?? find(stem))?.slug;
  };
  if (variable === undefined || !names.some((name) => meant(name) === variable.slug)) return undefined;
  const given = new Set<unknown>(Object.values(columns));
  return names.filter((name) => {
    const slug = meant(name);
    return slug === undefined || slug === variable.slug || given.has(name) || isNamedLabel(name);
  });
}
