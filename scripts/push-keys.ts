import { makeVapidPair } from '#server/platform/keys/vapidKeys.ts';
import { runMain } from '#server/platform/process/runMain.ts';

const USAGE = `Prints a key pair for push notifications: npm run -s push:keys
  VAPID_PUBLIC_KEY    for the web servers
  VAPID_PRIVATE_KEY   for the senders of notifications
Subscriptions are bound to the key: after a change, every user must turn notifications on again.
`;

await runMain('Creating the key pair', async () => {
  if (process.argv.includes('--help')) {
    process.stdout.write(USAGE);
    return;
  }
  const { publicKey, privateKey } = makeVapidPair();
  process.stdout.write(`VAPID_PUBLIC_KEY=${publicKey}\nVAPID_PRIVATE_KEY=${privateKey}\n`);
});
