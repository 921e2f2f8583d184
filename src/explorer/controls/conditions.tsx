import { withVariables } from '../../condition/condition.js';
import { ConditionError } from '../../condition/condition-error.js';
import { conditionText } from '../../condition/condition-text.js';
import { parseCondition } from '../../condition/parse-condition.js';
import { variableByName } from '../../variable/find-variable.js';
import type { OpenSource } from '../data/open-source.js';
import { withLimits } from '../view/condition-units.js';
import { fromShown, type Shown } from '../view/units.js';
import type { View } from '../view/view.js';
import { TextForm } from './text-form.js';

/** Adds conditions on one variable or several, whose shares of members are shown below the charts. */
export function ConditionsControl(props: {
  readonly source: OpenSource;
  readonly view: View;
  /** Keys of the variables that are shown. */
  readonly variables: readonly string[];
  readonly shownOf: (variable: string) => Shown;
  readonly onChange: (change: Partial<View>) => void;
}) {
  const { source, view, variables, shownOf, onChange } = props;
  const add = (text: string) => {
    const known = source.variables.map(({ key }) => key);
    const condition = withVariables(parseCondition(text), (name) => keyOf(text, name, known, variables));
    const inUnits = conditionText(withLimits(condition, (limit, name) => fromShown(shownOf(name ?? ''), limit)));
    if (!view.conditions.includes(inUnits)) onChange({ conditions: [...view.conditions, inUnits] });
  };
  const [first = 'temp_mean', second] = variables;
  const example = second === undefined ? `${first}>5` : `${first}>5 and ${second}<1`;
  return (
    <fieldset>
      <legend>Conditions</legend>
      <TextForm
        label="Condition"
        isLabelHidden
        value=""
        button="Add"
        hint={`Such as ${example}; ${first} 5..20; ${first}>q90`}
        onApply={add}
      />
    </fieldset>
  );
}

/** The key of a variable as a condition names it; a condition without a name is on the only one that is shown. */
function keyOf(text: string, name: string | undefined, known: readonly string[], shown: readonly string[]): string {
  if (name === undefined) {
    if (shown.length === 1) return shown[0];
    throw new ConditionError(
      text,
      0,
      'it is not said which variable this is of',
      `a name first, ${shown[0] ?? known[0]}>5`,
    );
  }
  const key = [name, variableByName(name)?.slug, name.replaceAll(' ', '_')].find((each) => known.includes(each ?? ''));
  if (key !== undefined) return key;
  throw new ConditionError(text, Math.max(0, text.indexOf(name)), `the data have no ${name}`, known.join(', '));
}
