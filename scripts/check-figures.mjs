/**
 * Draws the figures of docs/ again by their commands, and fails where one shows something else: other texts, or other
 * places of shapes by more than a rounding. With `--write`, writes them instead, and the picture of the explorer where
 * there is Chromium.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawExplorer } from './draw-explorer.mjs';

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const docs = fileURLToPath(new URL('../docs/', import.meta.url));
const isWriting = process.argv.includes('--write');
const folder = mkdtempSync(join(tmpdir(), 'plumecast-figures-'));

const demo = 'plumecast-demo';
const COMMANDS = [
  `demo ${demo}`,
  `climatology ${demo}/history/precipitation.arrow --granularity weekly --quiet --out weeks.arrow`,
  `blend ${['short-term/', 'subseasonal/', ''].map((name) => `${demo}/${name}temp_mean.arrow`).join(' ')} --quiet --out timeline.arrow`,
  `plot ${demo}/temp_mean.arrow ${demo}/precipitation.arrow --end-date 2026-04-12 --theme light --out plume.svg`,
  `plot ${demo}/precipitation.arrow --climatology weeks.arrow --threshold >40 --theme light --out weeks.svg`,
  'plot timeline.arrow --theme dark --out timeline.svg',
];

let failed = false;
try {
  for (const command of COMMANDS) {
    const { status, stderr } = spawnSync(process.execPath, [cli, ...command.split(' ')], { cwd: folder });
    if (status !== 0) throw new Error(`plumecast ${command}\n${stderr}`);
  }
  writeFileSync(join(folder, 'map.svg'), await drawMap());
  for (const name of ['plume.svg', 'weeks.svg', 'timeline.svg', 'map.svg']) {
    if (isWriting) {
      cpSync(join(folder, name), join(docs, name));
      continue;
    }
    const difference = differenceOf(contentOf(join(docs, name)), contentOf(join(folder, name)));
    if (difference === undefined) console.log(`ok: docs/${name}`);
    else console.log(`docs/${name} is not what its command draws: ${difference}; npm run docs:figures writes it`);
    failed ||= difference !== undefined;
  }
  if (isWriting) {
    const picture = await drawExplorer();
    if (picture === undefined) console.log('docs/explorer.jpg stays: there is no Chromium');
    else writeFileSync(join(docs, 'explorer.jpg'), picture);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

/** The texts of a figure, without the version, and its numbers. */
function contentOf(path) {
  const svg = readFileSync(path, 'utf8').replaceAll(/plumecast \d+\.\d+\.\d+[\w.-]*/g, 'plumecast');
  return { texts: svg.split(/-?\d+(?:\.\d+)?/), numbers: (svg.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number) };
}

function differenceOf(a, b) {
  const text = a.texts.findIndex((part, i) => part !== b.texts[i]);
  if (text >= 0 || a.texts.length !== b.texts.length) {
    return `${JSON.stringify(a.texts[text]?.slice(0, 80))}, then ${JSON.stringify(b.texts[text]?.slice(0, 80))}`;
  }
  // Coordinates are rounded to a tenth of a pixel.
  const number = a.numbers.findIndex((value, i) => Math.abs(value - b.numbers[i]) > 0.11);
  return number < 0 ? undefined : `${a.numbers[number]}, then ${b.numbers[number]}`;
}

/** A map of made-up rain over Europe: members are waves that are shifted a little. */
async function drawMap() {
  const { loadCore, statistics, tableFromArrays, mapField, weatherMap } = await import('../dist/bundle.js');
  const places = Array.from({ length: 26 * 41 }, (_, i) => [35 + Math.floor(i / 41), -10 + (i % 41)]);
  const days = 7;
  const rows = places.flatMap((place) => Array.from({ length: days }, () => place));
  const columns = {
    latitude: Float64Array.from(rows, ([latitude]) => latitude),
    longitude: Float64Array.from(rows, ([, longitude]) => longitude),
    date: rows.map((_, row) => `2026-04-${String(6 + (row % days)).padStart(2, '0')}`),
  };
  for (let member = 0; member < 31; member++) {
    const shift = 2.5 * Math.sin(member * 1.7);
    columns[`member_${member}`] = Float64Array.from(rows, ([latitude, longitude], row) => {
      const [y, x] = [latitude + shift + 0.4 * (row % days), longitude - 1.3 * shift];
      const wave = Math.sin(x / 5.1 + y / 7.3) + Math.cos(y / 4.7 - x / 11.9) + 0.6 * Math.sin(x / 2.9 - y / 3.7);
      return Math.max(0, 4 * wave);
    });
  }
  const table = tableFromArrays(columns);
  const week = statistics(await loadCore(), table, {
    ...{ variable: 'precipitation', granularity: 'weekly', thresholds: ['>20'] },
  });
  const coastlines = JSON.parse(
    readFileSync(new URL('../node_modules/world-atlas/countries-50m.json', import.meta.url), 'utf8'),
  );
  return weatherMap(mapField(week, { statistic: 'p_gt_20' }), { theme: 'light', coastlines });
}
