/** Gives the reader a file. */
export function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download has begun before this runs.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
