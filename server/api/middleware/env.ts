import type { Context, MiddlewareHandler as HonoMiddleware } from 'hono';
import type { Address } from 'viem';
import type { Admin } from '../../domain/admin/admins.ts';
import type { AuthenticatedApiKey } from '../../domain/auth/apiKeys.ts';
import type { ServiceError } from '../../platform/errors.ts';

/** What the server knows of a request besides what it hands to Hono. */
export type Connection = {
  /** Path as it was sent, with its percent-encoding. */
  path: string;
  /** The query as it was sent, without its question mark. */
  search: string;
  /** Address of the client, for limits and for keys that are bound to networks. */
  ip: string;
  /** Address of the connection itself: the client's, or that of a proxy. */
  peer: string | undefined;
  /** Whether a part of the body is still to come. */
  hasUnreadBody?: (() => boolean) | undefined;
};

/** Who sends a request, as far as its route looks at credentials. */
export type Caller = {
  apiKey: AuthenticatedApiKey | undefined;
  owner: Address | undefined;
  /** The sign-in that the bearer token belongs to. */
  sessionId: string | undefined;
  /** On routes for admins. */
  admin?: Admin | undefined;
};

export type ApiEnv = {
  Bindings: Connection;
  Variables: {
    requestId: string;
    /** The declared path; unset where no route matches. */
    route: string | undefined;
    /** The key that was sent, also when it was refused what it asked for. */
    knownKey: AuthenticatedApiKey | undefined;
    caller: Caller;
    query: Record<string, string>;
    body: unknown;
    /** Until when others may get the same response, in milliseconds since 1970. */
    reusableUntil: number | undefined;
    failure: ServiceError | undefined;
  };
};

export type ApiContext = Context<ApiEnv>;
export type Middleware = HonoMiddleware<ApiEnv>;
