import { useMemo, useRef } from 'preact/hooks';
import { type Condition, namedVariables, neededQuantiles } from '../condition/condition.js';
import { parseCondition } from '../condition/parse-condition.js';
import type { Core } from '../core/load.js';
import { type ConditionShares, conditionShares } from './chart/shown-condition.js';
import { errorText } from './error-text.js';
import type { ReadState } from './use-series.js';
import type { View } from './view/view.js';
import { windowChoice } from './view/window-choice.js';

/** A condition of the view, and the members with it; or why these are not known. */
export interface ShownCondition {
  /** As the view has it, in the units of the data. */
  readonly text: string;
  readonly condition: Condition;
  readonly found?: ConditionShares;
  readonly error?: string;
}

/** The conditions of a view, read. */
export interface ViewConditions {
  readonly list: readonly { readonly text: string; readonly condition: Condition }[];
  /** The keys of variables that they name. */
  readonly variables: readonly string[];
  /** The quantiles of climatologies that they need. */
  readonly quantiles: readonly number[];
}

/** Reads the conditions of a view. */
export function readConditions(texts: readonly string[]): ViewConditions {
  const list = texts.map((text) => ({ text, condition: parseCondition(text) }));
  const all = list.map(({ condition }) => condition);
  return { list, variables: namedVariables(all), quantiles: neededQuantiles(all) };
}

/** Counts the members with each condition, again only where what it is of has changed. */
export function useConditions(
  core: Core,
  conditions: ViewConditions,
  read: ReadonlyMap<string, ReadState>,
  windows: string,
  { partial, holds }: Pick<View, 'partial' | 'holds'>,
): readonly ShownCondition[] {
  const computed = useRef(new Map<string, { readonly of: readonly unknown[]; readonly made: ShownCondition }>());
  return useMemo(
    () =>
      conditions.list.flatMap(({ text, condition }): ShownCondition[] => {
        const names = namedVariables([condition]);
        const states = names.map((name) => read.get(name));
        if (states.some((state) => state === undefined)) return [];
        const choices = names.map((name) => windowChoice(windows, partial, holds[name]));
        const of = [...states, ...choices];
        const known = computed.current.get(text);
        if (known?.of.every((value, i) => value === of[i])) return [known.made];
        const made = { text, condition, ...sharesOf(condition, names, states as ReadState[], choices) };
        computed.current.set(text, { of, made });
        return [made];
      }),
    [core, conditions, read, windows, partial, holds],
  );

  function sharesOf(
    condition: Condition,
    names: readonly string[],
    states: readonly ReadState[],
    choices: readonly ReturnType<typeof windowChoice>[],
  ): Pick<ShownCondition, 'found' | 'error'> {
    try {
      const variables = names.map((name, v) => {
        const { series, error, climatology, normalNote } = states[v];
        if (series === undefined) throw new Error(`${name}: ${error}`);
        if (climatology === undefined && normalNote !== undefined && neededQuantiles([condition]).length > 0)
          throw new Error(`${name}: ${normalNote}`);
        return { name, table: series.table, climatology, choice: choices[v] };
      });
      return { found: conditionShares(core, condition, variables) };
    } catch (error) {
      return { error: errorText(error) };
    }
  }
}
