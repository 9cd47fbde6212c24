import { readFileSync } from 'node:fs';

type Variables = Record<string, string | undefined>;

const SUFFIX = '_FILE';

/**
 * Takes what `<name>_FILE` points at for `name`, without the line end that editors leave. An empty
 * variable counts as one that is not set.
 */
export function withSecretFiles(
  environment: Variables,
  names: readonly string[],
): { variables: Variables; problems: string[] } {
  const present = Object.entries(environment).filter(([, value]) => value);
  const variables: Variables = Object.fromEntries(present);
  const problems: string[] = [];
  for (const name of names) {
    const path = variables[name + SUFFIX];
    if (path === undefined) continue;
    if (variables[name] !== undefined) {
      problems.push(`${name}: is set together with ${name}${SUFFIX}; set one of them`);
      continue;
    }
    try {
      variables[name] = readFileSync(path, 'utf8').trim();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      problems.push(
        `${name}${SUFFIX}: ${path} cannot be read (${code}); correct the path, or let the user of this process read it`,
      );
    }
  }
  return { variables, problems };
}
