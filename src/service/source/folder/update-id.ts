/** A name for an update: the time, for people who look into the folder, and what makes it unique. */
export function newUpdateId(): string {
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return `${time}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Whether a name is one that `newUpdateId` gives. */
export function isUpdateId(name: string): boolean {
  return /^\d{8}T\d{6}-[0-9a-f]{8}$/.test(name);
}
