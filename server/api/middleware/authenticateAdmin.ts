import type { Admin, AdminRole } from '../../domain/admin/admins.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Caller, Middleware } from './env.ts';

export type FindAdmin = (token: string) => Promise<Admin>;

const BEARER = /^Bearer (\S{1,200})$/i;

/** Lets in admins, by tokens of their own, who may do what the route asks for. */
export function requireAdmin(findAdmin: FindAdmin, role: AdminRole): Middleware {
  return async (c, next) => {
    const token = BEARER.exec(c.req.header('authorization') ?? '')?.[1];
    if (token === undefined) {
      throw new ServiceError(
        'operator_token_invalid',
        'Send an admin token in the header Authorization: Bearer.',
      );
    }
    const admin = await findAdmin(token);
    if (role === 'act' && admin.role !== 'act') {
      throw new ServiceError('forbidden', 'This admin has read-only access.');
    }
    c.set('caller', { ...c.get('caller'), admin });
    await next();
  };
}

/** The admin, on routes for admins. */
export function adminOf({ admin }: Caller): Admin {
  if (!admin) throw new ServiceError('operator_token_invalid', 'For admins only.');
  return admin;
}
