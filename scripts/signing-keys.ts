import {
  announceSigningKey,
  generateSigningKeyJson,
  retireSigningKeys,
  rotateSigningKeys,
  switchSigningKeys,
} from '#server/domain/auth/signingKeys.ts';
import { ConfigError } from '#server/platform/config/config.ts';
import { runMain } from '#server/platform/process/runMain.ts';
import { variableOrFile } from './databaseOptions.ts';

const USAGE = `Prints a value for JWT_SIGNING_KEYS: npm run -s auth:keys [-- announce | switch | retire]
  (nothing)   a first key; or, when there is one, a new key in front of it
  announce    the present key, and behind it a new one that only verifies
  switch      what was announced in front: it signs, and the former key still verifies
  retire      only the key that signs
Reads the present value from JWT_SIGNING_KEYS or JWT_SIGNING_KEYS_FILE. Where several web servers run, give
the value of each step to all of them before the next.
`;

const STEPS: Record<string, (json: string) => Promise<string> | string> = {
  announce: announceSigningKey,
  switch: switchSigningKeys,
  retire: retireSigningKeys,
};

async function nextValue(step: string | undefined, current: string | undefined): Promise<string> {
  if (step === undefined) {
    return current ? await rotateSigningKeys(current) : await generateSigningKeyJson();
  }
  const take = STEPS[step];
  if (!take)
    throw new ConfigError([`“${step}” is not a step. Steps: ${Object.keys(STEPS).join(', ')}`]);
  if (!current) throw new ConfigError(['JWT_SIGNING_KEYS is missing. This step needs it.']);
  return await take(current);
}

await runMain('The key', async () => {
  const [step] = process.argv.slice(2);
  const isHelp = step === '--help';
  const current = variableOrFile(process.env, 'JWT_SIGNING_KEYS');
  process.stdout.write(isHelp ? USAGE : `${await nextValue(step, current)}\n`);
});
