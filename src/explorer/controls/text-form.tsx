import { useEffect, useId, useState } from 'preact/hooks';
import { ConditionError } from '../../condition/condition-error.js';
import { errorText } from '../error-text.js';

/** What is wrong with a text: in words, and the text with a pointer to a character, where that is known. */
interface TextFault {
  readonly words: string;
  readonly lines?: string;
}

/**
 * A field for a text of a small language. `onApply` gets the text when the reader presses enter, the button, or leaves the
 * field, and throws for one that cannot be read: then the field says why, and nothing changes.
 */
export function TextForm(props: {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value: string;
  /** Of a button; without one, leaving the field applies the text, too. */
  readonly button?: string;
  readonly suggestions?: readonly string[];
  readonly hint?: string;
  readonly onApply: (text: string) => void;
}) {
  const { label, isLabelHidden = false, value, button, suggestions = [], hint, onApply } = props;
  const id = useId();
  const [text, setText] = useState(value);
  const [fault, setFault] = useState<TextFault>();
  useEffect(() => {
    setText(value);
    setFault(undefined);
  }, [value]);
  const apply = () => {
    try {
      if (text.trim() !== '' && text !== value) onApply(text.trim());
      setFault(undefined);
      if (button !== undefined) setText('');
    } catch (error) {
      setFault(faultOf(error));
    }
  };
  const describedBy = [fault && `${id}e`, hint && `${id}h`].filter(Boolean).join(' ');
  return (
    <form
      class="text-form"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <label for={id} class={isLabelHidden ? 'hidden' : undefined}>
        {label}
      </label>
      <span class="text-line">
        <input
          id={id}
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          list={suggestions.length > 0 ? `${id}s` : undefined}
          value={text}
          aria-invalid={fault !== undefined}
          aria-describedby={describedBy || undefined}
          onInput={(event) => setText(event.currentTarget.value)}
          onChange={() => button === undefined && apply()}
        />
        {button !== undefined && <button type="submit">{button}</button>}
      </span>
      {suggestions.length > 0 && (
        <datalist id={`${id}s`}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {fault !== undefined && (
        <div id={`${id}e`} class="fault" role="alert">
          {fault.words}
          {fault.lines !== undefined && <pre>{fault.lines}</pre>}
        </div>
      )}
      {hint !== undefined && (
        <p id={`${id}h`} class="hint">
          {hint}
        </p>
      )}
    </form>
  );
}

function faultOf(error: unknown): TextFault {
  if (!(error instanceof ConditionError)) return { words: errorText(error) };
  const { message, lines } = error;
  // The lines are of one text: they are indented as messages are.
  return { words: message.slice(0, message.length - lines.length).trim(), lines: lines.replace(/^ {2}/gm, '') };
}
