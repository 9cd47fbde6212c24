import { z } from 'zod';
import { isPublicKey, vapidPublicKeyOf } from '../keys/vapidKeys.ts';

/** The environment variables of push notifications; without a key there are none. */

const CURE = 'npm run -s push:keys prints a pair';

export const pushEnvironment = {
  /** By which browsers know us as the sender: 65 bytes of a P-256 point in base64url. */
  VAPID_PUBLIC_KEY: z.string().refine(isPublicKey, `must be a public key; ${CURE}`).optional(),
  /** Signs what is sent to push services. */
  VAPID_PRIVATE_KEY: z
    .string()
    .refine((text) => vapidPublicKeyOf(text) !== undefined, `must be a private key; ${CURE}`)
    .optional(),
  /** Whom push services may ask about what we send; PUBLIC_BASE_URL unless told. */
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/, 'must be a mailto: or https: address')
    .optional(),
};

type PushVariables = {
  [Name in keyof typeof pushEnvironment]?: z.infer<(typeof pushEnvironment)[Name]>;
};

/** Guessable keys, and two that are not a pair. */
export function* pushProblems(env: PushVariables): Generator<string> {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = env;
  if (privateKey === undefined) return;
  if (new Set(Buffer.from(privateKey, 'base64url')).size < 8) {
    yield `VAPID_PRIVATE_KEY: has a guessable key; ${CURE}`;
  }
  if (publicKey !== undefined && vapidPublicKeyOf(privateKey) !== publicKey) {
    yield `VAPID_PUBLIC_KEY: is not the public half of VAPID_PRIVATE_KEY, so push services would reject our messages; ${CURE}`;
  }
}

/** On a machine of one's own there is nobody to ask, but push services want an address. */
const contactOf = (baseUrl: string) =>
  baseUrl.startsWith('https:') ? baseUrl : 'mailto:nobody@example.com';

/** The web server needs only the public key, whichever process sends. */
export function readPush(env: PushVariables & { publicBaseUrl: string }) {
  const { VAPID_PRIVATE_KEY: privateKey } = env;
  const derived = privateKey === undefined ? undefined : vapidPublicKeyOf(privateKey);
  return {
    publicKey: env.VAPID_PUBLIC_KEY ?? derived,
    sender:
      privateKey === undefined
        ? undefined
        : { privateKey, subject: env.VAPID_SUBJECT ?? contactOf(env.publicBaseUrl) },
  };
}
