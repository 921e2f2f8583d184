import { PackageError } from '../errors.js';

/**
 * Imports the optional library `name` that reading or writing `subject` needs.
 *
 * Throws a PackageError that names the library and the install command if the import fails.
 */
export async function loadPackage<T>(name: string, subject: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new PackageError({
      subject,
      problem: `needs the package ${name}, which cannot be loaded`,
      allowed: `npm install ${name}`,
      cause,
    });
  }
}
