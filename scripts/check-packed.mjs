/** Fails if files that package.json names are missing: the packed package could not be imported. */
import { missingFiles } from './packed-files.mjs';

const missing = missingFiles();
if (missing.length > 0) {
  const others = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  console.error(`plumecast cannot be packed: ${missing.slice(0, 3).join(', ')}${others} missing; run: npm run build`);
  process.exitCode = 1;
}
