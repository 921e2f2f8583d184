/*
 * `fetch` follows redirects to any origin and sends the headers of the request there, but for Authorization. What is
 * here follows those within an origin only, so that keys stay there.
 */

/** A redirect that was not followed. */
export class RedirectFault {
  /** The request that was redirected. */
  readonly from: URL;
  /** Where to; undefined where the platform does not say so, or the server names no address. */
  readonly to: URL | undefined;
  readonly problem: string;

  constructor(from: URL, to: URL | undefined, problem: string) {
    this.from = from;
    this.to = to;
    this.problem = problem;
  }
}

/** More redirects, one after the other, do not end: `fetch` follows as many. */
const MAX_REDIRECTS = 20;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Sends a request without a body, which must have `redirect: 'manual'`, and follows redirects to the same origin.
 * Rejects with whatever `send` rejects with.
 */
export async function sendWithinOrigin(
  first: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response | RedirectFault> {
  let request = first;
  for (let redirects = 0; ; redirects++) {
    const response = await send(request);
    const from = new URL(request.url);
    // Browsers say nothing else of a redirect that they do not follow.
    if (response.type === 'opaqueredirect') {
      return new RedirectFault(from, undefined, 'redirects requests, and a browser does not say where to');
    }
    const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null;
    if (location === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, from)) return new RedirectFault(from, undefined, 'redirects requests to no address');
    const to = new URL(location, from);
    if (to.origin !== from.origin) return new RedirectFault(from, to, 'redirects requests to another origin');
    if (to.username !== '' || to.password !== '') {
      return new RedirectFault(from, to, 'redirects requests to an address with a name and a password');
    }
    if (redirects === MAX_REDIRECTS) {
      return new RedirectFault(from, to, `redirects requests more than ${MAX_REDIRECTS} times`);
    }
    request = new Request(to, request);
  }
}
