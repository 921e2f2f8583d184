/**
 * What members were called before they became columns, where the metadata of their table says so (`member_names`, a JSON array), else the
 * names of the columns.
 */
export function originalNames(metadata: ReadonlyMap<string, string>, columns: readonly string[]): readonly string[] {
  try {
    const stated: unknown = JSON.parse(metadata.get('member_names') ?? '');
    return Array.isArray(stated) && stated.length === columns.length ? stated.map(String) : columns;
  } catch {
    return columns;
  }
}
