/**
 * A block of values from its bytes, one bit after the other, as docs/store-format.md specifies them. `fields` is the grid of fields, where the block is on one.
 */
export function decodeBlock(
  bytes: Uint8Array,
  fields?: { readonly quantum: number; readonly origin: ArrayLike<number> },
): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [kind, flags, coefficient] = [bytes[1], bytes[2], bytes[3]];
  const [members, days] = [view.getUint16(4, true), view.getUint16(6, true)];
  const count = members * days;
  const out = new Float32Array(count);
  const patterns = new Uint32Array(out.buffer);
  if (kind === 0) return out.map((_, i) => setBits(patterns, i, view.getUint32(8, true)));
  if (kind === 1) {
    for (let i = 0; i < count; i++) patterns[i] = view.getUint32(8 + 4 * i, true);
    return out;
  }
  const isSparse = (flags & 2) !== 0;
  const groupDays = bytes[8];
  const [base, minFloor] = [view.getInt32(12, true), view.getInt32(16, true)];
  const [minCode, codeBits, floorBits, exceptions] = [bytes[9], bytes[10], bytes[11], view.getUint16(20, true)];
  let at = 22;
  let [quantum, origin] = [0, 0];
  if (kind === 2 && (flags & 4) === 0) {
    quantum = view.getFloat64(at, true);
    if (flags & 16) origin = view.getFloat64(at + 8, true);
    at += flags & 16 ? 16 : 8;
  }

  let bit = 8 * at;
  const read = (width: number): number => {
    let value = 0;
    for (let i = 0; i < width; i++, bit++) value += ((bytes[bit >> 3] >> (bit & 7)) & 1) * 2 ** i;
    return value;
  };
  const fillByte = () => {
    bit = 8 * Math.ceil(bit / 8);
  };
  const groups = Math.ceil(days / groupDays);
  const codes = Array.from({ length: groups }, () => minCode + read(codeBits));
  fillByte();
  const floors = Array.from({ length: groups }, () => minFloor + read(floorBits));
  fillByte();
  const integers: number[] = [];
  for (let g = 0; g < groups; g++) {
    const numbers = members * Math.min(groupDays, days - g * groupDays);
    if (isSparse && codes[g] === 0) integers.push(...Array<number>(numbers).fill(0));
    else if (isSparse) {
      const isSet = Array.from({ length: numbers }, () => read(1) === 1);
      for (const set of isSet) integers.push(set ? (read(codes[g] - 1) + floors[g]) | 0 : 0);
    } else {
      for (let i = 0; i < numbers; i++) {
        const before = integers.length < members ? 0 : integers[integers.length - members];
        integers.push((read(codes[g]) + floors[g] + (Math.imul(before, coefficient) >> 4)) | 0);
      }
    }
  }
  fillByte();

  for (let m = 0, i = 0; m < members; m++) {
    for (let day = 0; day < days; day++, i++) {
      const n = (integers[day * members + m] + base) | 0;
      if (kind === 3) patterns[i] = n >= 0 ? n : n ^ 0x7fffffff;
      else if (fields !== undefined && flags & 4) out[i] = fields.origin[i] + fields.quantum * n;
      else out[i] = origin + quantum * n;
    }
  }
  if (flags & 1) {
    for (let i = 0; i < count; i++) if (read(1) === 1) patterns[i] = 0x7fc00000;
    fillByte();
  }
  for (let e = 0; e < exceptions; e++) {
    const index = read(32);
    patterns[index] = read(32);
  }
  return out;
}

function setBits(patterns: Uint32Array, i: number, bits: number): number {
  patterns[i] = bits;
  return new Float32Array(Uint32Array.of(bits).buffer)[0];
}
