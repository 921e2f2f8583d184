import type { ComponentChildren } from 'preact';
import { useIsWide } from '../use-is-wide.js';
import type { ThemeChoice, ThemeState } from '../use-theme.js';
import { FileButton } from './file-button.js';
import { Menu } from './menu.js';

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
  // Narrow pages have the chart first, and what opens others behind one button.
  const isWide = useIsWide('(min-width: 48em)');
  return (
    <header class="top">
      <h1>
        <img src="./icon.svg" alt="" width="24" height="24" /> plumecast <span>explorer</span>
      </h1>
      <nav aria-label="Data">
        <OneOrMany isWide={isWide}>
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
        </OneOrMany>
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

/** Buttons beside each other, or in a menu. */
function OneOrMany({ isWide, children }: { readonly isWide: boolean; readonly children: ComponentChildren }) {
  return isWide ? children : <Menu label="Open">{children}</Menu>;
}
