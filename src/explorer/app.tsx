import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Core } from '../core/load.js';
import { Charts } from './charts.js';
import type { PageConfig } from './config.js';
import { AddressDialog, ConnectDialog } from './controls/dialogs.js';
import { Sidebar } from './controls/sidebar.js';
import { TopBar } from './controls/top-bar.js';
import type { Given, GivenFile } from './data/file-origin.js';
import { chosenFolder, droppedItems } from './data/folder-store.js';
import { statesApart } from './skill/state-file.js';
import { VerificationSection } from './skill/verification-section.js';
import { useShownPanels } from './use-panels.js';
import { FIRST_POINT, useSource } from './use-source.js';
import { useTheme } from './use-theme.js';
import { formatAddress, type Linked, type LinkedSource, parseAddress } from './view/address.js';
import { FIRST_VIEW, type View } from './view/view.js';

/** The page: where data come from, controls, and a chart for each variable. */
export function App({ core, config }: { readonly core: Core; readonly config: PageConfig }) {
  const first = useMemo(() => parseAddress(location.hash), []);
  const [view, setView] = useState<View>(first.view);
  const [dialog, setDialog] = useState<'address' | 'connect'>();
  const [states, setStates] = useState<readonly GivenFile[]>([]);
  const theme = useTheme();
  const state = useSource(core, { config, onStates: setStates }, first.source, first.view.point);
  const { source, earlier, status, proposed } = state;
  const change = (part: Partial<View>) => setView((now) => ({ ...now, ...part }));
  const shown = useShownPanels(core, { source, earlier }, view, config.point ?? FIRST_POINT);
  const named = source?.origin.kind === 'sample' ? undefined : linkedSource(source);
  useAddress(named, view, (linked) => {
    setView(linked.view);
    if (!isSame(linked.source, named) && !isOnlyHere(source, linked)) state.follow(linked.source, linked.view.point);
    else if (status?.kind === 'busy') state.cancel();
  });

  /** Data that the reader opens begin with their own variables and place. */
  const begin = (point?: View['point']) =>
    setView(({ variables: _variables, point: _point, as: _as, model: _model, ...others }) => ({
      ...others,
      ...{ thresholds: {}, holds: {}, conditions: [], method: 'field', ...(point && { point }) },
    }));
  const openFiles = (files: readonly Given[]) => {
    void statesApart(files).then(({ states, others }) => {
      if (states.length > 0) setStates(states);
      if (others.length === 0) return;
      begin();
      state.openFiles(others);
    });
  };
  const isDragged = useDrop(openFiles);

  return (
    <>
      <TopBar
        theme={theme}
        onFiles={(files) => openFiles(files.map((file) => ({ path: file.name, content: file })))}
        onFolder={(files) => openFiles(files.length === 0 ? [] : [chosenFolder(files)])}
        onAddress={() => setDialog('address')}
        onConnect={() => setDialog('connect')}
        onSample={() => {
          begin();
          state.openSample();
        }}
      />
      <div class="status" role="status">
        {status?.kind === 'busy' && (
          <p class="note">
            {status.text}{' '}
            <button type="button" class="quiet" onClick={state.cancel}>
              Cancel
            </button>
          </p>
        )}
      </div>
      {status?.kind === 'error' && (
        <p class="note error" role="alert">
          {status.text}{' '}
          <button type="button" class="quiet" onClick={() => state.setStatus(undefined)}>
            Close
          </button>
        </p>
      )}
      {proposed !== undefined && <Proposal source={proposed} onOpen={() => openProposed(proposed)} />}
      {states.length > 0 && (
        <VerificationSection states={states} theme={theme.resolved} onClose={() => setStates([])} />
      )}
      {source !== undefined && (
        <main class="page">
          <details class="aside" open={isWide()}>
            <summary>Controls</summary>
            <Sidebar
              {...{ source, view }}
              variables={shown.variables}
              units={shown.units}
              point={shown.point}
              windows={shown.windows}
              shownOf={shown.shownOf}
              earlier={earlier?.title}
              onEarlier={(files) =>
                files.length === 0
                  ? state.closeEarlier()
                  : state.openEarlier(files.map((file) => ({ path: file.name, content: file })))
              }
              onChange={change}
            />
          </details>
          <Charts {...{ core, source, view, shown }} theme={theme.resolved} onChange={change} />
        </main>
      )}
      {isDragged && <div class="drop">Drop the files to open them</div>}
      {dialog === 'address' && (
        <AddressDialog
          onClose={() => setDialog(undefined)}
          onOpen={(urls) => {
            setDialog(undefined);
            state.openUrls(
              urls.map((url) => ({ url, path: url })),
              begin,
            );
          }}
        />
      )}
      {dialog === 'connect' && (
        <ConnectDialog
          address={proposed?.kind === 'server' ? proposed.address : (config.server ?? '')}
          apiKey={proposed?.kind === 'server' ? '' : (config.key ?? '')}
          point={view.point ?? config.point ?? FIRST_POINT}
          onClose={() => setDialog(undefined)}
          onConnect={(address, key, point) => {
            setDialog(undefined);
            begin(point);
            state.connect(address, key, point);
          }}
        />
      )}
    </>
  );

  function openProposed(linked: LinkedSource): void {
    if (linked.kind === 'server') setDialog('connect');
    if (linked.kind === 'urls') state.openUrls(linked.urls.map((url) => ({ url, path: url })));
  }
}

/** What a link wants to open, for the reader to agree to. */
function Proposal({ source, onOpen }: { readonly source: LinkedSource; readonly onOpen: () => void }) {
  if (source.kind === 'sample') return null;
  const names = source.kind === 'urls' ? source.urls.join(', ') : source.address;
  return (
    <p class="note">
      {source.kind === 'urls' ? `This link opens ${names}.` : `This link shows the forecast of ${names}.`}{' '}
      <button type="button" onClick={onOpen}>
        {source.kind === 'urls' ? 'Open it' : 'Connect'}
      </button>
    </p>
  );
}

function isWide(): boolean {
  return matchMedia('(min-width: 60em)').matches;
}

/** How an address names open data: local files are not named. */
function linkedSource(source: ReturnType<typeof useSource>['source']): LinkedSource | undefined {
  if (source?.origin.kind === 'server') return { kind: 'server', address: source.origin.address };
  if (source?.origin.kind !== 'files') return undefined;
  const files = source.origin.files.flatMap((file) => [file, ...file.others]);
  const urls = files.flatMap(({ url, path }) => (url !== undefined && url === path ? url : []));
  return urls.length === files.length ? { kind: 'urls', urls } : undefined;
}

function isSame(one: LinkedSource | undefined, other: LinkedSource | undefined): boolean {
  return formatAddress({ source: one, view: FIRST_VIEW }) === formatAddress({ source: other, view: FIRST_VIEW });
}

/** Whether data that no address can name are open, and an address names no others. */
function isOnlyHere(source: ReturnType<typeof useSource>['source'], linked: Linked): boolean {
  return source?.origin.kind === 'files' && linkedSource(source) === undefined && linked.source === undefined;
}

/** Browsers limit how often an address may change. */
const ADDRESS_DELAY = 250;

/** Keeps the view in the address of the page, and follows where the reader changes that. */
function useAddress(source: LinkedSource | undefined, view: View, follow: (linked: Linked) => void): void {
  const text = formatAddress({ source, view });
  useEffect(() => {
    const timer = setTimeout(() => {
      history.replaceState(null, '', text === '' ? location.pathname + location.search : `#${text}`);
    }, ADDRESS_DELAY);
    return () => clearTimeout(timer);
  }, [text]);
  const followed = useRef(follow);
  followed.current = follow;
  useEffect(() => {
    // Replacing the state does not cause this event.
    const changed = () => followed.current(parseAddress(location.hash));
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
}

/** Takes files that are dropped on the page; whether some are held above it. */
function useDrop(onFiles: (files: readonly Given[]) => void): boolean {
  const [isDragged, setDragged] = useState(false);
  const open = useRef(onFiles);
  open.current = onFiles;
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault();
      setDragged(event.dataTransfer?.types.includes('Files') ?? false);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setDragged(false);
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setDragged(false);
      if (event.dataTransfer !== null) open.current(droppedItems(event.dataTransfer));
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return isDragged;
}
