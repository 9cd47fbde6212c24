import { readFileSync } from 'node:fs';
import { ConfigError } from '#server/platform/config/config.ts';
import { validateDatabase } from '#server/platform/config/validateDatabase.ts';
import { DEFAULT_ROLE_NAMES, type RoleNames } from '#server/platform/database/roles/applyRoles.ts';

type Variables = Record<string, string | undefined>;

/** The variable, or the content of the file named by `<name>_FILE`. */
export function variableOrFile(environment: Variables, name: string): string | undefined {
  const file = environment[`${name}_FILE`];
  if (environment[name]) return environment[name];
  return file ? readFileSync(file, 'utf8').trim() : undefined;
}

/** The database of its owner. @throws {ConfigError} as the services do */
export function databaseUrlFrom(environment: Variables): string {
  const url = variableOrFile(environment, 'DATABASE_URL');
  if (url === undefined) throw new ConfigError(['DATABASE_URL: is missing']);
  const problems = [...validateDatabase({ DATABASE_URL: url }, false)];
  if (problems.length > 0) throw new ConfigError(problems);
  return url;
}

export function roleNamesFrom(environment: Variables): RoleNames {
  return {
    web: environment.DATABASE_WEB_ROLE || DEFAULT_ROLE_NAMES.web,
    processor: environment.DATABASE_PROCESSOR_ROLE || DEFAULT_ROLE_NAMES.processor,
    notifications: environment.DATABASE_NOTIFICATIONS_ROLE || DEFAULT_ROLE_NAMES.notifications,
    operator: environment.DATABASE_OPERATOR_ROLE || DEFAULT_ROLE_NAMES.operator,
  };
}
