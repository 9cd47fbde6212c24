/** What PostgreSQL's programs get to see: none of our secrets, and no PG… variable that bends them. */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_ENV, SYSTEMROOT } = process.env;
  return { PATH, NODE_ENV, SYSTEMROOT, LC_ALL: 'C', TZ: 'UTC' };
}
