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

/** How it stands with this browser and a signed-in owner. */
export type PushHere = {
  ability: PushAbility;
  /** Undefined where the service notifies nobody. */
  publicKey: string | undefined;
  /** By which the service knows this browser as the owner's; undefined while it is not. */
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

/** Asks the browser, then the service; a permission that is not given changes nothing. */
export async function switchOn(api: CrossbookClient, publicKey: string): Promise<void> {
  const subscription = await subscribeHere(publicKey);
  if (!subscription) return;
  await api.subscribePush(subscription.toJSON() as SubscribePushRequest);
}

/** Tells the service first: the browser alone could not say later which one it was. */
export async function switchOff(api: CrossbookClient, id: string | undefined): Promise<void> {
  if (id !== undefined) await api.unsubscribePush(id).catch(unlessGone);
  await unsubscribeHere();
}

/** What the service has forgotten by itself need not be taken away. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiProblem) || error.code !== 'subscription_not_found') throw error;
}
