import { beginsLikeJson } from '../foreign-format.js';
import type { ArrayFileFormat } from '../format.js';
import { zarr } from '../zarr/zarr-format.js';

/** What JSON of references has near its beginning: their version, or metadata of Zarr. */
const MARKS = /"refs"\s*:\s*\{|"(?:[^"\\]*\/)?(?:\.z(?:group|array|attrs)|zarr\.json)"\s*:/;

/** References to chunks in other files, which kerchunk and VirtualiZarr write as JSON: arrays of Zarr. */
export const kerchunk = {
  kind: 'arrays',
  name: 'kerchunk',
  words: 'kerchunk references',
  listed: zarr.words,
  short: zarr.words,
  endings: [],
  matches: (head) => beginsLikeJson(head) && MARKS.test(new TextDecoder('latin1').decode(head)),
  open: async ({ source, bytes, work }) => {
    const { DEFAULT_FORM, openReferences } = await import('./open-references.js');
    const { folderOf } = await import('./reference-folder.js');
    return openReferences(await bytes(), { source, folder: folderOf(source), work }, DEFAULT_FORM);
  },
} as const satisfies ArrayFileFormat;
