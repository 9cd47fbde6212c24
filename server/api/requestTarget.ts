/**
 * Path and query of what a request asks for; undefined for what names no path of ours. Clients may
 * write the whole address (RFC 9112, 3.2.2); its host counts no more than the header.
 */
export function originForm(target: string): string | undefined {
  if (target.startsWith('/')) return target;
  if (!/^https?:\/\//i.test(target)) return undefined;
  const url = URL.parse(target);
  return url ? url.pathname + url.search : undefined;
}

/** Whether a path can name a page: percent-encoded UTF-8 without a NUL, which nothing keeps. */
export function isWellFormedPath(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}
