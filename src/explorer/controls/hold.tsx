import { useId } from 'preact/hooks';
import { ConditionError } from '../../condition/condition-error.js';
import { parseCondition } from '../../condition/parse-condition.js';
import { parseThreshold, type Threshold } from '../../statistics/options.js';
import { daysThat, excess, firstDayThat, longestSpell, spells } from '../../statistics/window-measure.js';
import { WINDOW_RULES, type WindowRule } from '../../variable/variable.js';
import { fromShown, type Shown, shownLimit } from '../view/units.js';
import { TextForm } from './text-form.js';

/** What a window can hold by a condition on its days, and the words for it. */
const MEASURES = {
  days: 'days with',
  'longest spell': 'longest run of days with',
  spells: 'runs of days with',
  'first day': 'first day with',
  excess: 'sum beyond',
} as const;

type Measure = keyof typeof MEASURES;

const RULES: Readonly<Record<WindowRule, string>> = {
  ...{ sum: 'sum', mean: 'mean', min: 'minimum', max: 'maximum', count: 'count' },
  ...{ first: 'first value', last: 'last value', range: 'range' },
};

/** What a hold says. */
interface ReadHold {
  readonly kind: WindowRule | Measure;
  readonly threshold?: Threshold;
  readonly days?: number;
}

function readHold(hold: string): ReadHold {
  const [, kind, condition, days] = /^([a-z ]+?) ([<>]\S+)(?: of (\d+) d)?$/.exec(hold) ?? [];
  if (kind === undefined) return { kind: hold as WindowRule };
  return {
    kind: kind as Measure,
    threshold: parseThreshold(condition),
    ...(days !== undefined && { days: Number(days) }),
  };
}

function holdText({ kind, threshold = { operator: '>', limit: 0 }, days = 5 }: ReadHold): string {
  if (kind === 'days') return daysThat(threshold).name;
  if (kind === 'longest spell') return longestSpell(threshold).name;
  if (kind === 'spells') return spells(threshold, days).name;
  if (kind === 'first day') return firstDayThat(threshold).name;
  if (kind === 'excess') return excess(threshold).name;
  return kind;
}

/** What the windows of a chart hold: the variable's own rule, another one, or something by a condition on days. */
export function HoldControl(props: {
  readonly label: string;
  /** The variable's own rule, if it has one. */
  readonly rule: WindowRule | undefined;
  readonly hold: string | undefined;
  /** How values of days are shown. */
  readonly shown: Shown;
  /** A limit to begin with, in the unit of the data. */
  readonly first: number;
  readonly onChange: (hold: string | undefined) => void;
}) {
  const { label, rule, hold, shown, first, onChange } = props;
  const id = useId();
  const read = hold === undefined ? undefined : readHold(hold);
  const kind = read?.kind ?? '';
  const choose = (chosen: string) => {
    if (chosen === '' || chosen === rule) return onChange(undefined);
    const { threshold = { operator: '>', limit: first } as const, days } = read ?? {};
    onChange(holdText({ kind: chosen as Measure, threshold, ...(days !== undefined && { days }) }));
  };
  const { threshold, days } = read ?? {};
  return (
    <fieldset class="hold-control">
      <legend class="hidden">What windows of {label} hold</legend>
      <label class="hidden" for={id}>
        Windows hold
      </label>
      <select id={id} value={kind} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{rule === undefined ? 'usual value' : RULES[rule]}</option>
        {WINDOW_RULES.filter((each) => each !== rule && each !== 'count').map((each) => (
          <option key={each} value={each}>
            {RULES[each]}
          </option>
        ))}
        {(Object.keys(MEASURES) as Measure[]).map((each) => (
          <option key={each} value={each}>
            {MEASURES[each]}
          </option>
        ))}
      </select>
      {read !== undefined && threshold !== undefined && (
        <>
          <TextForm
            label={`Condition on the days of ${label}`}
            isLabelHidden
            value={`${threshold.operator}${shownLimit(threshold.limit, shown)}`}
            onApply={(text) => onChange(holdText({ ...read, threshold: dayCondition(text, shown) }))}
          />
          <span>{shown.label}</span>
        </>
      )}
      {read !== undefined && days !== undefined && (
        <label class="spell-days">
          of at least{' '}
          <input
            type="number"
            min="1"
            max="366"
            step="1"
            value={days}
            onChange={(event) => {
              const count = event.currentTarget.valueAsNumber;
              if (Number.isSafeInteger(count) && count >= 1) onChange(holdText({ ...read, days: count }));
            }}
          />{' '}
          days
        </label>
      )}
    </fieldset>
  );
}

/** A condition on a day, in the unit of the data. Throws ConditionError for what is not one comparison with a number. */
function dayCondition(text: string, shown: Shown): Threshold {
  const condition = parseCondition(text);
  if (condition.kind !== 'comparison' || condition.variable !== undefined || typeof condition.limit !== 'number') {
    throw new ConditionError(text, 0, 'a day is compared with one number', '>20, >=0.1, <1');
  }
  return { operator: condition.operator, limit: fromShown(shown, condition.limit) };
}
