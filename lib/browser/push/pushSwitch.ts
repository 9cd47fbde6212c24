import { queryOptions } from '@tanstack/react-query';
import type { CrossbookClient } from '#lib/api/client.ts';
import { ApiProblem } from '#lib/api/problem.ts';
import type { SubscribePushRequest } from '#lib/api/schemas/push.ts';
import {
  findSubscription,
  fingerprintOf,
  isOwnedBy,
  type PushAbility,
  pushAbility,
  subscribeHere,
  unsubscribeHere,
} from './thisBrowser.ts';

/** The push state of this browser for a signed-in owner. */
export type PushHere = {
  ability: PushAbility;
  /** Undefined if the service sends no push notifications. */
  publicKey: string | undefined;
  /** The service's id of this browser for the owner; undefined while it is not subscribed. */
  id: string | undefined;
};

export function pushQuery(api: CrossbookClient, owner: string) {
  return queryOptions({
    queryKey: ['push', owner.toLowerCase()] as const,
    queryFn: ({ signal }) => readPushHere(api, signal),
    staleTime: 60_000,
  });
}

async function readPushHere(api: CrossbookClient, signal: AbortSignal): Promise<PushHere> {
  const { publicKey, subscriptions } = await api.getPushState({ signal });
  const ability = pushAbility();
  if (publicKey === null) return { ability, publicKey: undefined, id: undefined };
  const subscription = await findSubscription();
  if (!subscription || !isOwnedBy(subscription, publicKey)) {
    return { ability, publicKey, id: undefined };
  }
  const fingerprint = await fingerprintOf(subscription);
  return {
    ability,
    publicKey,
    id: subscriptions.find((one) => one.fingerprint === fingerprint)?.id,
  };
}

/**
 * Requests permission from the browser, then subscribes at the service; without permission nothing
 * changes.
 */
export async function switchOn(api: CrossbookClient, publicKey: string): Promise<void> {
  const subscription = await subscribeHere(publicKey);
  if (!subscription) return;
  await api.subscribePush(subscription.toJSON() as SubscribePushRequest);
}

/**
 * Unsubscribes at the service first: without its subscription, the browser can no longer identify
 * itself.
 */
export async function switchOff(api: CrossbookClient, id: string | undefined): Promise<void> {
  if (id !== undefined) await api.unsubscribePush(id).catch(unlessGone);
  await unsubscribeHere();
}

/** A subscription that the service has already deleted needs no request. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiProblem) || error.code !== 'subscription_not_found') throw error;
}
