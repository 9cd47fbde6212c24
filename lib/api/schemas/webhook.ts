import { z } from 'zod';
import {
  addressSchema,
  cursorSchema,
  idSchema,
  pageFields,
  plainTextSchema,
  timestampSchema,
} from './common.ts';
import { marketSchema } from './market.ts';
import { orderEventSchema, orderRecordSchema } from './order.ts';
import { priceAlertSchema } from './priceAlert.ts';

/** All event types that a webhook can receive. Types are added, never renamed. */
export const WEBHOOK_EVENT_TYPES = [
  'order.created',
  'order.validated',
  'order.triggered',
  'order.executing',
  'order.filled',
  'order.returned',
  'order.completed',
  'order.failed',
  'withdrawal.created',
  'withdrawal.executing',
  'withdrawal.completed',
  'withdrawal.failed',
  'market.settled',
  'price_alert.triggered',
  'webhook.test',
] as const;

export const webhookEventTypeSchema = z.enum(WEBHOOK_EVENT_TYPES).meta({
  id: 'WebhookEventType',
  description:
    'order.* and withdrawal.*: a step of an intent. market.settled: a market in which the ' +
    'subject of the webhook has traded pays out. price_alert.triggered: a price alert of the ' +
    'wallet, or one set with the key, has fired. webhook.test: a test you sent.',
  example: 'order.completed',
});

const eventTypesSchema = z
  .array(webhookEventTypeSchema)
  .max(WEBHOOK_EVENT_TYPES.length)
  .refine((types) => new Set(types).size === types.length, 'must name each type once')
  .meta({ description: 'Events to receive; all if empty.' });

const urlSchema = z
  .string()
  .min(1)
  .max(2_048)
  .meta({
    description:
      'Endpoint URL: https, a public address, no credentials. The sandbox also accepts http and ' +
      'localhost.',
    example: 'https://example.com/crossbook',
  });

const descriptionSchema = plainTextSchema.max(200).meta({ example: 'Accounting' });

export const webhookIdSchema = idSchema('Id of the webhook.', 'wh_5cDWfC0BXdJh');

export const webhookSchema = z
  .object({
    id: webhookIdSchema,
    url: urlSchema,
    description: descriptionSchema,
    eventTypes: z.array(webhookEventTypeSchema),
    subject: z
      .object({
        type: z.enum(['apiKey', 'wallet']),
        apiKeyId: z.string().nullable(),
        ownerAddress: addressSchema.nullable(),
      })
      .meta({
        description:
          'Whose orders it receives: those made with an API key, or those of a signed-in wallet.',
      }),
    status: z.enum(['enabled', 'disabled']),
    disabledReason: z
      .enum(['by_hand', 'failing', 'gone', 'key_revoked'])
      .nullable()
      .meta({
        description:
          'failing: deliveries failed for more than a day. gone: the endpoint returned 410. Null while ' +
          'enabled.',
      }),
    failingSince: timestampSchema.nullable().meta({
      description: 'Since when every attempt has failed; null after a success.',
    }),
    lastDeliveredAt: timestampSchema.nullable(),
    previousSecretExpiresAt: timestampSchema.nullable().meta({
      description: 'Until when messages are also signed with the old secret.',
    }),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .meta({ id: 'Webhook' });

export const webhookListQuerySchema = z.strictObject(pageFields(100, 50));

export const webhookListSchema = z
  .object({ webhooks: z.array(webhookSchema), cursor: cursorSchema })
  .meta({ id: 'WebhookList' });

export const createWebhookRequestSchema = z
  .strictObject({
    url: urlSchema,
    description: descriptionSchema.default(''),
    eventTypes: eventTypesSchema.default([]),
  })
  .meta({ id: 'CreateWebhookRequest' });

export const updateWebhookRequestSchema = z
  .strictObject({
    url: urlSchema.optional(),
    description: descriptionSchema.optional(),
    eventTypes: eventTypesSchema.optional(),
    status: z.enum(['enabled', 'disabled']).optional().meta({
      description: 'enabled also clears the failures; disabled drops pending deliveries.',
    }),
  })
  .meta({ id: 'UpdateWebhookRequest', description: 'Omitted fields stay unchanged.' });

export const rotateWebhookRequestSchema = z
  .strictObject({
    overlapSeconds: z.int().min(0).max(604_800).default(86_400).meta({
      description: 'How long messages carry both signatures; default one day.',
    }),
  })
  .meta({ id: 'RotateWebhookRequest' });

export const webhookResponseSchema = z.object({ webhook: webhookSchema }).meta({
  id: 'WebhookAnswer',
});

const secretSchema = z.string().meta({
  description: 'Verifies the signatures, as in the Standard Webhooks specification.',
  example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
});

export const webhookCreatedSchema = z
  .object({ webhook: webhookSchema, secret: secretSchema })
  .meta({ id: 'WebhookCreated' });

export const webhookSecretSchema = z.object({ secret: secretSchema }).meta({
  id: 'WebhookSecret',
});

export const webhookDeletedSchema = z
  .object({ success: z.boolean(), id: webhookIdSchema })
  .meta({ id: 'WebhookDeleted' });

export const deliveryIdSchema = idSchema('Id of the delivery.', 'dlv_5cDWfC0BXdJh');

export const deliveryStatusSchema = z.enum(['pending', 'delivered', 'failed']).meta({
  id: 'WebhookDeliveryStatus',
  description:
    'pending: due now or later. delivered: the endpoint returned 2xx. failed: no more retries; can be replayed.',
  example: 'delivered',
});

export const deliveryAttemptSchema = z
  .object({
    at: timestampSchema,
    statusCode: z.int().nullable().meta({ description: 'Null if there was no response.' }),
    durationMs: z.int(),
    error: z.string().nullable().meta({
      description: 'Why the attempt failed; null if it was delivered.',
    }),
    answer: z.string().meta({ description: 'The start of the response, at most 1,000 bytes.' }),
  })
  .meta({ id: 'WebhookAttempt' });

export const deliverySchema = z
  .object({
    id: deliveryIdSchema,
    webhookId: webhookIdSchema,
    messageId: z.string().meta({
      description: 'The header webhook-id; the same for every attempt and replay.',
      example: 'msg_5cDWfC0BXdJh',
    }),
    type: webhookEventTypeSchema,
    status: deliveryStatusSchema,
    attemptCount: z.int(),
    nextAttemptAt: timestampSchema.nullable().meta({ description: 'Null if none is due.' }),
    lastAttempt: deliveryAttemptSchema.nullable(),
    createdAt: timestampSchema,
    deliveredAt: timestampSchema.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const deliveryListQuerySchema = z.strictObject({
  status: deliveryStatusSchema.optional(),
  type: webhookEventTypeSchema.optional(),
  ...pageFields(100, 50),
});

export const deliveryListSchema = z
  .object({ deliveries: z.array(deliverySchema), cursor: cursorSchema })
  .meta({ id: 'WebhookDeliveryList' });

export const deliveryResponseSchema = z
  .object({
    delivery: deliverySchema.extend({
      attempts: z.array(deliveryAttemptSchema).meta({ description: 'Oldest first.' }),
      payload: z.string().meta({ description: 'The body exactly as it is sent.' }),
    }),
  })
  .meta({ id: 'WebhookDeliveryAnswer' });

const payloadFields = {
  timestamp: timestampSchema.meta({ description: 'When the event happened.' }),
};

/** The body that a target receives. */
export const webhookPayloadSchema = z
  .discriminatedUnion('type', [
    z.object({
      ...payloadFields,
      type: webhookEventTypeSchema.extract([
        'order.created',
        'order.validated',
        'order.triggered',
        'order.executing',
        'order.filled',
        'order.returned',
        'order.completed',
        'order.failed',
        'withdrawal.created',
        'withdrawal.executing',
        'withdrawal.completed',
        'withdrawal.failed',
      ]),
      data: z.object({ event: orderEventSchema, order: orderRecordSchema }),
    }),
    z.object({
      ...payloadFields,
      type: z.literal('market.settled'),
      data: z.object({ market: marketSchema }),
    }),
    z.object({
      ...payloadFields,
      type: z.literal('price_alert.triggered'),
      data: z.object({ priceAlert: priceAlertSchema }),
    }),
    z.object({
      ...payloadFields,
      type: z.literal('webhook.test'),
      data: z.object({ webhookId: webhookIdSchema }),
    }),
  ])
  .meta({ id: 'WebhookPayload' });

export type WebhookEventType = z.infer<typeof webhookEventTypeSchema>;
export type Webhook = z.infer<typeof webhookSchema>;
export type WebhookListQuery = z.output<typeof webhookListQuerySchema>;
export type WebhookList = z.infer<typeof webhookListSchema>;
export type CreateWebhookInput = z.input<typeof createWebhookRequestSchema>;
export type CreateWebhookRequest = z.output<typeof createWebhookRequestSchema>;
export type UpdateWebhookRequest = z.output<typeof updateWebhookRequestSchema>;
export type RotateWebhookInput = z.input<typeof rotateWebhookRequestSchema>;
export type WebhookResponse = z.infer<typeof webhookResponseSchema>;
export type WebhookCreated = z.infer<typeof webhookCreatedSchema>;
export type WebhookSecret = z.infer<typeof webhookSecretSchema>;
export type WebhookDeleted = z.infer<typeof webhookDeletedSchema>;
export type WebhookDelivery = z.infer<typeof deliverySchema>;
export type WebhookAttempt = z.infer<typeof deliveryAttemptSchema>;
export type DeliveryListQuery = z.output<typeof deliveryListQuerySchema>;
export type WebhookDeliveryList = z.infer<typeof deliveryListSchema>;
export type WebhookDeliveryResponse = z.infer<typeof deliveryResponseSchema>;
export type WebhookPayload = z.infer<typeof webhookPayloadSchema>;
