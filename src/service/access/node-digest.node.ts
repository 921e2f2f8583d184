import crypto, { createHash } from 'node:crypto';

/** Makes no object for each hash, which takes half the time; from Node 20.12 on. */
const hashAtOnce = (crypto as Partial<Pick<typeof crypto, 'hash'>>).hash;

/** `keyDigest` by the library of Node, in a quarter of the time. */
export const nodeDigest: (key: string) => Uint8Array =
  hashAtOnce === undefined
    ? (key) => createHash('sha256').update(key).digest()
    : (key) => hashAtOnce('sha256', key, 'buffer');

/** `hashKey` in the same way, for a key that is neither empty nor too long. */
export const nodeDigestText: (key: string) => string =
  hashAtOnce === undefined
    ? (key) => createHash('sha256').update(key).digest('hex')
    : (key) => hashAtOnce('sha256', key);
