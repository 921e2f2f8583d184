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
}

/** Reads what the page is for; nothing where its server does not say. */
export async function readConfig(): Promise<PageConfig> {
  const response = await fetch('./explorer.json').catch(() => undefined);
  const given = response?.ok ? await response.json().catch(() => undefined) : undefined;
  return toConfig(given, document.baseURI);
}

function toConfig(given: unknown, base: string): PageConfig {
  const { server, key, file, paths, arrays, point } = (given ?? {}) as Record<string, unknown>;
  const [latitude, longitude] = Array.isArray(point) ? point.map(Number) : [];
  const names = Array.isArray(paths) ? paths : [];
  const arraysOf = (i: number) => (Array.isArray(arrays) ? arrays[i] : undefined);
  const files = [file].flat().flatMap((url, i) =>
    typeof url === 'string'
      ? {
          url: new URL(url, base).href,
          path: typeof names[i] === 'string' ? names[i] : decodeURIComponent(url),
          ...(Array.isArray(arraysOf(i)) && { arrays: arraysOf(i).map(String) }),
        }
      : [],
  );
  return {
    ...(typeof server === 'string' && { server: new URL(server, base).href }),
    ...(typeof key === 'string' && { key }),
    ...(Number.isFinite(latitude) && Number.isFinite(longitude) && { point: { latitude, longitude } }),
    files,
  };
}
