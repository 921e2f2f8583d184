/** The path and the query of an absolute URL, as they are written there: nothing is decoded. */
export function requestTarget(url: string): { path: string; query: string } {
  const hash = url.indexOf('#');
  const end = hash < 0 ? url.length : hash;
  const authority = url.indexOf('://') + 3;
  const mark = url.indexOf('?', authority);
  const pathEnd = mark < 0 || mark > end ? end : mark;
  const slash = url.indexOf('/', authority);
  return {
    path: slash < 0 || slash >= pathEnd ? '/' : url.slice(slash, pathEnd),
    query: pathEnd < end ? url.slice(pathEnd + 1, end) : '',
  };
}
