import type { NetcdfContent } from '../files/netcdf4/netcdf-content.js';
import { writeNetcdf4 } from '../files/netcdf4/write-netcdf4.node.js';
import { writeWhole } from './write-output.js';

/** Writes a NetCDF file under a temporary name, and then renames it. Throws as `writeNetcdf4` and `writeWhole` do. */
export async function writeNetcdf(path: string, content: NetcdfContent, deflate?: number): Promise<void> {
  await writeWhole(path, (temporary) => writeNetcdf4(temporary, content, { deflate }));
}
