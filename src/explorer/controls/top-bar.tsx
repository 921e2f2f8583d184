import { useRef } from 'preact/hooks';
import type { ThemeChoice, ThemeState } from '../use-theme.js';

const THEMES: readonly (readonly [ThemeChoice, string])[] = [
  ['auto', 'System theme'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** The name of the page, and where data come from. */
export function TopBar(props: {
  readonly theme: ThemeState;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onAddress: () => void;
  readonly onConnect: () => void;
  readonly onSample: () => void;
}) {
  const { theme, onFiles, onAddress, onConnect, onSample } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <header class="top">
      <h1>
        <img src="./icon.svg" alt="" width="24" height="24" /> plumecast <span>explorer</span>
      </h1>
      <nav aria-label="Data">
        <input
          ref={input}
          id="files"
          class="hidden"
          type="file"
          multiple
          tabIndex={-1}
          aria-label="Files to open"
          onChange={(event) => {
            onFiles(Array.from(event.currentTarget.files ?? []));
            event.currentTarget.value = '';
          }}
        />
        <button type="button" onClick={() => input.current?.click()}>
          Open files
        </button>
        <button type="button" onClick={onAddress}>
          Open address
        </button>
        <button type="button" onClick={onConnect}>
          Connect
        </button>
        <button type="button" onClick={onSample}>
          Sample
        </button>
        <select
          aria-label="Theme"
          value={theme.choice}
          onChange={(event) => theme.choose(event.currentTarget.value as ThemeChoice)}
        >
          {THEMES.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </nav>
    </header>
  );
}
