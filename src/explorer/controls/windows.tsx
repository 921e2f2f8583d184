import { GRANULARITIES } from '../../period/period.js';
import { windowsOf } from '../../period/windows.js';
import type { View } from '../view/view.js';
import { Check, Segments } from './fields.js';
import { TextForm } from './text-form.js';

type Kind = (typeof GRANULARITIES)[number] | 'other';

const KINDS: readonly (readonly [Kind, string])[] = [
  ['daily', 'Daily'],
  ['weekly', 'Weekly'],
  ['monthly', 'Monthly'],
  ['other', 'Other'],
];

const EXAMPLES = ['seasons', 'dekads', 'days 1-7,8-14', 'rolling 7', 'DJF,MAM', 'years', 'years from 10', 'all'];

/** The choice of windows: by a button, or by a text as commands have it. */
export function WindowsControl(props: {
  readonly windows: string;
  readonly partial: boolean;
  readonly onChange: (change: Partial<View>) => void;
}) {
  const { windows, partial, onChange } = props;
  const kind: Kind = GRANULARITIES.find((name) => name === windows) ?? 'other';
  return (
    <div class="windows">
      <Segments
        label="Windows"
        value={kind}
        choices={KINDS}
        onChange={(chosen) => onChange({ windows: chosen === 'other' ? EXAMPLES[0] : chosen })}
      />
      {kind === 'other' && (
        <TextForm
          label="Which windows"
          value={windows}
          suggestions={EXAMPLES}
          hint={`Such as ${EXAMPLES.slice(0, 5).join('; ')}.`}
          onApply={(text) => onChange({ windows: windowsOf(text).text })}
        />
      )}
      {kind !== 'daily' && (
        <Check checked={partial} onChange={(keeps) => onChange({ partial: keeps })}>
          also windows that are not complete
        </Check>
      )}
    </div>
  );
}
