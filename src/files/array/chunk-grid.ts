import type { Box } from './array-file.js';

/** The places, in the grid of chunks, of the chunks that overlap a box: the last dimension fastest. */
export function* touchedChunks(chunk: readonly number[], { start, count }: Box): Generator<readonly number[]> {
  if (count.includes(0)) return;
  const first = start.map((at, d) => Math.floor(at / chunk[d]));
  const last = start.map((at, d) => Math.floor((at + count[d] - 1) / chunk[d]));
  const place = [...first];
  for (;;) {
    yield [...place];
    let d = place.length - 1;
    while (d >= 0 && place[d] === last[d]) {
      place[d] = first[d];
      d--;
    }
    if (d < 0) return;
    place[d]++;
  }
}

/** The part of a box that lies in a chunk. */
export function chunkOverlap(place: readonly number[], chunk: readonly number[], box: Box): Box {
  const start = box.start.map((at, d) => Math.max(at, place[d] * chunk[d]));
  const count = start.map((at, d) => Math.min(box.start[d] + box.count[d], (place[d] + 1) * chunk[d]) - at);
  return { start, count };
}
