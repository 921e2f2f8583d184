import type { Table } from 'apache-arrow';
import { OptionError } from '../errors.js';
import type { PlotTables } from '../input/plot-tables.js';
import type { Threshold } from '../statistics/options.js';
import { variableByName } from '../variable/find-variable.js';

/** A threshold of a picture: of one variable, where it names one. */
export interface PlotThreshold extends Threshold {
  readonly variable?: string;
}

/** What the values of a panel are, as far as its tables state it. */
interface PanelValues {
  readonly variable?: string;
  readonly units?: string;
}

/**
 * The limits to mark in each panel: those of its variable, and those without a variable where all panels have one unit.
 * Throws OptionError for a threshold that could be in several units, and for one of a variable that no panel shows.
 */
export function panelThresholds(panels: readonly PlotTables[], thresholds: readonly PlotThreshold[]): number[][] {
  const shown = panels.map(({ statistics }) => valuesOf(statistics));
  const haveOneUnit = new Set(shown.map(({ variable, units }) => units ?? `unit of ${variable}`)).size < 2;
  for (const threshold of thresholds) {
    if (threshold.variable === undefined ? haveOneUnit : shown.some((panel) => isOf(threshold, panel))) continue;
    const names = [...new Set(shown.map(({ variable = 'values' }) => variable))];
    const { operator, limit, variable = '' } = threshold;
    throw new OptionError({
      subject: 'thresholds',
      problem: variable === '' ? 'it is not clear which variable it is of' : 'no panel shows its variable',
      received: `${variable}${operator}${limit}`,
      allowed: names.map((name) => `${name}${operator}${limit}`).join(', '),
    });
  }
  return shown.map((panel) =>
    thresholds
      .filter((threshold) => threshold.variable === undefined || isOf(threshold, panel))
      .map(({ limit }) => limit),
  );
}

/**
 * The variable that a map is of, by its own option or by its first threshold, and the thresholds. Throws OptionError if
 * both name different ones.
 */
export function variableOfMap(variable: string | undefined, thresholds: readonly PlotThreshold[]): string | undefined {
  if (variable === undefined) return thresholds[0]?.variable;
  const other = thresholds.find((threshold) => threshold.variable && !isOf(threshold, { variable: slugOf(variable) }));
  if (other === undefined) return variable;
  throw new OptionError({
    ...{ subject: 'thresholds', problem: 'the map is of another variable' },
    ...{ received: `${other.variable}${other.operator}${other.limit}`, allowed: `a threshold of ${variable}` },
  });
}

function valuesOf(table: Table): PanelValues {
  const text = (name: string): string | undefined =>
    table.schema.metadata.get(name) ?? table.getChild(name)?.get(0) ?? undefined;
  return { variable: text('variable'), units: text('units') };
}

function isOf({ variable = '' }: PlotThreshold, panel: PanelValues): boolean {
  return variable === panel.variable || slugOf(variable) === panel.variable;
}

function slugOf(name: string): string {
  return variableByName(name)?.slug ?? name;
}
