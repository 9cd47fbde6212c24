import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeWhole } from '#sandbox/process/atomicFile.ts';

const address = z.templateLiteral(['0x', z.string()]);

const descriptionSchema = z.object({
  baseUrl: z.string(),
  apiKey: z.string(),
  rpcUrl: z.string(),
  exchangeUrl: z.string(),
  databaseUrl: z.string(),
  contracts: z.object({
    usdc: address,
    outcomeToken: address,
    swapVault: address,
    settlement: address,
    accountFactory: address,
    passkeyFactory: address.optional(),
  }),
  demoWallets: z.array(z.object({ address, privateKey: address })),
  /** Empty lists for external parts. */
  pids: z.object({
    web: z.array(z.number()),
    processor: z.array(z.number()),
    notifications: z.array(z.number()),
    exchange: z.array(z.number()),
    chain: z.array(z.number()),
    database: z.array(z.number()),
  }),
});

/** The description of a running sandbox for tools and tests. */
export type SandboxDescription = z.infer<typeof descriptionSchema>;

export function writeDescription(path: string, description: SandboxDescription): void {
  writeWhole(path, `${JSON.stringify(description, null, 2)}\n`);
}

export function readDescription(path: string): SandboxDescription | undefined {
  try {
    return descriptionSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
