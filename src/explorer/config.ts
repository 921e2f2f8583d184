import type { Point } from '../ensemble/nearest-place.js';
import type { GivenAddress } from './data/file-origin.js';

/** What the server of the page says that it is for: `explorer.json` beside the page. */
export interface PageConfig {
  /** The address of a service to connect to, relative to the page. */
  readonly server?: string;
  readonly key?: string;
  /** The place to begin with. */
  readonly point?: Point;
  /** Files to open, relative to the page, and their paths as commands name them. */
  readonly files: readonly GivenAddress[];
  /** Files of an earlier run, to compare with. */
  readonly earlier: readonly GivenAddress[];
}

/** Reads what the page is for; nothing where its server does not say. */
export async function readConfig(): Promise<PageConfig> {
  const response = await fetch('./explorer.json').catch(() => undefined);
  const given = response?.ok ? await response.json().catch(() => undefined) : undefined;
  return toConfig(given, document.baseURI);
}

function toConfig(given: unknown, base: string): PageConfig {
  const { server, key, file, paths, arrays, point, ...others } = (given ?? {}) as Record<string, unknown>;
  const { earlier, earlierPaths, earlierArrays } = others;
  const [latitude, longitude] = Array.isArray(point) ? point.map(Number) : [];
  const list = (value: unknown) => (Array.isArray(value) ? value : []);
  const filesOf = (urls: unknown, names: readonly unknown[], arraysOf: readonly unknown[]): GivenAddress[] =>
    [urls].flat().flatMap((url, i) => {
      if (typeof url !== 'string') return [];
      const path = typeof names[i] === 'string' ? names[i] : decodeURIComponent(url);
      const own = arraysOf[i];
      return { url: new URL(url, base).href, path, ...(Array.isArray(own) && { arrays: own.map(String) }) };
    });
  const files = filesOf(file, list(paths), list(arrays));
  return {
    ...(typeof server === 'string' && { server: new URL(server, base).href }),
    ...(typeof key === 'string' && { key }),
    ...(Number.isFinite(latitude) && Number.isFinite(longitude) && { point: { latitude, longitude } }),
    files,
    earlier: filesOf(earlier, list(earlierPaths), list(earlierArrays)),
  };
}
