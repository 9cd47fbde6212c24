import { z } from 'zod';
import { isPublicKey, vapidPublicKeyOf } from '../keys/vapidKeys.ts';

/** The environment variables of push notifications; without a key they are off. */

const CURE = 'npm run -s push:keys prints a pair';

export const pushEnvironment = {
  /** Identifies us to browsers: 65 bytes of a P-256 point in base64url. */
  VAPID_PUBLIC_KEY: z.string().refine(isPublicKey, `must be a public key; ${CURE}`).optional(),
  /** Signs messages to push services. */
  VAPID_PRIVATE_KEY: z
    .string()
    .refine((text) => vapidPublicKeyOf(text) !== undefined, `must be a private key; ${CURE}`)
    .optional(),
  /** Our contact for push services; by default PUBLIC_BASE_URL. */
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/, 'must be a mailto: or https: address')
    .optional(),
};

type PushVariables = z.infer<z.ZodObject<typeof pushEnvironment>>;

/** A guessable key, or two that are not a pair. */
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

/** Push services require an address, even of a service without https. */
const contactOf = (baseUrl: string) =>
  baseUrl.startsWith('https:') ? baseUrl : 'mailto:nobody@example.com';

/** The web server needs only the public key. */
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
