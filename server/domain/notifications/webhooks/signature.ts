import { createHmac, randomBytes } from 'node:crypto';

/** Signatures as the Standard Webhooks specification has them (symmetric, `v1`). */

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export type SignedMessage = { id: string; timestampSeconds: number; body: string };

/** The headers of one attempt; one signature for each secret that counts now. */
export function signedHeaders(
  message: SignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  const signed = `${message.id}.${message.timestampSeconds}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
