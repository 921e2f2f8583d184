/**
 * The names of members before they became columns, if the metadata of their table has them (`member_names`, a JSON
 * array), else the names of the columns.
 */
export function originalNames(metadata: ReadonlyMap<string, string>, columns: readonly string[]): readonly string[] {
  try {
    const stated: unknown = JSON.parse(metadata.get('member_names') ?? '');
    return Array.isArray(stated) && stated.length === columns.length ? stated.map(String) : columns;
  } catch {
    return columns;
  }
}
