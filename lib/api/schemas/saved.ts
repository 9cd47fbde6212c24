import { z } from 'zod';
import { MOST_SAVED_CHANGES } from '../savedLimits.ts';
import { timestampSchema } from './common.ts';

const kindSchema = z.enum(['watchlist', 'view', 'contact', 'recipient', 'preference']);

const itemFields = {
  kind: kindSchema,
  key: z.string().min(1).max(500).meta({
    description: 'What the item is about: an event ticker, a link, an address, a preference.',
  }),
  changedAt: timestampSchema.meta({ description: 'When the owner changed it.' }),
};

export const savedItemSchema = z
  .object({ ...itemFields, value: z.string().max(4_000) })
  .meta({ id: 'SavedItem' });

export const savedListSchema = z
  .object({
    version: z.int().min(0).meta({ description: 'Counts the changes.' }),
    items: z.array(savedItemSchema),
  })
  .meta({ id: 'SavedList' });

export const savedChangeSchema = z.strictObject({
  ...itemFields,
  value: z.string().max(4_000).nullable().meta({ description: 'null deletes the item.' }),
});

export const changeSavedRequestSchema = z
  .strictObject({
    changes: z.array(savedChangeSchema).min(1).max(MOST_SAVED_CHANGES),
  })
  .meta({ id: 'ChangeSavedRequest' });

export type SavedItem = z.infer<typeof savedItemSchema>;
export type SavedList = z.infer<typeof savedListSchema>;
export type SavedChange = z.infer<typeof savedChangeSchema>;
