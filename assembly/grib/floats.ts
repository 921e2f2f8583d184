// IEEE floating point (template 5.4): numbers of 4 or 8 bytes in the reversed bytes of `bits.ts`, where each is one
// load.

/** Writes `count` numbers of 4 or 8 bytes as float64. */
export function unpackFloats(stream: usize, count: i32, bytes: i32, out: usize): void {
  // The number is in the last bytes of the eight that the stream has at an address.
  let at = stream + (8 - bytes);
  const end = out + (<usize>count << 3);
  for (let to = out; to < end; to += 8) {
    store<f64>(to, bytes == 4 ? <f64>load<f32>(at) : load<f64>(at));
    at -= bytes;
  }
}
