import type { Context, MiddlewareHandler as HonoMiddleware } from 'hono';
import type { Address } from 'viem';
import type { Admin } from '../../domain/admin/admins.ts';
import type { AuthenticatedApiKey } from '../../domain/auth/apiKeys.ts';
import type { Outlet } from '../../domain/notifications/stream/outlet.ts';
import type { OpenStream } from '../../domain/notifications/stream/streamHub.ts';
import type { ServiceError } from '../../platform/errors.ts';

/** What the server knows of a request beyond Hono's own. */
export type Connection = {
  /** Path as sent, percent-encoded. */
  path: string;
  /** Query as sent, without the question mark. */
  search: string;
  /** Address of the client. */
  ip: string;
  /** Address of the connection itself: the client's, or that of a proxy. */
  peer: string | undefined;
  /** Whether part of the body has not arrived. */
  hasUnreadBody?: (() => boolean) | undefined;
  /** On the handshake of a WebSocket: takes what opens the stream on it. */
  acceptSocket?: ((open: OpenSocketStream) => void) | undefined;
};

/** @throws {ServiceError} when the stream cannot be opened after all */
export type OpenSocketStream = (outlet: Outlet) => Promise<OpenStream>;

/** The sender of a request, as far as its route reads credentials. */
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
    /** The key that was sent, also if the request is refused. */
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
