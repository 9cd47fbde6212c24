import type { ZodType, z } from 'zod';
import { NotAllowedError } from '#server/domain/admin/notAllowed.ts';
import { ServiceError } from '../../platform/errors.ts';
import {
  type BaseContext,
  type HttpMethod,
  type Route,
  type RouteContext,
  route,
} from '../routes/route.ts';

const AUTH = { apiKey: 'none', token: 'none' } as const;
const isOpen = ({ deps }: Pick<BaseContext, 'deps'>) => deps.config.operator.isOpen;

type Declaration<
  Params extends ZodType,
  Query extends ZodType,
  Body extends ZodType,
  Output extends ZodType,
> = {
  method: HttpMethod;
  path: string;
  name: string;
  /** What the operator must be allowed. */
  role: 'watch' | 'act';
  params?: Params;
  query?: Query;
  body?: Body;
  output: Output;
  handler: (
    context: RouteContext<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<z.input<Output>>;
};

/**
 * A route for operators: by their own tokens, counted by address, there only where the interface
 * is open. What is refused as unsafe is told as such.
 */
export function adminRoute<
  Params extends ZodType,
  Query extends ZodType,
  Body extends ZodType,
  Output extends ZodType,
>(declaration: Declaration<Params, Query, Body, Output>): Route {
  const { method, path, name, role, params, query, body, output, handler } = declaration;
  return route({
    method,
    path: `/operator/v1${path}`,
    operationId: name,
    summary: name,
    tags: ['Operators'],
    auth: { ...AUTH, admin: role },
    rateClass: 'operator',
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { body }),
    response: { schema: output },
    available: (deps) => isOpen({ deps }),
    async handler(context) {
      try {
        // The web server's own role may not do what operators may.
        const deps = { ...context.deps, database: context.deps.adminDatabase };
        return await handler({
          ...(context as RouteContext<z.output<Params>, z.output<Query>, z.output<Body>>),
          deps,
        });
      } catch (error) {
        if (!(error instanceof NotAllowedError)) throw error;
        throw new ServiceError('action_not_possible', error.message);
      }
    },
  });
}
