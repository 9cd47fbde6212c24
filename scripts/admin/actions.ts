import { getAddress, isAddress } from 'viem';
import { z } from 'zod';
import { reasonSchema } from '#lib/api/schemas/admin.ts';
import { ADMIN_ACTIONS, type AdminAction, action } from '#server/api/admin/actions.ts';
import { ADMIN_ROLES, addAdmin, revokeAdmin } from '#server/domain/admin/admins.ts';
import { erasePersonalData } from '#server/domain/compliance/personalData.ts';
import { rereadChain } from '#server/processor/forks/rereadChain.ts';

export const walletSchema = z
  .string()
  .refine((text) => isAddress(text, { strict: false }), {
    error: 'must be the owner’s address: 0x and 40 hex digits',
    abort: true,
  })
  .transform((text) => getAddress(text));

/** What the admin interface offers, and what needs the command line. */
export const ACTIONS: readonly AdminAction[] = [
  ...ADMIN_ACTIONS,
  action({
    commands: { reread: ['block'] },
    input: reasonSchema.extend({
      block: z
        .string()
        .regex(/^\d+$/, 'must be a block number, for example 0 or 12345')
        .transform(BigInt),
    }),
    run: (deps, { block: after, ...act }) => rereadChain(deps, { after, ...act }),
    done: ({ block }, reread) =>
      reread
        ? `The chain was read again after block ${block}; ${reread.reopenedOrders} orders were taken back to an earlier stage.`
        : 'The processors are still reading. Check that one is running.',
  }),
  action({
    commands: { 'operators add': ['name'] },
    input: reasonSchema.extend({
      name: z.string(),
      role: z.enum(ADMIN_ROLES).default('watch'),
      expiresAt: z.coerce
        .date()
        .refine((at) => at > new Date(), 'must be in the future, for example 2030-01-01T00:00:00Z')
        .optional(),
    }),
    run: async (deps, input) => {
      const { operator, token } = await addAdmin(deps, input);
      return { ...operator, token };
    },
    done: (_, { name, role, token }) =>
      `${name} has ${role === 'act' ? 'full' : 'read-only'} access. The token is shown only once:\n${token}`,
  }),
  action({
    commands: { 'operators revoke': ['name'] },
    input: reasonSchema.extend({ name: z.string() }),
    run: revokeAdmin,
    done: ({ name }) => `${name} is revoked.`,
  }),
  action({
    commands: { 'erase-data': ['wallet'] },
    input: reasonSchema.extend({ wallet: walletSchema }),
    run: (deps, { wallet: owner, ...act }) => erasePersonalData(deps, { owner, ...act }),
    done: ({ wallet }) => `The personal data of ${wallet} is erased. Orders and books are kept.`,
  }),
];
