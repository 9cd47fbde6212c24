import { z } from 'zod';
import { idSchema, timestampSchema } from './common.ts';

export const pushSubscriptionIdSchema = idSchema('Id of the subscription.', 'ps_5cDWfC0BXdJh');

export const pushSubscriptionSchema = z
  .object({
    id: pushSubscriptionIdSchema,
    service: z.string().meta({
      description: 'Host of the browser’s push service.',
      example: 'fcm.googleapis.com',
    }),
    fingerprint: z.string().meta({
      description:
        'SHA-256 of the endpoint in hex, so that a browser can find its own entry. The endpoint itself is ' +
        'never returned.',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
    createdAt: timestampSchema,
    lastDeliveredAt: timestampSchema.nullable(),
    failingSince: timestampSchema.nullable().meta({
      description: 'Since when every attempt has failed; null after a success.',
    }),
  })
  .meta({ id: 'PushSubscription' });

export const pushStateSchema = z
  .object({
    publicKey: z
      .string()
      .nullable()
      .meta({
        description:
          'The applicationServerKey for subscribing a browser; null if notifications are not ' +
          'available.',
      }),
    subscriptions: z
      .array(pushSubscriptionSchema)
      .meta({ description: 'Of the signed-in wallet, newest first.' }),
  })
  .meta({ id: 'PushState' });

export const subscribePushRequestSchema = z
  .strictObject({
    endpoint: z
      .string()
      .min(1)
      .max(2_048)
      .meta({
        description:
          'Push service URL of this browser: https, a public address. The ' +
          'sandbox also accepts http and localhost.',
        example: 'https://fcm.googleapis.com/fcm/send/dGhpcyBpcyBhIGNhcGFiaWxpdHk',
      }),
    expirationTime: z.number().nullable().optional().meta({
      description: 'Sent by browsers and ignored; the push service reports expiry itself.',
    }),
    keys: z.strictObject({
      p256dh: z
        .string()
        .regex(/^[\w-]{87}=?$/, 'must be 65 bytes in base64url')
        .meta({
          description: 'The browser’s public key.',
          example:
            'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        }),
      auth: z
        .string()
        .regex(/^[\w-]{22}(==)?$/, 'must be 16 bytes in base64url')
        .meta({
          description: 'The secret shared with the browser.',
          example: 'BTBZMqHH6r4Tts7J_aSIgg',
        }),
    }),
  })
  .meta({
    id: 'SubscribePushRequest',
    description: 'A PushSubscription as returned by toJSON().',
  });

export const pushSubscribedSchema = z
  .object({ subscription: pushSubscriptionSchema })
  .meta({ id: 'PushSubscribed' });

export const pushUnsubscribedSchema = z
  .object({ success: z.boolean(), id: pushSubscriptionIdSchema })
  .meta({ id: 'PushUnsubscribed' });

export type PushSubscriptionResponse = z.infer<typeof pushSubscriptionSchema>;
export type PushState = z.infer<typeof pushStateSchema>;
export type SubscribePushRequest = z.infer<typeof subscribePushRequestSchema>;
export type PushSubscribed = z.infer<typeof pushSubscribedSchema>;
export type PushUnsubscribed = z.infer<typeof pushUnsubscribedSchema>;
