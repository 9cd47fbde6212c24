/**
 * The environment of PostgreSQL's programs: without our secrets and without PG… variables that
 * would change their behaviour.
 */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_ENV, SYSTEMROOT } = process.env;
  return { PATH, NODE_ENV, SYSTEMROOT, LC_ALL: 'C', TZ: 'UTC' };
}
