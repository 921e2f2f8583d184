import { useEffect, useRef, useState } from 'preact/hooks';
import type { Explained } from '../chart/explain.js';
import { Menu } from '../controls/menu.js';
import type { OpenSource } from '../data/open-source.js';
import { errorText } from '../error-text.js';
import type { Shown } from '../use-panels.js';
import type { View } from '../view/view.js';
import type { Copied, CopiedView } from './copied-view.js';
import { drawPicture, drawPng } from './pictures.js';
import { pythonCode } from './python-code.js';
import { resultTable } from './result-tables.js';
import { save } from './save.js';
import { curlCommand, shellCommand } from './shell-command.js';
import { typescriptCode } from './typescript-code.js';

export interface ActionProps {
  readonly source: OpenSource;
  readonly view: View;
  readonly shown: Shown;
  readonly theme: 'light' | 'dark';
}

const COPIES: readonly (readonly [string, (copied: CopiedView) => Copied])[] = [
  ['curl', curlCommand],
  ['plumecast command', shellCommand],
  ['TypeScript', typescriptCode],
  ['Python', pythonCode],
];

/** The width of pictures in pixels. */
const PICTURE_WIDTH = 960;

/** What readers take with them: the link, files, code. */
export function ActionBar({ source, view, shown, theme }: ActionProps) {
  const [said, say] = useState('');
  const [copied, setCopied] = useState<{ readonly title: string; readonly text: string }>();
  const drawn = shown.list.flatMap(({ explained }) => explained ?? []);
  const copyText = async (title: string, text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      say(`${title} copied.`);
    } catch {
      say(`${title}: copy it from the box.`);
    }
  };
  const copy = async (title: string, write: (copied: CopiedView) => Copied) => {
    const result = write({
      source,
      view: { ...view, windows: shown.windows },
      variables: shown.variables,
      point: shown.point,
    });
    if ('reason' in result) return say(result.reason);
    setCopied({ title, text: result.text });
    await copyText(title, result.text);
  };
  const download = async (form: string) => {
    try {
      say('');
      save(`${nameOf(shown)}.${form}`, await contentOf(form, { source, view, shown, theme }, drawn));
    } catch (error) {
      say(errorText(error));
    }
  };
  return (
    <div class="actions">
      <span class="said" role="status">
        {said}
      </span>
      <button type="button" onClick={() => copyText('Link', location.href)}>
        Copy link
      </button>
      <Menu label="Download">
        {['csv', 'arrow', 'svg', 'png'].map((form) => (
          <button key={form} type="button" onClick={() => download(form)}>
            {FORMS[form]}
          </button>
        ))}
      </Menu>
      <Menu label="Copy as">
        {COPIES.map(([title, write]) => (
          <button key={title} type="button" onClick={() => copy(title, write)}>
            {title}
          </button>
        ))}
      </Menu>
      {copied && <CodeDialog {...copied} onClose={() => setCopied(undefined)} />}
    </div>
  );
}

const FORMS: Readonly<Record<string, string>> = {
  csv: 'Statistics, CSV',
  arrow: 'Statistics, Arrow',
  svg: 'Picture, SVG',
  png: 'Picture, PNG',
};

/** Shows what was copied. */
function CodeDialog(props: { readonly title: string; readonly text: string; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="wide" aria-labelledby="copied-title" onClose={props.onClose}>
      <h2 id="copied-title">{props.title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls has to be reached by the keyboard. */}
      <pre class="code" tabIndex={0}>
        {props.text}
      </pre>
      <p class="buttons">
        <button type="button" class="primary" onClick={props.onClose}>
          Close
        </button>
      </p>
    </dialog>
  );
}

async function contentOf(
  form: string,
  { source, theme, view }: ActionProps,
  drawn: readonly Explained[],
): Promise<Blob> {
  if (drawn.length === 0) throw new Error('There is nothing to download: no chart is shown.');
  const panels = drawn.map(({ panel }) => (view.members ? panel : { ...panel, members: undefined }));
  const picture = { panels, theme, title: source.title, width: PICTURE_WIDTH };
  if (form === 'svg') return new Blob([drawPicture(picture)], { type: 'image/svg+xml' });
  if (form === 'png') return drawPng(picture);
  const { encodeTable } = await import('../../files/encode-tables.js');
  const bytes = await encodeTable(resultTable(drawn), form as 'csv' | 'arrow');
  return new Blob([bytes as Uint8Array<ArrayBuffer>], {
    type: form === 'csv' ? 'text/csv' : 'application/octet-stream',
  });
}

function nameOf({ variables, windows }: Shown): string {
  const names = variables.length > 3 ? [...variables.slice(0, 2), 'and-others'] : variables;
  return `${names.join('-')}-${windows}`.replace(/[^\w.-]+/g, '-');
}
