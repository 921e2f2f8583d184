import { OptionError } from '../../errors.js';
import { nearestName } from '../../variable/nearest-name.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import { ProblemError } from '../problem-error.js';

/** A path that needs no key. */
export type ServicePath = '/health' | '/ready' | '/openapi.json';

const SERVICE_PATHS: readonly ServicePath[] = /* @__PURE__ */ Object.freeze([
  '/health',
  '/ready',
  '/openapi.json',
] as const);

/** Where a path leads; `segment` is the text in place of `{id}`, not decoded. */
export type Route =
  | { readonly service: ServicePath; readonly endpoint?: undefined; readonly segment?: undefined }
  | { readonly endpoint: Endpoint; readonly segment: string | undefined; readonly service?: undefined };

const ID = '{id}';

/**
 * Finds the route of each path. Paths are matched exactly: with case, one slash between segments and none at the end,
 * nothing percent-encoded except the id of a location. All begin with `basePath`: throws OptionError where that is not
 * a path.
 */
export function createRouter(endpoints: readonly Endpoint[], basePath: string): (path: string) => Route {
  assertBasePath(basePath);
  const routes = new Map<string, Route>();
  const byLocation = new Map<string, Endpoint>();
  for (const service of SERVICE_PATHS) routes.set(basePath + service, { service });
  for (const endpoint of endpoints) {
    const path = basePath + endpoint.path;
    if (path.endsWith(ID)) byLocation.set(path.slice(0, -ID.length), endpoint);
    else routes.set(path, { endpoint, segment: undefined });
  }

  return (path) => {
    const route = routes.get(path);
    if (route !== undefined) return route;
    const start = path.lastIndexOf('/') + 1;
    const endpoint = byLocation.get(path.slice(0, start));
    if (endpoint !== undefined) return { endpoint, segment: path.slice(start) };
    const nearest = nearestName(path, [...routes.keys()]);
    const detail =
      nearest === undefined ? 'The path is not known.' : `The path is not known, the nearest is ${nearest}.`;
    throw new ProblemError(404, 'path-not-found', detail);
  };
}

/** Plain characters; `.` and `..` would lead elsewhere. */
const BASE_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/;

/** Throws OptionError unless `basePath` is a path that a service can be mounted at. */
export function assertBasePath(basePath: unknown): asserts basePath is string {
  if (typeof basePath === 'string' && BASE_PATH.test(basePath)) return;
  throw new OptionError({
    subject: 'basePath',
    problem: 'is not a path to mount at',
    received: basePath,
    allowed:
      "'', or a path such as '/weather/v1': segments of letters, digits, '.', '_', '~' and '-', none of them '.' or '..', and no slash at the end",
  });
}
