import { HEAD_BYTES, MAGIC, TAIL_BYTES } from './arrow-footer.js';
import {
  type ArrowMessages,
  aligned,
  type BatchPlace,
  CONTINUATION,
  messagePrefix,
  PREFIX_BYTES,
} from './arrow-messages.js';
import { footerWithBlocks, type MessageBlock } from './flatbuffer-vectors.js';

/**
 * A copy of an Arrow IPC file in which each body begins right behind its message, at a multiple of 64 bytes, as
 * apache-arrow expects.
 */
export function packFile(bytes: Uint8Array, footer: Uint8Array, messages: ArrowMessages): Uint8Array {
  let end = HEAD_BYTES;
  const moves: { place: BatchPlace; block: MessageBlock }[] = [];
  const createBlocks = (places: readonly BatchPlace[]) =>
    places.map((place): MessageBlock => {
      const metadataBytes = aligned(end + PREFIX_BYTES + metadataOf(bytes, place).length) - end;
      const block = { offset: end, metadataBytes, bodyBytes: aligned(place.end - place.start) };
      end += metadataBytes + block.bodyBytes;
      moves.push({ place, block });
      return block;
    });
  const blocks = { dictionaries: createBlocks(messages.dictionaries), recordBatches: createBlocks(messages.batches) };
  const file = new Uint8Array(end + footer.length + TAIL_BYTES);
  const view = new DataView(file.buffer);
  for (const { place, block } of moves) {
    view.setUint32(block.offset, CONTINUATION, true);
    view.setUint32(block.offset + 4, block.metadataBytes - PREFIX_BYTES, true);
    file.set(metadataOf(bytes, place), block.offset + PREFIX_BYTES);
    file.set(bytes.subarray(place.start, place.end), block.offset + block.metadataBytes);
  }
  file.set(footerWithBlocks(footer, blocks), end);
  view.setInt32(end + footer.length, footer.length, true);
  const magic = new TextEncoder().encode(MAGIC);
  file.set(magic);
  file.set(magic, file.length - magic.length);
  return file;
}

function metadataOf(bytes: Uint8Array, { at }: BatchPlace): Uint8Array {
  const { prefix, length } = messagePrefix(bytes, at);
  return bytes.subarray(at + prefix, at + prefix + length);
}
