import { importJWK, SignJWT } from 'jose';
import { type VapidPair, vapidPublicKeyOf } from '#server/platform/keys/vapidKeys.ts';

/** Says to a push service who sends: with which key, and whom to ask about it. */
export type VapidSigner = { authorization(endpoint: string): Promise<string> };

/** A service refuses more than a day. */
const LIFETIME_SECONDS = 12 * 3_600;

/**
 * @param input.subject a mailto: or https: address of whoever runs this, for the push services
 * @throws {Error} when the private key is none
 */
export async function openVapidSigner(
  input: Pick<VapidPair, 'privateKey'> & { subject: string },
): Promise<VapidSigner> {
  const { privateKey, subject } = input;
  const publicKey = vapidPublicKeyOf(privateKey);
  if (publicKey === undefined) throw new Error('VAPID_PRIVATE_KEY is not a valid key');
  const point = Buffer.from(publicKey, 'base64url');
  const key = await importJWK(
    {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: privateKey,
    },
    'ES256',
  );
  return {
    async authorization(endpoint) {
      const token = await new SignJWT()
        .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
        .setAudience(new URL(endpoint).origin)
        .setSubject(subject)
        .setExpirationTime(Math.floor(Date.now() / 1_000) + LIFETIME_SECONDS)
        .sign(key);
      return `vapid t=${token}, k=${publicKey}`;
    },
  };
}
