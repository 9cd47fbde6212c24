import type { CrossbookClient } from '#lib/api/client.ts';

/**
 * Ends every session of the account but this one. A session outlives the owner or the device that
 * opened it, so the others end when one of those is removed.
 */
export async function endOtherSessions(
  api: Pick<CrossbookClient, 'listSessions' | 'endSession'>,
): Promise<void> {
  const { sessions } = await api.listSessions();
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  await Promise.all(others.map(({ id }) => api.endSession(id)));
}
