import { z } from 'zod';

export const termsStateSchema = z
  .object({
    version: z
      .string()
      .nullable()
      .meta({ description: 'Version that must be accepted; null if none.' }),
    url: z.string().nullable().meta({ description: 'URL of the terms.' }),
    acceptedVersion: z.string().nullable(),
    acceptedAt: z.iso.datetime().nullable(),
  })
  .meta({
    id: 'TermsState',
    description: 'The current terms, and which version the wallet has accepted.',
  });

export const acceptTermsSchema = z
  .strictObject({ version: z.string().min(1).max(40) })
  .meta({ id: 'AcceptTermsRequest', description: 'The version you have read.' });

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
    description: 'All stored personal data of a wallet, except on-chain data and orders.',
  });

export type TermsState = z.infer<typeof termsStateSchema>;
