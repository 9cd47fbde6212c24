import { StartProblem } from '#sandbox/problem.ts';
import { ADMIN_ROLES, addAdmin, listAdmins, revokeAdmin } from '#server/domain/admin/admins.ts';
import { bold, dim } from '../terminal.ts';
import { actOf, argumentOf, type Command, done, type Handler, iso } from './command.ts';

/** `operators`, `operators add <name>`, `operators revoke <name>` */
export const operators: Handler = async (runtime, command) => {
  const [, what] = command.positionals;
  if (what === undefined) return await show(runtime, command);
  if (what === 'revoke') {
    const name = argumentOf(command, 'a name', 2);
    await revokeAdmin(runtime, { name, ...actOf(command) });
    return done(`${name} is revoked.`);
  }
  if (what !== 'add') throw new StartProblem(`“${what}” is not valid. Use add or revoke.`, '');
  const { operator, token } = await addAdmin(runtime, {
    name: argumentOf(command, 'a name', 2),
    role: roleOf(command),
    expiresAt: expiryOf(command),
    ...actOf(command),
  });
  return {
    data: { ...operator, token },
    lines: [
      `${bold(operator.name)} has ${operator.role === 'act' ? 'full' : 'read-only'} access. The token is shown only once:`,
      token,
    ],
  };
};

const show: Handler = async (runtime) => {
  const entries = await listAdmins(runtime);
  const lines = entries.map((one) => {
    const end = one.revokedAt ? `revoked ${iso(one.revokedAt)}` : one.hint;
    const until = one.expiresAt ? `, until ${iso(one.expiresAt)}` : '';
    return `${bold(one.name)}  ${one.role}  ${dim(`${end}${until}, by ${one.createdBy}`)}`;
  });
  return { data: entries, lines: lines.length > 0 ? lines : ['No admins.'] };
};

function roleOf({ role = 'watch' }: Command) {
  const known = ADMIN_ROLES.find((one) => one === role);
  if (known) return known;
  throw new StartProblem(`“${role}” is not a role.`, `Roles: ${ADMIN_ROLES.join(', ')}`);
}

function expiryOf({ expires }: Command): Date | undefined {
  if (expires === undefined) return undefined;
  const at = new Date(expires);
  if (!Number.isNaN(at.getTime()) && at > new Date()) return at;
  throw new StartProblem(
    `“${expires}” is not a time in the future.`,
    'For example 2030-01-01T00:00:00Z.',
  );
}
