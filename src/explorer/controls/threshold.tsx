import { useId } from 'preact/hooks';
import type { MemberLines } from '../../plot/panel-data.js';
import type { Threshold, ThresholdOperator } from '../../statistics/options.js';
import { memberExtent } from '../chart/layout.js';
import { fromShown, type Shown, shownLimit } from '../view/units.js';

const OPERATORS: readonly (readonly [ThresholdOperator, string])[] = [
  ['>', 'above'],
  ['>=', 'at or above'],
  ['<', 'below'],
  ['<=', 'at or below'],
];

/** The threshold of a chart: the share of members beyond it follows while the slider is dragged. */
export function ThresholdControl(props: {
  readonly label: string;
  readonly members: MemberLines;
  readonly shown: Shown;
  readonly threshold: Threshold | undefined;
  readonly onChange: (threshold: Threshold | undefined) => void;
}) {
  const { label, members, shown, threshold, onChange } = props;
  const id = useId();
  const [low, high] = memberExtent(members);
  const step = niceStep((high - low) / 100);
  if (threshold === undefined) {
    const add = () => {
      const first = Math.round(upperValue(members) / step) * step;
      onChange({ operator: '>', limit: fromShown(shown, Number(first.toPrecision(6))) });
    };
    return (
      <button type="button" class="quiet add" onClick={add}>
        Add threshold<span class="hidden"> to {label}</span>
      </button>
    );
  }
  const text = String(shownLimit(threshold.limit, shown));
  const set = (value: number) =>
    Number.isFinite(value) && onChange({ ...threshold, limit: fromShown(shown, Number(value.toPrecision(6))) });
  return (
    <fieldset class="threshold-control">
      <legend class="hidden">Threshold of {label}</legend>
      <label class="hidden" for={`${id}o`}>
        Side
      </label>
      <select
        id={`${id}o`}
        value={threshold.operator}
        onChange={(event) => onChange({ ...threshold, operator: event.currentTarget.value as ThresholdOperator })}
      >
        {OPERATORS.map(([operator, words]) => (
          <option key={operator} value={operator}>
            {words}
          </option>
        ))}
      </select>
      <input
        type="range"
        aria-label="Threshold"
        aria-valuetext={`${text} ${shown.label}`}
        min={Math.floor(low / step) * step}
        max={Math.ceil(high / step) * step}
        step={step}
        value={Number(text)}
        onInput={(event) => set(event.currentTarget.valueAsNumber)}
      />
      <input
        type="number"
        aria-label={`Threshold in ${shown.label || 'the unit of the data'}`}
        step="any"
        value={text}
        onChange={(event) => set(event.currentTarget.valueAsNumber)}
      />
      <span>{shown.label}</span>
      <button
        type="button"
        class="quiet"
        onClick={() => onChange(undefined)}
        aria-label={`Remove the threshold of ${label}`}
      >
        ✕
      </button>
    </fieldset>
  );
}

/** A value that some members exceed in most windows: four fifths of all values are below it. */
function upperValue({ values }: MemberLines): number {
  const all = Float64Array.from(values.flatMap((member) => Array.from(member).filter(Number.isFinite))).sort();
  return all[Math.floor(0.8 * all.length)] ?? 0;
}

/** A step of 1, 2 or 5 times a power of ten, at least as large as `least`. */
function niceStep(least: number): number {
  if (!(least > 0)) return 0.1;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((each) => each * power >= least) ?? 10;
  return Number((factor * power).toPrecision(3));
}
