import { type Admin, authenticateAdmin } from '../../domain/admin/admins.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { HttpDeps } from '../deps.ts';
import type { ApiRequest } from '../message.ts';
import type { Caller, RouteAuth } from '../route.ts';

const BEARER = /^Bearer (\S{1,200})$/i;

/** The operator of the request, where a route is for operators. @throws {ServiceError} */
export async function authenticateAdminOf(
  deps: HttpDeps,
  auth: RouteAuth,
  request: ApiRequest,
): Promise<Admin | undefined> {
  if (auth.operator === undefined) return undefined;
  const token = BEARER.exec(request.header('authorization') ?? '')?.[1];
  if (token === undefined) {
    throw new ServiceError(
      'operator_token_invalid',
      'Send an admin token in the header Authorization: Bearer.',
    );
  }
  const operator = await authenticateAdmin(deps, token);
  if (auth.operator === 'act' && operator.role !== 'act') {
    throw new ServiceError('forbidden', 'This admin has read-only access.');
  }
  return operator;
}

/** The operator, on routes for operators. */
export function adminOf({ operator }: Caller): Admin {
  if (!operator) throw new ServiceError('operator_token_invalid', 'For admins only.');
  return operator;
}
