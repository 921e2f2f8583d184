import { gzipSync } from 'node:zlib';
import { MAX_COLUMNS } from './large-seeds.js';
import { type ByteMutator, joined } from './mutate-bytes.js';

const WORDS = [
  ...['NaN', 'nan', 'inf', '-inf', 'Infinity', 'NA', 'null', '-', '', ' ', '""', '"', "'", '1e400', '-1e400', '1e-400'],
  ...[
    '9'.repeat(400),
    '0x10',
    '1_000',
    '1,5',
    '1.5.5',
    '--1',
    '+1',
    '.',
    'e',
    '1e',
    '٣',
    '２',
    '9007199254740993',
    'true',
  ],
  ...[
    '0000-00-00',
    '2026-02-30',
    '2026-13-01',
    '99999-01-01',
    '-2026-01-01',
    '1e9',
    '275760-09-13',
    '2026-03-02T25:00:00Z',
  ],
  ...[
    '2026-03-02T00:00:00+99:99',
    '20260302',
    '02/03/2026',
    '__proto__',
    'constructor',
    'date',
    'member',
    '=1+1',
    '\u0000',
  ],
  ...['\uFEFF', '\u2028', '\u{1F327}', 'precipitation_sum (mm)', 'latitude', 'm01', 'member_00'],
];
const SEPARATORS = [',', ';', '\t', '|', '\n', '\r\n', '\r', '\n\n', '"', '""', '\0', ' ', '\uFEFF', '\x1a'];

const text = (value: string) => new TextEncoder().encode(value);

/** A cell is another word. */
const setCell: ByteMutator = (bytes, dice) => {
  const [from, to] = cellAt(bytes, dice.below(bytes.length));
  return joined(bytes.subarray(0, from), text(dice.pick(WORDS)), bytes.subarray(to));
};

/** A separator, a quote or a line end where there was none, or another one. */
const setSeparator: ByteMutator = (bytes, dice) => {
  const [from, to] = cellAt(bytes, dice.below(bytes.length));
  const at = dice.pick([from, to, dice.below(bytes.length)]);
  return joined(bytes.subarray(0, at), text(dice.pick(SEPARATORS)), bytes.subarray(at + dice.below(2)));
};

/** Every one of a kind of byte is another text: separators, line ends, decimal points. */
const replaceAll: ByteMutator = (bytes, dice) => {
  const from = dice.pick([',', ';', '\n', '.', '-', '"', '\t']);
  const to = dice.pick(SEPARATORS.concat(['', '.', '-']));
  return text(new TextDecoder().decode(bytes).replaceAll(from, to));
};

/** A line comes twice, is left out, or changes its place. */
const moveLine: ByteMutator = (bytes, dice) => {
  const lines = new TextDecoder().decode(bytes).split('\n');
  const [line] = lines.splice(dice.below(lines.length), dice.chance(0.7) ? 1 : 0);
  if (line !== undefined && dice.chance(0.7)) lines.splice(dice.below(lines.length + 1), 0, line);
  else if (lines.length > 0) lines.splice(dice.below(lines.length), 0, dice.pick(lines));
  return text(lines.join('\n'));
};

/** A column is left out, comes twice, or gets another name. */
const moveColumn: ByteMutator = (bytes, dice) => {
  const [first, ...lines] = new TextDecoder().decode(bytes).split('\n');
  const separator = [',', ';', '\t', '|'].find((one) => first.includes(one)) ?? ',';
  const count = first.split(separator).length;
  const [from, to, removed] = [dice.below(count), dice.below(count), dice.below(2)];
  const changed = [first, ...lines].map((line) => {
    const cells = line.split(separator);
    const [cell = ''] = cells.splice(from, removed);
    if (dice.chance(0.98)) cells.splice(to, 0, cell);
    return cells.join(separator);
  });
  return text(changed.join('\n'));
};

/** A very long cell, line, or header. */
const lengthen: ByteMutator = (bytes, dice) => {
  const at = dice.chance(0.5) ? cellAt(bytes, dice.below(bytes.length))[0] : dice.below(bytes.length);
  const more = dice.pick([',', '"', '9', 'a', ' ', '\n', '\n\n', 'a,', '""', '\r']).repeat(dice.small(100_000));
  return joined(bytes.subarray(0, at), text(more), bytes.subarray(at));
};

/** The last column comes very often, with a number in its name, in as many lines as leave a file small. */
const widen: ByteMutator = (bytes, dice) => {
  const count = dice.pick([300, 1000, 3000, MAX_COLUMNS]);
  const lines = new TextDecoder().decode(bytes).split('\n');
  const name = dice.pick(['m', 'member_', 'precipitation_member', 'value', '']);
  const separator = dice.pick([',', ',', ';', '\t']);
  const wide = lines.slice(0, Math.max(2, Math.ceil(30_000 / count))).map((line, row) => {
    const last = line.split(/[,;\t]/).at(-1);
    const added = Array.from({ length: count }, (_, column) => (row === 0 ? `${name}${column}` : last));
    return [line, ...added].join(separator);
  });
  return text(wide.join('\n'));
};

/** The file is compressed in many members of gzip, each of some bytes; empty ones may be among them. */
const compressInMembers: ByteMutator = (bytes, dice) => {
  const length = Math.max(1, Math.ceil(bytes.length / dice.pick([1, 10, 300])));
  const members: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += length) members.push(gzipSync(bytes.subarray(at, at + length)));
  const empty = gzipSync('');
  const idle = Array.from({ length: dice.pick([0, 0, 1, 1000, 20_000]) }, () => empty);
  members.splice(dice.below(members.length + 1), 0, Buffer.concat(idle));
  return joined(...members);
};

export const TEXT_MUTATORS: readonly ByteMutator[] = [
  ...[
    setCell,
    setCell,
    setSeparator,
    setSeparator,
    replaceAll,
    moveLine,
    moveColumn,
    lengthen,
    widen,
    compressInMembers,
  ],
];

function cellAt(bytes: Uint8Array, at: number): [number, number] {
  const ends = (byte: number) => byte === 0x2c || byte === 0x3b || byte === 0x0a || byte === 0x09;
  let [from, to] = [at, at];
  while (from > 0 && !ends(bytes[from - 1])) from--;
  while (to < bytes.length && !ends(bytes[to])) to++;
  return [from, to];
}
