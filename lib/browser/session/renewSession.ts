import { isApiProblem } from '#lib/api/problem.ts';
import type { AuthTokenRequest, BrowserSession, SessionsEnded } from '#lib/api/schemas/auth.ts';
import { createTransport, methodsOf } from '#lib/api/transport.ts';
import { inOneTab } from '../oneTab.ts';
import { beginSession, expireSession, latestSession, SIGNED_OUT_KEY } from './session.ts';

/** A lost response is noticed within the grace in which the service repeats it. */
const TIMEOUT_MS = 8_000;
const SESSION_PATH = '/v1/auth/session';

const { post, delete: remove } = methodsOf(createTransport({ baseUrl: '', timeoutMs: TIMEOUT_MS }));

/**
 * One tab at a time, so that all of them renew once. Without locks the service's grace gives
 * concurrent renewals the same token.
 */
const alone = <T>(work: () => Promise<T>): Promise<T> => inOneTab('session', work);

/** Signs this browser in with a signed message. @throws {ApiProblem} */
export function signInBrowser(signed: AuthTokenRequest): Promise<void> {
  return alone(async () => keep(await post<BrowserSession>(SESSION_PATH, { body: signed })));
}

function keep(response: BrowserSession): void {
  localStorage.removeItem(SIGNED_OUT_KEY);
  beginSession({
    token: response.token,
    address: response.address as `0x${string}`,
    // By this device's clock, not the service's.
    expiresAtMs: Date.now() + response.expiresIn * 1000,
    renewableUntilMs: Date.parse(response.renewableUntil),
    id: response.sessionId,
  });
}

let underWay: { stale: string; done: Promise<boolean> } | undefined;

/**
 * Replaces this token, unless another tab did meanwhile; false if the session has ended, which this
 * browser then forgets. @throws {ApiProblem} when the service cannot be reached
 */
export function renewSession(stale: string): Promise<boolean> {
  if (underWay?.stale === stale) return underWay.done;
  const done = alone(() => renew(stale)).finally(() => {
    underWay = undefined;
  });
  underWay = { stale, done };
  return done;
}

async function renew(stale: string): Promise<boolean> {
  const before = latestSession();
  if (before?.token !== stale) return before !== undefined;
  if (!before.renewableUntilMs) {
    expireSession(before);
    return false;
  }
  try {
    const response = await refresh();
    // Signed out, or in with another wallet, during the request.
    if (latestSession()?.token !== stale) return latestSession() !== undefined;
    if (response.sessionId !== before.id) throw new Error('the cookie is of another session');
    keep(response);
    return true;
  } catch (problem) {
    if (isApiProblem(problem) && problem.status !== 401) throw problem;
    if (latestSession()?.token === stale) expireSession(before);
    return false;
  }
}

/** Repeated when the response is lost: the service then gives the same token again. */
async function refresh(): Promise<BrowserSession> {
  const ask = () => post<BrowserSession>(`${SESSION_PATH}/refresh`);
  return await ask().catch((problem: unknown) => {
    if (isApiProblem(problem) && problem.status === 0) return ask();
    throw problem;
  });
}

/** Ends the signed-out session at the service. @throws {ApiProblem} when it cannot be reached */
export function finishSignOut(): Promise<void> {
  return alone(async () => {
    if (localStorage.getItem(SIGNED_OUT_KEY) === null) return;
    await remove<SessionsEnded>(SESSION_PATH);
    localStorage.removeItem(SIGNED_OUT_KEY);
  });
}
