import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { OptionError, unusable } from '../../../errors.js';
import { findHeader } from './raw-headers.js';

/** Headers in which proxies say for whom they ask: a list, to which each proxy adds at its end. */
export const FORWARDED_HEADERS = ['x-forwarded-for', 'forwarded'] as const;

/** Which proxies are believed. */
export interface ProxyOptions {
  /** Addresses and networks, such as `127.0.0.1` and `10.0.0.0/8`. Default: none, so that the client is who has connected. */
  trustedProxies?: readonly string[];
  /** The header that they write; a client can write the other one, so it is not read. Default `x-forwarded-for`. */
  forwardedHeader?: (typeof FORWARDED_HEADERS)[number];
}

/** Finds the address of the client of a request. */
export type ClientAddress = (request: IncomingMessage) => string | undefined;

/** Most entries of a header that are looked at, from its end. */
const MAX_PROXIES = 32;

/**
 * Makes what finds clients: the address that has connected or, where that is a trusted proxy, the last one of the header
 * that is none. What stands before it may be forged. Throws OptionError for addresses and networks that are none.
 */
export function clientAddress({
  trustedProxies = [],
  forwardedHeader = 'x-forwarded-for',
}: ProxyOptions): ClientAddress {
  if (!FORWARDED_HEADERS.includes(forwardedHeader))
    throw unusable('forwardedHeader', forwardedHeader, FORWARDED_HEADERS.join(' or '));
  const proxies = new KnownAddresses(networks(trustedProxies));
  return ({ socket, rawHeaders }) => {
    const peer = proxies.read(socket.remoteAddress ?? '');
    if (!peer.isTrusted) return peer.address;
    let client = peer.address;
    for (const entry of (findHeader(rawHeaders, forwardedHeader) ?? '').split(',').slice(-MAX_PROXIES).reverse()) {
      const { address, isTrusted } = proxies.read(forwardedHeader === 'forwarded' ? forParameter(entry) : entry.trim());
      // A proxy that does not say for whom: what it says before may be anything.
      if (address === undefined) break;
      client = address;
      if (!isTrusted) break;
    }
    return client;
  };
}

/** What a text says of who has connected, or for whom. */
interface ReadAddress {
  /** Undefined for what is no address. */
  readonly address: string | undefined;
  readonly isTrusted: boolean;
}

/** So many addresses are remembered, and longer texts are not. */
const MAX_KNOWN = 10_000;
const MAX_KNOWN_LENGTH = 64;

/** Reads addresses, and remembers what was read: to look one up in a list of networks takes longer than all else of a line of a log. */
class KnownAddresses {
  readonly #trusted: BlockList;
  readonly #known = new Map<string, ReadAddress>();

  constructor(trusted: BlockList) {
    this.#trusted = trusted;
  }

  read(text: string): ReadAddress {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const address = plainAddress(text);
    const isTrusted = address !== undefined && this.#trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
    const read = { address, isTrusted };
    if (text.length > MAX_KNOWN_LENGTH) return read;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(text, read);
    return read;
  }
}

function networks(list: readonly string[]): BlockList {
  if (!Array.isArray(list)) throw unusable('trustedProxies', list, 'a list of addresses and networks');
  const all = new BlockList();
  for (const text of list) {
    const [address, bits, more] = typeof text === 'string' ? text.split('/') : [''];
    const version = isIP(address);
    const length = Number(bits ?? (version === 6 ? 128 : 32));
    const isLength = bits === undefined || /^\d{1,3}$/.test(bits);
    if (version === 0 || more !== undefined || !isLength || length > (version === 6 ? 128 : 32)) {
      throw new OptionError({
        ...{ subject: 'trustedProxies', problem: 'is no address and no network', received: text },
        allowed: 'addresses such as 127.0.0.1, and networks such as 10.0.0.0/8 and fd00::/8',
      });
    }
    all.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  }
  return all;
}

/** `1.2.3.4:56`, `[2001:db8::1]:56`, `::ffff:1.2.3.4` and plain ones; undefined for what is no address. */
function plainAddress(text: string): string | undefined {
  const [, inBrackets] = /^\[(.*)\](?::\d+)?$/.exec(text) ?? [];
  const bare = inBrackets ?? (/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text);
  const address = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
  return isIP(address) === 0 ? undefined : address;
}

/** The value of `for` in an entry of `Forwarded` (RFC 7239): `for=192.0.2.60;proto=http`, `for="[2001:db8::1]:80"`. */
function forParameter(entry: string): string {
  const [, quoted, plain = ''] = /(?:^|;)\s*for=(?:"([^"]*)"|([^;\s]*))/i.exec(entry.trim()) ?? [];
  return quoted ?? plain;
}
