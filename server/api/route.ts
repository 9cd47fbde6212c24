import type { Address } from 'viem';
import type { ZodType, z } from 'zod';
import type { Admin, AdminRole } from '../domain/admin/admins.ts';
import type { ApiKeyScope, AuthenticatedApiKey } from '../domain/auth/apiKeys.ts';
import type { FieldProblem } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import type { Recalled } from '../platform/timedCache.ts';
import type { HttpDeps } from './deps.ts';
import type { ApiRequest, ResponseBody } from './message.ts';
import type { RateClass } from './rateLimit.ts';
import type { About } from './sharedAnswers.ts';
import { InputError, type InputPart, problemsOf } from './validation.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type CredentialNeed = 'required' | 'optional' | 'none';

export type RouteAuth = {
  /** The header `x-api-key`. */
  apiKey: CredentialNeed;
  /** The header `Authorization: Bearer`. */
  token: CredentialNeed;
  /** What the key must be allowed to do. */
  scope?: ApiKeyScope;
  /** For operators, by a token of their own; what the operator must be allowed. */
  operator?: AdminRole;
};

export type Caller = {
  apiKey: AuthenticatedApiKey | undefined;
  owner: Address | undefined;
  /** The sign-in that the bearer token belongs to. */
  sessionId: string | undefined;
  /** On routes for operators. */
  operator?: Admin | undefined;
};

export type BaseContext = {
  deps: HttpDeps;
  caller: Caller;
  log: Log;
  requestId: string;
  request: ApiRequest;
};

export type RouteContext<Params, Query, Body> = BaseContext & {
  params: Params;
  query: Query;
  body: Body;
};

/** An answer that is not JSON; a JSON answer is the plain value. */
export class RawResponse {
  readonly body: ResponseBody;
  readonly headers: Record<string, string>;

  constructor(body: ResponseBody, headers: Record<string, string>) {
    this.body = body;
    this.headers = headers;
  }
}

export type RouteResponse<Answer extends ZodType> =
  | { schema: Answer; contentType?: never }
  /** For answers other than JSON, which the handler gives as a {@link RawAnswer}. */
  | { schema?: never; contentType: string };

export type RouteDeclaration<
  Params extends ZodType,
  Query extends ZodType,
  Body extends ZodType,
  Answer extends ZodType,
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
  response: RouteResponse<Answer>;
  responseDescription?: string;
  status?: 200 | 201 | 202;
  /** `Cache-Control` of the answer; `no-store` unless told. */
  cacheControl?: string;
  /**
   * Of a GET whose answer is the same for everybody who may ask: what it is about. It is kept until
   * that is written, and sent with a validator.
   */
  shared?: (params: Record<string, string>) => About;
  /**
   * Of a GET that takes no token: the answer of the handler at once, where memory holds all that it
   * rests on; undefined where it does not. Errors are left to the handler.
   */
  recall?: (context: {
    deps: HttpDeps;
    params: z.output<Params>;
    query: z.output<Query>;
  }) => Recalled<z.input<Answer>> | undefined;
  /** Whether the route exists with this configuration; it answers 404 otherwise. */
  available?: (deps: HttpDeps) => boolean;
  handler: (
    context: RouteContext<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<z.input<Answer> | RawResponse> | z.input<Answer> | RawResponse;
};

/** The parts of a request as they came, still to be validated. */
export type RawInput = { params: unknown; query: unknown; body: unknown };

/** A declared route, its types kept inside: what the table, the pipeline and the document share. */
export type Route = Omit<
  RouteDeclaration<ZodType, ZodType, ZodType, ZodType>,
  'handler' | 'recall' | 'params' | 'query' | 'body'
> & {
  schemas: { params?: ZodType; query?: ZodType; body?: ZodType };
  /** Validates and recalls; undefined also for what is not valid. */
  recall?: (input: RawInput, deps: HttpDeps) => Recalled<unknown> | undefined;
  /** Validates all parts together, then runs the handler. @throws {InputError} */
  execute(input: RawInput, context: BaseContext): Promise<unknown>;
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
        problems.push({ pointer: `/query/${name}`, detail: 'is not a parameter of this path' });
      }
    }
    return undefined as z.output<Schema>;
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  problems.push(...problemsOf(part, parsed.error));
  return undefined as z.output<Schema>;
}

/** Declares a route: one description from which validation, both mounts and OpenAPI follow. */
export function route<
  Params extends ZodType,
  Query extends ZodType,
  Body extends ZodType,
  Answer extends ZodType,
>(declaration: RouteDeclaration<Params, Query, Body, Answer>): Route {
  const { handler, recall, params, query, body, ...rest } = declaration;
  const parse = (input: RawInput, problems: FieldProblem[]) => ({
    params: parsePart('path', params, input.params, problems),
    query: parsePart('query', query, input.query, problems),
    body: parsePart('body', body, input.body, problems),
  });
  return {
    ...rest,
    schemas: { ...(params && { params }), ...(query && { query }), ...(body && { body }) },
    ...(recall && {
      recall(input, deps) {
        const problems: FieldProblem[] = [];
        const parsed = parse(input, problems);
        return problems.length > 0 ? undefined : recall({ deps, ...parsed });
      },
    }),
    async execute(input, context) {
      const problems: FieldProblem[] = [];
      const parsed = parse(input, problems);
      if (problems.length > 0) throw new InputError(problems);
      return handler({ ...context, ...parsed });
    },
  };
}

export function routeExists(route: Route, deps: HttpDeps): boolean {
  return route.available?.(deps) !== false;
}
