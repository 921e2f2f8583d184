import { FileError, FormatError, mentionOption, unusable } from '../../errors.js';
import { httpObjects } from './http-store.js';
import type { StoreKey, StoreReadOptions, ZarrStore } from './zarr-store.js';

/** Bytes of an object that a store refers to. */
export interface ObjectRange {
  /** An address, or a path from where the references are. */
  readonly location: string;
  readonly offset: number;
  /** Undefined for all bytes. */
  readonly length?: number;
  /** The ETag that the object had. */
  readonly etag?: string;
  /** The second since 1970 at which the object was last changed at most. */
  readonly lastModified?: number;
}

/**
 * Reads objects that references name, but only below allowed addresses: references may come from others, and what they
 * name would be read with the rights, and from the network, of who reads them.
 */
export class VirtualObjects {
  readonly #store: ZarrStore;
  readonly #allowed: readonly URL[];
  readonly #opened = new Map<string, ZarrStore>();
  readonly #options: StoreReadOptions;

  /**
   * Reads what `store` refers to. Objects may be in its folder, or at its origin; `allowed` are further addresses, or
   * absolute paths of folders, below which objects may be read. Throws OptionError for those that are none.
   */
  constructor(store: ZarrStore, allowed: readonly string[], options: StoreReadOptions = {}) {
    const own = store.location && (store.location.protocol === 'file:' ? store.location : new URL('/', store.location));
    this.#store = store;
    this.#allowed = [...(own ? [own] : []), ...allowed.map(prefixUrl)];
    this.#options = options;
  }

  /**
   * Reads bytes of an object. Throws FileError, which names the object, where it lies outside of what is allowed, is not
   * there, or was changed; and FormatError where it is shorter. `subject` is who refers to it.
   */
  async read({ location, offset, length, etag, lastModified }: ObjectRange, subject: string): Promise<Uint8Array> {
    const url = this.#resolve(location, subject);
    const prefix = this.#allowed.find(({ href }) => url.href.startsWith(href) && url.href !== href);
    if (prefix === undefined) throw this.#outside(url, subject);
    const store = this.#opened.get(prefix.href) ?? this.#below(prefix);
    this.#opened.set(prefix.href, store);
    const key = keyBelow(prefix, url, subject);
    const name = shown(url);
    const expected = { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
    const options = { ...this.#options, ...(Object.keys(expected).length > 0 && { expected }) };
    const bytes =
      length === undefined
        ? (await store.get(key, options))?.subarray(offset)
        : await store.getRange?.(key, { offset, length }, options);
    if (bytes === undefined) {
      const problem = `is not there, though ${subject} lies in it`;
      throw new FileError({ subject: name, problem, allowed: 'all objects that references name' });
    }
    if (length === undefined || bytes.length === length) return bytes;
    const received = `${bytes.length} bytes from ${offset} on`;
    const problem = `is shorter than references say: ${subject} would lie beyond its end`;
    throw new FormatError({ subject: name, problem, received, allowed: `${length} bytes` });
  }

  #below(prefix: URL): ZarrStore {
    return this.#store.below === undefined ? httpObjects(prefix) : this.#store.below(prefix);
  }

  #resolve(location: string, subject: string): URL {
    // A path is one of a file; in an address, these characters would begin its query.
    const path = /^[a-z][a-z\d+.-]*:/i.test(location) ? location : location.replaceAll(/[%?#]/g, encodeURIComponent);
    const url = URL.canParse(path, this.#store.location) ? new URL(path, this.#store.location) : undefined;
    const { username, password, search, hash } = url ?? {};
    if (url !== undefined && [username, password, search, hash].every((part) => part === '')) return url;
    const problem = 'refers to no address';
    const allowed = 'a path or an address, without user, password, query and fragment';
    throw new FormatError({ subject, problem, ...(url === undefined && { received: location }), allowed });
  }

  #outside(url: URL, subject: string): FileError {
    const prefixes = this.#allowed.map((prefix) => shown(prefix));
    return new FileError({
      ...{ subject, problem: 'lies in an object outside of what may be read', received: shown(url) },
      allowed: `objects below ${prefixes.join(', ') || 'its own address'}; others by ${mentionOption('virtualChunks')}`,
    });
  }
}

/** The address of a prefix, with a slash at its end. */
function prefixUrl(prefix: string): URL {
  const text = prefix.startsWith('/') ? `file://${prefix.replaceAll(/[%?#]/g, encodeURIComponent)}` : prefix;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && [url.search, url.hash, url.username, url.password].every((part) => part === '');
  if (!isPlain || !isDecodable(url.pathname))
    throw unusable('virtualChunks', prefix, 'an address without a query, or the absolute path of a folder');
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** Whether each percent sign of a path begins the digits of a byte of a text. */
function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== undefined;
  } catch {
    return false;
  }
}

/** The key of an object below an address. Throws FormatError for one that leads elsewhere when it is decoded. */
function keyBelow(prefix: URL, { href }: URL, subject: string): StoreKey {
  const path = href.slice(prefix.href.length);
  try {
    const parts = path.split('/').map(decodeURIComponent);
    if (parts.every((part) => !/^\.{0,2}$|[/\\\0]/.test(part))) return `/${parts.join('/')}`;
  } catch {
    // A percent sign that begins nothing.
  }
  const problem = 'refers to no path of an object';
  throw new FormatError({ subject, problem, received: path, allowed: 'a/b/c' });
}

/** An address without its query, which may be secret; a path for a file. */
function shown({ protocol, host, pathname }: URL): string {
  return protocol === 'file:' ? decodeURIComponent(pathname) : `${protocol}//${host}${pathname}`;
}
