import { beginsLikeJson } from '../foreign-format.js';
import type { TableFileFormat } from '../format.js';

/** JSON as the API of Open-Meteo gives it. */
export const openMeteoJson = {
  kind: 'table',
  name: 'open-meteo-json',
  words: 'JSON',
  listed: 'JSON of Open-Meteo',
  short: 'Open-Meteo JSON',
  endings: ['json', 'json.gz'],
  matches: beginsLikeJson,
  open: async ({ source, bytes }) => {
    const { readOpenMeteoJson } = await import('./read-open-meteo-json.js');
    return { read: async () => readOpenMeteoJson(await bytes(), source) };
  },
} as const satisfies TableFileFormat;
