import { z } from 'zod';

/** Who offers the service, as its pages name them. */
export const providerEnvironment = {
  /** The company or person that users deal with. */
  PROVIDER_NAME: z.string().trim().min(1).max(120).optional(),
  /** Where users get help: an email address, or an https URL. */
  SUPPORT_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https$/ })], {
      error: 'must be an email address or an https URL',
    })
    .optional(),
};

type Environment = z.infer<z.ZodObject<typeof providerEnvironment>>;

export function readProvider(env: Environment) {
  return { name: env.PROVIDER_NAME, contact: env.SUPPORT_CONTACT };
}
