import { z } from 'zod';

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** The operators' pages and interface. */
export const operatorEnvironment = {
  /** Opens /operator; who gets in is decided by `npm run ops -- operators`. */
  OPERATOR_INTERFACE: flag.default(false),
};

export type OperatorConfig = { isOpen: boolean };

export function readOperator(
  env: z.infer<z.ZodObject<typeof operatorEnvironment>>,
): OperatorConfig {
  return { isOpen: env.OPERATOR_INTERFACE };
}
