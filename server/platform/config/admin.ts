import { z } from 'zod';

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** The operators' pages and interface. */
export const adminEnvironment = {
  /** Opens /operator; who gets in is decided by `npm run ops -- operators`. */
  OPERATOR_INTERFACE: flag.default(false),
};

export type AdminConfig = { isOpen: boolean };

export function readAdminConfig(env: z.infer<z.ZodObject<typeof adminEnvironment>>): AdminConfig {
  return { isOpen: env.OPERATOR_INTERFACE };
}
