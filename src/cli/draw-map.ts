import { loadCore } from '../core/load.js';
import type { InputFile } from '../input/input-file.js';
import type { MapRequest } from '../input/map-of-input.js';
import type { Report } from '../input/notice.js';
import type { MapProjectionName } from '../plot/index.js';

/** Values of flags of `plumecast plot --map`. */
export interface MapFlags {
  statistic?: string;
  period?: string;
  projection?: MapProjectionName;
  limits?: number[];
  title?: string;
  width?: number;
  height?: number;
  fill?: boolean;
  theme?: 'light' | 'dark' | 'auto';
}

/** Draws the map of a file as SVG. What it needs is loaded when it is needed: a command starts sooner without it. */
export async function drawMap(
  input: string | InputFile,
  request: MapRequest,
  { statistic, period, projection, limits, title, width, height, theme, fill }: MapFlags,
  report: Report,
): Promise<string> {
  const { mapOfInput } = await import('../input/map-of-input.js');
  const field = await mapOfInput(await loadCore(), input, { ...request, statistic, period }, report);
  const { weatherMap } = await import('../plot/index.js');
  const { default: coastlines } = await import('world-atlas/countries-50m.json');
  return weatherMap(field, {
    coastlines,
    projection,
    limits,
    title,
    width,
    height,
    theme,
    fill,
    bbox: request.values.bbox,
  });
}
