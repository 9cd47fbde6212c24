import { expect, test } from 'vitest';
import type { SessionRecord } from '#lib/api/schemas/auth.ts';
import { endOtherSessions } from './endOtherSessions.ts';

const NOW = '2026-11-28T12:00:00.000Z';

function sessionOf(id: string, isCurrent = false): SessionRecord {
  const times = { createdAt: NOW, lastUsedAt: NOW, expiresAt: NOW };
  return { id, userAgent: 'a browser', ip: '192.0.2.1', isCurrent, ...times };
}

/** A service with these sessions; what ends them is noted. */
function serviceOf(sessions: SessionRecord[]) {
  const ended: string[] = [];
  const api = {
    listSessions: async () => ({ sessions, apiKeys: 0, webhooks: 0 }),
    endSession: async (id: string) => {
      ended.push(id);
      return { ended: 1 };
    },
  };
  return { api, ended };
}

test('given three sessions, all but the one here end', async () => {
  const { api, ended } = serviceOf([sessionOf('one'), sessionOf('here', true), sessionOf('two')]);
  await endOtherSessions(api);
  expect(ended).toEqual(['one', 'two']);
});

test('given the session here alone, none ends', async () => {
  const { api, ended } = serviceOf([sessionOf('here', true)]);
  await endOtherSessions(api);
  expect(ended).toEqual([]);
});
