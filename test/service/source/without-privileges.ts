/** A user that owns nothing: `nobody` on most systems. */
const NOBODY = 65_534;

/** Does something as a user whom permissions concern: root may do everything, and becomes nobody meanwhile. */
export async function withoutPrivileges<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
