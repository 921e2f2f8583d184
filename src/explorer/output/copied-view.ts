import { type Condition, namedVariables, withVariables } from '../../condition/condition.js';
import { conditionText } from '../../condition/condition-text.js';
import { parseCondition } from '../../condition/parse-condition.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { GRANULARITIES } from '../../period/period.js';
import type { OpenSource } from '../data/open-source.js';
import { quantilesOf, type View } from '../view/view.js';

/** What copied text computes. */
export interface CopiedView {
  readonly source: OpenSource;
  /** Its windows are those that are shown. */
  readonly view: View;
  /** Keys of the variables that are shown. */
  readonly variables: readonly string[];
  /** The place, where it has to be named. */
  readonly point: Point | undefined;
}

/** Text to copy; or why there is none. */
export type Copied = { readonly text: string } | { readonly reason: string };

/** The quantiles of a view as commands write them. */
export function quantileList({ view }: CopiedView): string {
  return quantilesOf(view).join(',');
}

/** The windows of a view, as `windowsOf` reads them. */
export function windowsOfCopied({ view }: CopiedView): string {
  return view.windows ?? 'daily';
}

/** Whether windows are days, weeks or months, which all versions of all programs know. */
export function areCalendarWindows(copied: CopiedView): boolean {
  return (GRANULARITIES as readonly string[]).includes(windowsOfCopied(copied));
}

/** What windows hold of a variable; undefined for its own rule. */
export function holdOf({ view: { holds } }: CopiedView, variable: string): string | undefined {
  return Object.hasOwn(holds, variable) ? holds[variable] : undefined;
}

/** The conditions of a view by what they are of. */
export interface CopiedConditions {
  /** Conditions on one variable alone, without its name. */
  of(variable: string): readonly string[];
  /** Conditions on several variables, or on one that is not shown. */
  readonly joint: readonly Condition[];
}

/** Sorts the conditions of a view; those on variables that the data do not have are left out. */
export function conditionsOf({ source, view, variables }: CopiedView): CopiedConditions {
  const known = source.variables.filter(({ isKnown }) => isKnown).map(({ key }) => key);
  const all = view.conditions
    .map(parseCondition)
    .filter((condition) => namedVariables([condition]).every((name) => known.includes(name)));
  const isOwn = (condition: Condition, variable: string) => {
    const names = namedVariables([condition]);
    return names.length === 1 && names[0] === variable;
  };
  return {
    of: (variable) =>
      all
        .filter((condition) => isOwn(condition, variable))
        .map((condition) => conditionText(withVariables(condition, () => undefined))),
    joint: all.filter((condition) => !variables.some((variable) => isOwn(condition, variable))),
  };
}

/** The threshold of a variable as options write it: `>20`. */
export function thresholdOf({ view: { thresholds } }: CopiedView, variable: string): string | undefined {
  if (!Object.hasOwn(thresholds, variable)) return undefined;
  const { operator, limit } = thresholds[variable];
  return `${operator}${limit}`;
}

/** The model that is shown, of a table of several. */
export function modelOf({ source: { models }, view: { model } }: CopiedView): string | undefined {
  return models.length > 1 ? (models.find((each) => each === model) ?? models[0]) : undefined;
}

/** The units of the data, each with the one in which it is shown: results of commands keep the units of the data. */
export function chosenUnits({ view: { units } }: CopiedView): (readonly [own: string, shown: string])[] {
  return Object.entries(units);
}
