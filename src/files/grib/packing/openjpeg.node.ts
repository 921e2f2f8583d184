import { loadPackage } from '../../load-package.js';
import { type LoadOpenJpeg, OPENJPEG, QUIET } from './openjpeg.js';

/** Loads OpenJPEG from its package. */
export const loadOpenJpeg: LoadOpenJpeg = (subject) =>
  loadPackage(OPENJPEG, subject, async () => {
    const { default: create } = await import('@cornerstonejs/codec-openjpeg/decodewasmjs');
    return create(QUIET);
  });
