/** Truncates a text at a word boundary. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const lastSpace = cut.lastIndexOf(' ');
  const kept = lastSpace > length / 2 ? cut.slice(0, lastSpace) : cut;
  return `${kept.replace(/[\s,.:;-]+$/, '')}…`;
}
