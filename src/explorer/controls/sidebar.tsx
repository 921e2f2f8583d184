import type { OpenSource } from '../data/open-source.js';
import { type Shown, unitChoices } from '../view/units.js';
import { SAMPLING_LEVEL, type SeriesMethod, type View } from '../view/view.js';
import { ConditionsControl } from './conditions.js';
import { Check, Select, Slider } from './fields.js';
import { FileButton } from './file-button.js';
import { PlaceControl } from './place.js';
import { variableName } from './variable-name.js';
import { WindowsControl } from './windows.js';

export interface SidebarProps {
  readonly source: OpenSource;
  readonly view: View;
  /** Keys of the variables that are shown. */
  readonly variables: readonly string[];
  /** Units of the data that are shown. */
  readonly units: readonly string[];
  readonly point: View['point'];
  readonly windows: string;
  /** The unit in which windows of a variable are shown. */
  readonly shownOf: (variable: string) => Shown;
  /** What the earlier run is called that is compared with, and how others are opened; none closes it. */
  readonly earlier: string | undefined;
  readonly onEarlier: (files: readonly File[]) => void;
  readonly onChange: (change: Partial<View>) => void;
}

/** The controls of the view. */
export function Sidebar(props: SidebarProps) {
  const { source, view, variables, units, point, windows, shownOf, earlier, onEarlier, onChange } = props;
  const { outer, inner } = view;
  const convertible = units.filter((unit) => unitChoices(unit).length > 1);
  const hasNormal = source.history !== undefined || source.climatologies.size > 0;
  const toggle = (key: string, isShown: boolean) => {
    const order = source.variables.map((variable) => variable.key);
    const next = isShown ? [...variables, key] : variables.filter((each) => each !== key);
    onChange({ variables: order.filter((each) => next.includes(each)) });
  };
  return (
    <div class="controls">
      <PlaceControl
        places={source.places}
        hasAnyPlace={source.hasAnyPlace}
        point={point}
        onChange={(chosen) => onChange({ point: chosen })}
      />
      {source.models.length > 1 && (
        <Select
          label="Model"
          value={source.models.find((model) => model === view.model) ?? source.models[0]}
          choices={source.models.map((model) => [model, model] as const)}
          onChange={(model) => onChange({ model })}
        />
      )}
      <WindowsControl {...{ windows, onChange }} partial={view.partial} />
      <fieldset class="variables">
        <legend>Variables</legend>
        {source.variables.map(({ key }) => (
          <Check key={key} checked={variables.includes(key)} onChange={(isShown) => toggle(key, isShown)}>
            {variableName(key)}
          </Check>
        ))}
      </fieldset>
      <fieldset>
        <legend>Bands</legend>
        <Slider
          label="Outer"
          text={bandText(outer)}
          {...{ min: 10, max: 99, step: 1, value: widthOf(outer) }}
          onInput={(width) => onChange({ outer: lowerOf(width), inner: Math.max(inner, lowerOf(width)) })}
        />
        <Slider
          label="Inner"
          text={bandText(inner)}
          {...{ min: 10, max: 99, step: 1, value: widthOf(inner) }}
          onInput={(width) => onChange({ inner: lowerOf(width), outer: Math.min(outer, lowerOf(width)) })}
        />
      </fieldset>
      <fieldset>
        <legend>Show</legend>
        <Check checked={view.members} onChange={(members) => onChange({ members })}>
          members
        </Check>
        {source.hasSteps && (
          <Check checked={view.steps} onChange={(steps) => onChange({ steps })}>
            time steps
          </Check>
        )}
        <Check checked={view.sampling} onChange={(sampling) => onChange({ sampling })}>
          sampling error ({100 * SAMPLING_LEVEL} %)
        </Check>
        {hasNormal && (
          <Check checked={view.normal} onChange={(normal) => onChange({ normal })}>
            normal values (climatology)
          </Check>
        )}
        {earlier === undefined ? (
          <FileButton id="earlier" label="Files of an earlier run" onFiles={onEarlier}>
            Compare with an earlier run…
          </FileButton>
        ) : (
          <Check checked onChange={() => onEarlier([])}>
            earlier run ({earlier})
          </Check>
        )}
      </fieldset>
      <ConditionsControl {...{ source, view, variables, shownOf, onChange }} />
      {source.horizons.length > 1 && (
        <Select
          label="Horizons"
          value={typeof view.method === 'string' ? view.method : `${view.method.only}`}
          choices={[
            ['field', 'blended'],
            ['splice', 'spliced, by index'],
            ...source.horizons.map((name, h) => [String(h), `${name} alone`] as const),
          ]}
          onChange={(method) => onChange({ method: methodOf(method) })}
        />
      )}
      {convertible.length > 0 && (
        <fieldset>
          <legend>Units</legend>
          {convertible.map((unit) => {
            const choices = unitChoices(unit);
            return (
              <Select
                key={unit}
                label={UNIT_NAMES[unit] ?? unit}
                value={view.units[unit] ?? unit}
                choices={choices.map(({ units: each, label }) => [each, label] as const)}
                onChange={(chosen) => onChange({ units: withUnit(view.units, unit, chosen) })}
              />
            );
          })}
        </fieldset>
      )}
    </div>
  );
}

const UNIT_NAMES: Readonly<Record<string, string>> = {
  ...{ degC: 'Temperature', mm: 'Water', 'm s-1': 'Speed', kPa: 'Pressure' },
};

function methodOf(value: string): SeriesMethod {
  return value === 'field' || value === 'splice' ? value : { only: Number(value) };
}

function withUnit(units: View['units'], unit: string, chosen: string): View['units'] {
  const { [unit]: _, ...others } = units;
  return chosen === unit ? others : { ...others, [unit]: chosen };
}

/** The width of a band in percent of members, of its lower quantile, and back. */
const widthOf = (lower: number) => Math.round((1 - 2 * lower) * 100);
const lowerOf = (width: number) => Number(((100 - width) / 200).toFixed(4));

function bandText(lower: number): string {
  return `${Number((lower * 100).toFixed(2))} to ${Number(((1 - lower) * 100).toFixed(2))} %`;
}
