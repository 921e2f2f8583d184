import { ProblemError } from '../problem-error.js';
import { type RateQuota, TokenBuckets } from './rate-limit.js';

/** How many requests with unknown keys each address may make. */
export class UnknownKeys {
  readonly #buckets: TokenBuckets;

  constructor(quota: RateQuota) {
    this.#buckets = new TokenBuckets(quota);
  }

  /** Counts a request with an unknown key. Throws ProblemError (429) where its address has made too many. */
  take(client: string | undefined): void {
    if (client === undefined) return;
    const network = networkOf(client);
    if (this.#buckets.take(network, 1, performance.now()) > 0) return;
    const seconds = `${Math.max(1, Math.ceil(this.#buckets.secondsToNext(network)))}`;
    const detail = `This address has made too many requests with unknown keys; try again in ${seconds} s.`;
    throw new ProblemError(429, 'rate-limited', detail, { headers: { 'retry-after': seconds } });
  }
}

/** An address of version 4; of version 6 its first 64 bits, as the rest is a client's to choose. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [before, after] = address.toLowerCase().split('%')[0].split('::');
  const first = before === '' ? [] : before.split(':');
  const last = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
