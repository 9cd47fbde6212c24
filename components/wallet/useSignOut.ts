import { useMutation } from '@tanstack/react-query';
import { endSession } from '#lib/browser/session/session.ts';

/** Ends the session: in the browser at once, at the service when it is reachable. */
export function useSignOut() {
  return useMutation({
    mutationKey: ['sign-out'],
    mutationFn: async () => {
      endSession({ isSignOut: true });
      // If the service is unreachable, the next page that reaches it ends the session.
      const received = import('#lib/browser/session/renewSession.ts')
        .then(({ finishSignOut }) => finishSignOut())
        .catch(() => undefined);
      await Promise.all([stopNotifications(), forgetSaved(), received]);
    },
  });
}

/** What only the owner may see leaves the browser with the session. */
export async function forgetSaved(): Promise<void> {
  await import('#lib/browser/saved/shareSaved.ts')
    .then(({ forgetPrivate }) => forgetPrivate())
    .catch(() => undefined);
}

/** The data of a disconnected account must not stay readable. */
async function stopNotifications(): Promise<void> {
  if (globalThis.Notification?.permission !== 'granted') return;
  await import('#lib/browser/push/thisBrowser.ts')
    .then(({ unsubscribeHere }) => unsubscribeHere())
    .catch(() => undefined);
}
