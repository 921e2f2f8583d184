/** SipHash-2-4 of 128 bits by numbers of 64 bits, as its paper has it (https://eprint.iacr.org/2012/351). */
export function slowSipHash(key: Uint8Array, message: Uint8Array): string {
  const word = (bytes: Uint8Array) => bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  const [k0, k1] = [word(key.subarray(0, 8)), word(key.subarray(8, 16))];
  let v0 = k0 ^ 0x736f6d6570736575n;
  let v1 = k1 ^ 0x646f72616e646f6dn ^ 0xeen;
  let v2 = k0 ^ 0x6c7967656e657261n;
  let v3 = k1 ^ 0x7465646279746573n;
  const add = (a: bigint, b: bigint) => BigInt.asUintN(64, a + b);
  const turn = (a: bigint, by: bigint) => BigInt.asUintN(64, a << by) | (a >> (64n - by));
  const rounds = (count: number) => {
    for (let i = 0; i < count; i++) {
      v0 = add(v0, v1);
      v1 = turn(v1, 13n) ^ v0;
      v0 = turn(v0, 32n);
      v2 = add(v2, v3);
      v3 = turn(v3, 16n) ^ v2;
      v0 = add(v0, v3);
      v3 = turn(v3, 21n) ^ v0;
      v2 = add(v2, v1);
      v1 = turn(v1, 17n) ^ v2;
      v2 = turn(v2, 32n);
    }
  };
  const padded = new Uint8Array(8 * (Math.floor(message.length / 8) + 1));
  padded.set(message);
  padded[padded.length - 1] = message.length;
  for (let at = 0; at < padded.length; at += 8) {
    const next = word(padded.subarray(at, at + 8));
    v3 ^= next;
    rounds(2);
    v0 ^= next;
  }
  v2 ^= 0xeen;
  rounds(4);
  const first = v0 ^ v1 ^ v2 ^ v3;
  v1 ^= 0xddn;
  rounds(4);
  const hash = new Uint8Array(16);
  new DataView(hash.buffer).setBigUint64(0, first, true);
  new DataView(hash.buffer).setBigUint64(8, v0 ^ v1 ^ v2 ^ v3, true);
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
