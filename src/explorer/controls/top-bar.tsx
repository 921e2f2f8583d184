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
  readonly onFolder: (files: readonly File[]) => void;
  readonly onAddress: () => void;
  readonly onConnect: () => void;
  readonly onSample: () => void;
}) {
  const { theme, onFiles, onFolder, onAddress, onConnect, onSample } = props;
  return (
    <header class="top">
      <h1>
        <img src="./icon.svg" alt="" width="24" height="24" /> plumecast <span>explorer</span>
      </h1>
      <nav aria-label="Data">
        <FileButton id="files" label="Files to open" onFiles={onFiles}>
          Open files
        </FileButton>
        <FileButton id="folder" label="Folder to open" isFolder onFiles={onFolder}>
          Open folder
        </FileButton>
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

/** Opens the browser's dialog for files, or for a folder with all that is in it. */
function FileButton(props: {
  readonly id: string;
  readonly label: string;
  readonly isFolder?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: string;
}) {
  const { id, label, isFolder = false, onFiles, children } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        id={id}
        class="hidden"
        type="file"
        multiple
        {...(isFolder && { webkitdirectory: true })}
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          onFiles(Array.from(event.currentTarget.files ?? []));
          event.currentTarget.value = '';
        }}
      />
      <button type="button" onClick={() => input.current?.click()}>
        {children}
      </button>
    </>
  );
}
