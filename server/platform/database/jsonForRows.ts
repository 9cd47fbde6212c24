/** JSON for a statement; amounts are text, which is exact. */
export function jsonForRows(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'bigint' ? field.toString() : field,
  );
}
