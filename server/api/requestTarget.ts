/** Path and query of a request target, also of an absolute one (RFC 9112, 3.2.2); else undefined. */
export function originForm(target: string): string | undefined {
  if (target.startsWith('/')) return target;
  if (!/^https?:\/\//i.test(target)) return undefined;
  const url = URL.parse(target);
  return url ? url.pathname + url.search : undefined;
}

/** Whether a path is percent-encoded UTF-8 without NUL. */
export function isWellFormedPath(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}
