import { z } from 'zod';

export const termsStateSchema = z
  .object({
    version: z.string().nullable().meta({ description: 'What must be accepted; null: nothing.' }),
    url: z.string().nullable().meta({ description: 'Where it can be read.' }),
    acceptedVersion: z.string().nullable(),
    acceptedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'TermsState', description: 'Which terms hold, and which the wallet has accepted.' });

export const acceptTermsSchema = z
  .strictObject({ version: z.string().min(1).max(40) })
  .meta({ id: 'AcceptTermsRequest', description: 'The version that was read.' });

const row = z.record(z.string(), z.unknown());

export const personalDataSchema = z
  .object({
    ownerAddress: z.string(),
    exportedAt: z.iso.datetime(),
    accounts: z.array(row),
    grants: z.array(row),
    apiKeys: z.array(row),
    apiKeyUsage: z.array(row),
    sessions: z.array(row),
    webhooks: z.array(row),
    notifiedBrowsers: z.array(row),
    terms: z.array(row),
  })
  .meta({
    id: 'PersonalData',
    description:
      'Everything that is kept about a wallet besides what the chain shows and what its orders say.',
  });

export type TermsState = z.infer<typeof termsStateSchema>;
