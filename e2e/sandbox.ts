import { readDescription, type SandboxDescription } from '#sandbox/stack/description.ts';

/** The sandbox the journeys run against: addresses, contracts, demo wallets, an API key. */
export function sandbox(): SandboxDescription {
  const path = process.env.SANDBOX_DESCRIPTION ?? '';
  const description = readDescription(path);
  if (!description) throw new Error(`There is no running sandbox behind “${path}”.`);
  return description;
}
