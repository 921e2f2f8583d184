import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Core } from '../core/load.js';
import type { Point } from '../ensemble/nearest-place.js';
import type { PageConfig } from './config.js';
import { type Given, type GivenAddress, type GivenFile, nameList } from './data/file-origin.js';
import type { OpenSource } from './data/open-source.js';
import { openSample } from './data/sample.js';
import { errorText } from './error-text.js';
import { statesApart } from './skill/state-file.js';
import type { LinkedSource } from './view/address.js';

/** What is being done, or went wrong. */
export type Status = { readonly kind: 'busy' | 'error'; readonly text: string } | undefined;

/** The data that are open. */
interface Opened {
  readonly source: OpenSource;
  /** An earlier run that they are compared with. */
  readonly earlier: OpenSource | undefined;
}

/** The open data, and how others are opened. */
interface SourceState extends Partial<Opened> {
  readonly status: Status;
  readonly setStatus: (status: Status) => void;
  readonly openSample: () => void;
  readonly openFiles: (files: readonly Given[]) => void;
  /** Of files that are no states of verifications, `begin` is called before they are shown. */
  readonly openUrls: (files: readonly GivenAddress[], begin?: () => void) => void;
  readonly connect: (address: string, key: string, point: Point) => void;
  readonly openEarlier: (files: readonly Given[]) => void;
  readonly closeEarlier: () => void;
  /** Ends what is being opened. */
  readonly cancel: () => void;
  /** The data that the address named, which the reader has to agree to. */
  readonly proposed: LinkedSource | undefined;
  /** Opens what an address names, or else what the page begins with. */
  readonly follow: (linked: LinkedSource | undefined, at: Point | undefined) => void;
}

/** The place of a first request, where nobody says another: that of the sample. */
export const FIRST_POINT: Point = { latitude: 37.3, longitude: -79.84 };

/**
 * Opens data, one at a time: the last that was requested is shown. The modules of files and servers are loaded then. `onStates` gets
 * the states of verifications among files at addresses, beside which the data stay.
 */
export function useSource(
  _core: Core,
  { config, onStates }: { readonly config: PageConfig; readonly onStates: (states: readonly GivenFile[]) => void },
  linked: LinkedSource | undefined,
  at: Point | undefined,
) {
  const [{ source, earlier }, setOpened] = useState<Partial<Opened>>({});
  const [status, setStatus] = useState<Status>();
  const [proposed, setProposed] = useState<LinkedSource>();
  const running = useRef<AbortController | undefined>(undefined);

  const open = useCallback(async (text: string, work: (signal: AbortSignal) => Promise<Partial<Opened>>) => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    setProposed(undefined);
    setStatus({ kind: 'busy', text });
    try {
      const opened = await work(signal);
      if (signal.aborted) return;
      // Other data begin without an earlier run.
      setOpened((now) => (opened.source === undefined ? { ...now, ...opened } : opened));
      setStatus(undefined);
    } catch (error) {
      if (!signal.aborted) setStatus({ kind: 'error', text: errorText(error) });
    }
  }, []);

  const openSampleData = useCallback(
    () => void open('Generating the sample…', async () => ({ source: openSample() })),
    [open],
  );
  const openFiles = useCallback(
    (files: readonly Given[]) =>
      void open(`Reading ${namesOf(files)}…`, async () => ({
        source: await (await import('./data/open-files.js')).openFiles(files),
      })),
    [open],
  );
  const openEarlier = useCallback(
    (files: readonly Given[]) =>
      void open(`Reading ${namesOf(files)}…`, async () => ({
        earlier: await (await import('./data/open-files.js')).openFiles(files),
      })),
    [open],
  );
  const closeEarlier = useCallback(() => setOpened((now) => ({ source: now.source })), []);
  const openUrls = useCallback(
    (files: readonly GivenAddress[], begin?: () => void, earlier: readonly GivenAddress[] = []) =>
      void open(`Fetching ${namesOf(files)}…`, async (signal) => {
        const [{ fetchGiven }, { openFiles }] = await Promise.all([
          import('./data/fetch-file.js'),
          import('./data/open-files.js'),
        ]);
        const fetchAll = (list: readonly GivenAddress[]) => Promise.all(list.map((file) => fetchGiven(file, signal)));
        const { states, others } = await statesApart(await fetchAll(files));
        signal.throwIfAborted();
        if (states.length > 0) onStates(states);
        if (others.length === 0) return {};
        begin?.();
        return {
          source: await openFiles(others),
          earlier: earlier.length > 0 ? await openFiles(await fetchAll(earlier)) : undefined,
        };
      }),
    [open],
  );
  const connect = useCallback(
    (address: string, key: string, point: Point) =>
      void open(`Asking ${address}…`, async (signal) => ({
        source: await (await import('./data/connect.js')).connect({ address, key, point, signal }),
      })),
    [open],
  );
  const cancel = useCallback(() => {
    running.current?.abort();
    setStatus(undefined);
  }, []);

  const follow = useCallback(
    (linked: LinkedSource | undefined, at: Point | undefined) => {
      const isOwn = (url: string) => new URL(url).origin === location.origin;
      const point = at ?? config.point ?? FIRST_POINT;
      const { server, key } = config;
      const isOther =
        linked?.kind === 'server' && (server === undefined || trimmed(linked.address) !== trimmed(server));
      const isDistant = linked?.kind === 'urls' && !linked.urls.every(isOwn);
      const isFirst = running.current === undefined;
      if (linked?.kind === 'urls' && !isDistant) openUrls(linked.urls.map((url) => ({ url, path: url })));
      else if (isFirst || !(isOther || isDistant)) {
        if (config.files.length > 0) openUrls(config.files, undefined, config.earlier);
        else if (server !== undefined && key !== undefined && !isOther) connect(server, key, point);
        else openSampleData();
      }
      // What another page's link names is requested only when the reader says so.
      if (isOther || isDistant) setProposed(linked);
      else if (linked?.kind !== 'urls' && server !== undefined && key === undefined) {
        setProposed({ kind: 'server', address: server });
      }
    },
    [openUrls, connect, openSampleData],
  );
  useEffect(() => follow(linked, at), []);

  return {
    ...{
      source,
      earlier,
      status,
      setStatus,
      openFiles,
      openEarlier,
      closeEarlier,
      openUrls,
      connect,
      cancel,
      proposed,
    },
    follow,
    openSample: openSampleData,
  } satisfies SourceState;
}

function namesOf(files: readonly { readonly path: string }[]): string {
  return nameList(files.map(({ path }) => path));
}

function trimmed(address: string): string {
  return address.replace(/\/+$/, '');
}
