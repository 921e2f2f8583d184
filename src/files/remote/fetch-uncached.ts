/** Sends a request where there is no disk for a cache: in browsers and edge runtimes. */
export const fetchCached = (request: Request): Promise<Response> => fetch(request);
