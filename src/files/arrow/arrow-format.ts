import { Message } from 'apache-arrow';
import { beginsWith, signatureTest } from '../foreign-format.js';
import type { TableFileFormat, TableWriter } from '../format.js';

const CONTINUATION = 0xffffffff;

/** What both forms of Arrow IPC have in common. */
const ARROW = { kind: 'table', listed: 'Arrow IPC (file or stream)', short: 'Arrow', isInCore: true } as const;

/** Arrow IPC files: Feather version 2. */
export const arrowFile = {
  ...ARROW,
  name: 'arrow-file',
  words: 'Arrow file',
  endings: ['arrow', 'feather', 'ipc'],
  matches: /* @__PURE__ */ signatureTest(['ARROW1']),
  open: async (file, options) => (await import('./open-arrow.js')).openArrowFileTables(file, options),
  write: /* @__PURE__ */ writer('file', '.arrow'),
} as const satisfies TableFileFormat;

/** Arrow IPC streams. */
export const arrowStream = {
  ...ARROW,
  name: 'arrow-stream',
  words: 'Arrow stream',
  endings: ['arrows'],
  matches: beginsLikeStream,
  open: async (file, options) => (await import('./open-arrow.js')).openArrowStreamTables(file, options),
  write: /* @__PURE__ */ writer('stream', '.arrows'),
} as const satisfies TableFileFormat;

function writer(form: 'file' | 'stream', ending: string): TableWriter {
  return {
    ending,
    compressions: ['none', 'lz4', 'zstd'],
    encoder: async (schema, compression) => {
      return (await import('./arrow-write.js')).createArrowEncoder(schema, form, compression);
    },
  };
}

function beginsLikeStream(bytes: Uint8Array): boolean {
  if (bytes.length < 8) return bytes.length >= 4 && beginsWith(bytes, '\xff\xff\xff\xff');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(0, true);
  if (length === CONTINUATION) return true;
  // Streams older than Arrow 0.15 begin with the length alone. One under 16 MB has a zero byte, as text never has.
  if (length === 0 || length % 4 !== 0 || length >= 1 << 24 || length + 4 > bytes.length) return false;
  const root = view.getUint32(4, true);
  if (root < 4 || root >= length) return false;
  try {
    return Message.decode(bytes.subarray(4, 4 + length)).isSchema();
  } catch {
    return false;
  }
}
