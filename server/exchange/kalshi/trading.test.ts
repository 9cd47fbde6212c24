import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createTrading } from './trading.ts';

/** The exchange's clock proves absence, unless it jumps. */

const SENT_AT = new Date('2026-11-23T10:00:00Z');
const after = (seconds: number) => new Date(SENT_AT.getTime() + seconds * 1_000);

/** An exchange without orders of ours, with its clock and ours. */
function exchange(clocks: { ours: number; theirs: number; asOf?: number }) {
  const log = pino({ level: 'silent' });
  return createTrading(
    {
      http: {
        get: async () => ({ orders: [], cursor: '' }),
        getDated: async () => ({
          body: { as_of_time: after(clocks.asOf ?? clocks.theirs).toISOString() },
          date: after(clocks.theirs),
        }),
        post: () => Promise.reject(new Error('nothing is sent')),
        delete: () => Promise.reject(new Error('nothing is sent')),
        mostTogether: () => 1,
      },
      socket: { wsUrl: 'ws://exchange.test', signer: async () => ({}), log },
      timing: { toleranceMs: 30_000, absenceMs: 45_000 },
    },
    log,
    () => after(clocks.ours).getTime(),
  );
}

test.each([
  ['before the time has passed', { ours: 44, theirs: 44 }, 'not_yet_known'],
  ['once it has passed', { ours: 45, theirs: 45 }, 'absent'],
  ['where the exchange is behind us', { ours: 60, theirs: 40 }, 'not_yet_known'],
  ['where it is behind us, and its time has passed', { ours: 65, theirs: 45 }, 'absent'],
  ['where its clock jumps ahead', { ours: 10, theirs: 300 }, 'not_yet_known'],
  ['where its reads lag', { ours: 60, theirs: 60, asOf: 30 }, 'not_yet_known'],
  [
    'where its reads claim to be of tomorrow',
    { ours: 60, theirs: 40, asOf: 90_000 },
    'not_yet_known',
  ],
])('an order that does not show is %s: %o', async (_, clocks, kind) => {
  const query = { ticker: 'RAIN', clientOrderId: 'a', sentAt: SENT_AT };
  expect((await exchange(clocks).findOrder(query)).kind).toBe(kind);
});
