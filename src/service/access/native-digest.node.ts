import crypto from 'node:crypto';

/**
 * As `keyDigest`, by the cryptography of Node, in a quarter of the time: 0.5 us. A keyed hash, by which verified keys
 * could be remembered, would take as long: so each request is verified, and a revoked key is remembered nowhere.
 */
export function nativeDigest(key: string): Uint8Array {
  const text = nativeHash(key);
  const digest = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) digest[i] = text.charCodeAt(i);
  return digest;
}

/** The bytes of the hash as characters: to make a text of them takes a quarter of the time of a buffer. */
function nativeHash(key: string): string {
  // Node has the first function from 20.12 on.
  return crypto.hash?.('sha256', key, 'binary') ?? crypto.createHash('sha256').update(key).digest('binary');
}
