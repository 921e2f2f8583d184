import { describe, expect, it } from 'vitest';
import { hashKey, keyDigest } from '../../../src/service/access/hash-key.js';
import { nodeDigest, nodeDigestText } from '../../../src/service/access/node-digest.node.js';

describe('nodeDigest', () => {
  it.each(['k', 'x'.repeat(256), 'schl\u00fcssel', '\u{1f511}'])('is the digest of other platforms: %s', (key) => {
    const digest = new Uint8Array(32);
    nodeDigest(key, digest);
    expect([...digest]).toEqual([...keyDigest(key)]);
    expect(nodeDigestText(key)).toBe(hashKey(key));
  });
});
