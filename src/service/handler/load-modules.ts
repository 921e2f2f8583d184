import { loadCore } from '../../core/load.js';

/**
 * Loads what requests load when they first need it. A module that cannot be opened then, as where too many files are
 * open, cannot be loaded for as long as the process runs.
 */
export async function loadModules(): Promise<void> {
  await Promise.all([
    loadCore(),
    import('./openapi/document.js'),
    import('../../respond/v2/table-pieces.js'),
    import('../../climate/read-climatology.js'),
  ]);
}
