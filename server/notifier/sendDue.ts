import {
  attemptPush,
  type ClaimedPush,
  claimNotifications,
  PUSH_SCHEDULE,
} from '../domain/notifications/push/deliver.ts';
import type { VapidSigner } from '../domain/notifications/push/vapid.ts';
import {
  attemptDelivery,
  type ClaimedDelivery,
  claimDeliveries,
} from '../domain/notifications/webhooks/deliver.ts';
import { RETRY_SCHEDULE } from '../domain/notifications/webhooks/schedule.ts';
import type { TargetPolicy } from '../domain/notifications/webhooks/target.ts';
import type { Database } from '../platform/database/client.ts';
import type { Log } from '../platform/log.ts';
import { type Lane, runLane } from './lane.ts';

export type SenderDeps = {
  database: Database;
  log: Log;
  policy: TargetPolicy;
  /** Undefined where browsers are not notified. */
  signer: VapidSigner | undefined;
};

/**
 * Targets that took their last message go before those that have yet to take one: strangers make
 * as many of the latter as they like, and they wait among themselves.
 */
const STANDINGS = [true, false];
const WEBHOOK_PLACES = 64;
const PUSH_PLACES = 48;

/** Sends what is due to webhooks and browsers, until the signal. */
export async function sendDue(deps: SenderDeps, signal: AbortSignal): Promise<void> {
  const { log, signer } = deps;
  const lanes = STANDINGS.flatMap((isProven) => [
    runLane(webhookLane(deps, isProven), { log, signal }),
    ...(signer ? [runLane(pushLane({ ...deps, signer }, isProven), { log, signal })] : []),
  ]);
  await Promise.all(lanes);
}

function webhookLane(deps: SenderDeps, isProven: boolean): Lane<ClaimedDelivery> {
  const perTarget = isProven ? 4 : 1;
  return {
    places: WEBHOOK_PLACES,
    perTarget,
    targetOf: ({ webhook }) => webhook.id,
    claim: (limit, busy) =>
      claimDeliveries(deps.database, { limit, perWebhook: perTarget, busy, isProven }),
    attempt: (claimed) => attemptDelivery({ ...deps, schedule: RETRY_SCHEDULE }, claimed),
  };
}

function pushLane(
  deps: SenderDeps & { signer: VapidSigner },
  isProven: boolean,
): Lane<ClaimedPush> {
  const perTarget = isProven ? 2 : 1;
  return {
    places: PUSH_PLACES,
    perTarget,
    targetOf: ({ subscription }) => subscription.id,
    claim: (limit, busy) =>
      claimNotifications(deps.database, { limit, perBrowser: perTarget, busy, isProven }),
    attempt: (claimed) => attemptPush({ ...deps, schedule: PUSH_SCHEDULE }, claimed),
  };
}
