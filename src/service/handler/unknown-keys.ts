import type { RateQuota } from '../access/key-store.js';
import { ProblemError } from '../problem-error.js';
import { TokenBuckets } from './rate-limit.js';

/** How many requests with unknown keys each address may make. */
export class UnknownKeys {
  readonly #quota: RateQuota;
  readonly #buckets = new TokenBuckets();

  constructor(quota: RateQuota) {
    this.#quota = quota;
  }

  /** Counts a request with an unknown key. Throws ProblemError (429) where its address has made too many. */
  take(client: string | undefined): void {
    if (client === undefined) return;
    const { waitSeconds } = this.#buckets.take(networkOf(client), this.#quota);
    if (waitSeconds === 0) return;
    const seconds = `${Math.max(1, Math.ceil(waitSeconds))}`;
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
