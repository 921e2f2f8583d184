import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A choice of one of several, as buttons in a row. */
export function Segments<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend>{props.label}</legend>
      <div>
        {props.choices.map(([value, text]) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === props.value}
              onChange={() => props.onChange(value)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A slider, with what it means in words. */
export function Slider(props: {
  readonly label: string;
  readonly text: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: number;
  readonly onInput: (value: number) => void;
}) {
  const { label, text, onInput, ...range } = props;
  const id = useId();
  return (
    <div class="slider">
      <label for={id}>{label}</label>
      <output for={id}>{text}</output>
      <input
        {...range}
        id={id}
        type="range"
        aria-valuetext={text}
        onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}

/** A choice from a list. */
export function Select(props: {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select id={id} value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {props.choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A box to tick. */
export function Check(props: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ComponentChildren;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span>{props.children}</span>
    </label>
  );
}

/** Degrees as the caption has them: ten metres are near enough to find a place, and the field shows all of it. */
export function shortDegrees(degrees: number): string {
  return String(Number(degrees.toFixed(4)));
}

/** The coordinates of a place, side by side, as the reader writes them. */
export function PointFields(props: {
  readonly latitude: string;
  readonly longitude: string;
  readonly onLatitude: (text: string) => void;
  readonly onLongitude: (text: string) => void;
}) {
  const { latitude, longitude, onLatitude, onLongitude } = props;
  return (
    <div class="pair">
      <Degrees label="Latitude" value={latitude} min={-90} max={90} onInput={onLatitude} />
      <Degrees label="Longitude" value={longitude} min={-180} max={360} onInput={onLongitude} />
    </div>
  );
}

function Degrees(props: {
  readonly label: string;
  readonly value: string;
  readonly min: number;
  readonly max: number;
  readonly onInput: (text: string) => void;
}) {
  const { label, onInput, ...field } = props;
  const id = useId();
  return (
    <div>
      <label for={id}>{label}</label>
      <input
        {...field}
        id={id}
        type="number"
        required
        step="any"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
