import { sessionToken, shownSession } from './session.ts';

/** A token that would expire on the way to the service is renewed first. */
const MARGIN_MS = 30_000;

/** Like `sessionToken`, renewed when it is about to expire. @throws {ApiProblem} */
export async function freshToken(): Promise<string | undefined> {
  const { token, expiresAtMs = 0, renewableUntilMs } = shownSession() ?? {};
  if (!token || !renewableUntilMs || expiresAtMs - Date.now() > MARGIN_MS) return token;
  return (await replaceToken(token)) ? sessionToken() : undefined;
}

/** After the service refused this token: whether there is another one. @throws {ApiProblem} */
export async function replaceToken(refused: string): Promise<boolean> {
  // Loaded when it is first needed: a page's first view does not renew.
  const { renewSession } = await import('./renewSession.ts');
  return await renewSession(refused);
}
