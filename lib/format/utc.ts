/** "2026-11-21 16:40:07 UTC", for titles and receipts. */
export function utc(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
