import type { Table } from 'apache-arrow';
import { type Condition, leavesOf, namedVariables, neededQuantiles, withVariables } from '../condition/condition.js';
import { conditionText } from '../condition/condition-text.js';
import { OptionError } from '../errors.js';
import type { PlotTables } from '../input/plot-tables.js';
import { variableByName } from '../variable/find-variable.js';

/** What the values of a panel are, as far as its tables state it. */
interface PanelValues {
  readonly variable?: string;
  readonly units?: string;
}

/**
 * The limits to mark in each panel, of all comparisons and ranges in conditions: on its variable, and without a
 * variable where all panels have one unit. Throws OptionError for a limit that could be in several units, for one of a
 * variable that no panel shows, and for a quantile of a climatology, which is not one value.
 */
export function panelThresholds(panels: readonly PlotTables[], conditions: readonly Condition[]): number[][] {
  const shown = panels.map(({ statistics }) => valuesOf(statistics));
  const haveOneUnit = new Set(shown.map(({ variable, units }) => units ?? `unit of ${variable}`)).size < 2;
  const leaves = conditions.flatMap(leavesOf);
  for (const leaf of leaves) {
    const fail = (problem: string, allowed: string) =>
      new OptionError({ subject: 'thresholds', problem, received: conditionText(leaf), allowed });
    if (neededQuantiles([leaf]).length > 0) throw fail('a line needs a number', 'a number; a map takes any condition');
    const { variable } = leaf;
    if (variable === undefined ? haveOneUnit : shown.some((panel) => isOf(variable, panel))) continue;
    const names = [...new Set(shown.map((panel) => panel.variable ?? 'values'))];
    throw fail(
      variable === undefined ? 'it is not clear which variable it is of' : 'no panel shows its variable',
      names.map((name) => conditionText(withVariables(leaf, () => name))).join(', '),
    );
  }
  return shown.map((panel) =>
    leaves.filter(({ variable }) => variable === undefined || isOf(variable, panel)).flatMap(numbersOf),
  );
}

/** The limits of a comparison or a range that are numbers. */
function numbersOf(leaf: ReturnType<typeof leavesOf>[number]): number[] {
  const limits = leaf.kind === 'range' ? [leaf.from, leaf.to] : [leaf.limit];
  return limits.filter((limit) => typeof limit === 'number');
}

/**
 * The variable that a map is of, by its own option or by what conditions name. Throws OptionError if these name different
 * ones.
 */
export function variableOfMap(variable: string | undefined, conditions: readonly Condition[]): string | undefined {
  const names = namedVariables(conditions);
  const chosen = variable ?? names[0];
  const other = conditions.find((each) =>
    namedVariables([each]).some((name) => !isOf(name, { variable: slugOf(chosen ?? '') })),
  );
  if (other === undefined) return chosen;
  throw new OptionError({
    ...{ subject: 'thresholds', problem: 'the map is of another variable' },
    ...{ received: conditionText(other), allowed: `a condition on ${chosen}` },
  });
}

function valuesOf(table: Table): PanelValues {
  const text = (name: string): string | undefined =>
    table.schema.metadata.get(name) ?? table.getChild(name)?.get(0) ?? undefined;
  return { variable: text('variable'), units: text('units') };
}

function isOf(variable: string, panel: PanelValues): boolean {
  return variable === panel.variable || slugOf(variable) === panel.variable;
}

function slugOf(name: string): string {
  return variableByName(name)?.slug ?? name;
}
