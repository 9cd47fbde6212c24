import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ZodType, z } from 'zod';
import type { Database } from '../../platform/database/client.ts';
import { isReplicaFailure } from '../../platform/database/outage.ts';
import type { Replicas } from '../../platform/database/replicas.ts';
import type { FieldProblem } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { RouteAuth } from '../middleware/authenticate.ts';
import type { ApiContext, Caller } from '../middleware/env.ts';
import { escapePointer, InputError, type InputPart, problemsOf } from '../middleware/input.ts';
import type { RateClass } from '../middleware/rateLimit.ts';
import type { About } from '../middleware/responseCache.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a handler works with besides its input. */
export type BaseContext<Deps> = {
  /** The parts of the service that the route needs; its log names the request. */
  deps: Deps;
  caller: Caller;
  c: ApiContext;
};

export type RouteContext<Deps, Params, Query, Body> = BaseContext<Deps> & {
  params: Params;
  query: Query;
  body: Body;
};

export type RouteResponse<Output extends ZodType> =
  | { schema: Output; contentType?: never }
  /** Not JSON: the handler builds the response. */
  | { schema?: never; contentType: string };

export type RouteDeclaration<
  Deps,
  Params extends ZodType,
  Query extends ZodType,
  Body extends ZodType,
  Output extends ZodType,
> = {
  method: HttpMethod;
  /** With parameters in braces, as in OpenAPI. */
  path: string;
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  auth: RouteAuth;
  rateClass: RateClass;
  params?: Params;
  query?: Query;
  body?: Body;
  response: RouteResponse<Output>;
  responseDescription?: string;
  status?: ContentfulStatusCode;
  /** The handshake of a WebSocket: it ends with 101, and plain requests are refused. */
  isHandshake?: boolean;
  /** `Cache-Control` of the response; `no-store` unless set. */
  cacheControl?: string;
  /**
   * What the response of a GET is about, if it is the same for every caller. It is cached until that
   * changes, and sent with an ETag.
   */
  cached?: (params: Record<string, string>) => About;
  /** A GET whose response serves every caller until `reusableUntil`, which its handler sets. */
  reusable?: boolean;
  /**
   * A GET that bears data of a moment ago: it is read from a standby where one is configured and
   * current. Never an order's own state, nor what is cached until it changes.
   */
  readsReplica?: true;
  /** Whether the route exists with this configuration; it is 404 otherwise. */
  available?: (deps: Deps) => boolean;
  handler: (
    context: RouteContext<Deps, z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<z.input<Output> | Response> | z.input<Output> | Response;
};

/** The parts of a request before validation. */
export type RawInput = { params: unknown; query: unknown; body: unknown };

/** A declared route, without the types of its input. */
export type Route<Deps = unknown> = Omit<
  RouteDeclaration<Deps, ZodType, ZodType, ZodType, ZodType>,
  'handler' | 'params' | 'query' | 'body'
> & {
  schemas: { params?: ZodType; query?: ZodType; body?: ZodType };
  /** Validates all parts together, then runs the handler. @throws {InputError} */
  execute: (input: RawInput, context: BaseContext<Deps>) => Promise<unknown>;
};

function parsePart<Schema extends ZodType>(
  part: InputPart,
  schema: Schema | undefined,
  value: unknown,
  problems: FieldProblem[],
): z.output<Schema> {
  if (!schema) {
    if (part === 'query') {
      for (const name of Object.keys(value ?? {})) {
        const pointer = `/query/${escapePointer(name)}`;
        problems.push({ pointer, detail: 'is not a parameter of this path' });
      }
    }
    return undefined as z.output<Schema>;
  }
  // Tells a missing field from one of another type.
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  problems.push(...problemsOf(part, parsed.error));
  return undefined as z.output<Schema>;
}

/** Declares a route: one description from which validation, mount and OpenAPI follow. */
export function route<
  Deps,
  Params extends ZodType,
  Query extends ZodType,
  Body extends ZodType,
  Output extends ZodType,
>(declaration: RouteDeclaration<Deps, Params, Query, Body, Output>): Route<Deps> {
  const { handler, params, query, body, ...rest } = declaration;
  return {
    ...rest,
    schemas: { ...(params && { params }), ...(query && { query }), ...(body && { body }) },
    async execute(input, context) {
      const problems: FieldProblem[] = [];
      const parsed = {
        params: parsePart('path', params, input.params, problems),
        query: parsePart('query', query, input.query, problems),
        body: parsePart('body', body, input.body, problems),
      };
      if (problems.length > 0) throw new InputError(problems);
      return handler({ ...context, ...parsed });
    },
  };
}

type Shared = { log: Log; database: Database; replicas: Replicas | undefined };

/** Hands routes the parts of the service that they need. */
export function withDeps<Deps extends Shared>(deps: Deps, routes: readonly Route<Deps>[]): Route[] {
  return routes.map(({ available, execute, ...rest }) => ({
    ...rest,
    available: () => available?.(deps) !== false,
    async execute(input, { caller, c }) {
      const log = deps.log.child({ requestId: c.get('requestId') });
      const context = { deps: { ...deps, log }, caller, c };
      const replica = rest.readsReplica ? deps.replicas?.choose() : undefined;
      if (!replica) return await execute(input, context);
      try {
        return await execute(input, { ...context, deps: { ...context.deps, database: replica } });
      } catch (error) {
        if (!isReplicaFailure(error)) throw error;
        log.warn({ err: error }, 'a replica did not serve a read; the primary does');
        return await execute(input, context);
      }
    },
  }));
}
