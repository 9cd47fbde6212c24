import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { flagField, urlField } from './fields.ts';

/** Legal requirements at the place of operation. Switching them off must be explicit. */
export const complianceEnvironment = {
  /** `off`, or `lists`: regions and addresses are looked up in the files below. */
  COMPLIANCE: z.enum(['off', 'lists']).optional(),
  /** The header in which our proxy sends a request's region: ISO 3166-1, or 3166-2. */
  REGION_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be the name of a header')
    .optional(),
  /** A file of regions that are not served, one a line: `US`, or `US-NY`; `#` begins a comment. */
  BLOCKED_REGIONS_FILE: z.string().min(1).optional(),
  /** Whether a request without a region is refused. */
  REGION_REQUIRED: flagField.default(false),
  /** A file of addresses that may not trade, one a line. */
  BLOCKED_ADDRESSES_FILE: z.string().min(1).optional(),
  /** The version of the terms that users must accept; none is required without it. */
  TERMS_VERSION: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,40}$/, 'must be up to 40 letters, digits, dots and dashes')
    .optional(),
  /** Where the terms can be read. */
  TERMS_URL: urlField.optional(),
  /** Days until unused personal data is deleted. */
  RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(90),
};

type Environment = z.infer<z.ZodObject<typeof complianceEnvironment>> & {
  TRUSTED_PROXIES?: readonly string[];
};

/** Unsafe combinations, each with its cure. */
export function complianceProblems(
  env: Environment,
  { isProduction }: { isProduction: boolean },
): string[] {
  const problems: string[] = [];
  if (env.COMPLIANCE === undefined && isProduction) {
    problems.push('COMPLIANCE: is not set; set it to lists, or to off if you need no checks');
  }
  if (env.COMPLIANCE === 'lists') problems.push(...listProblems(env));
  if (env.TERMS_VERSION !== undefined && env.TERMS_URL === undefined) {
    problems.push('TERMS_URL: is missing, but terms must be accepted; set it');
  }
  return problems;
}

function listProblems(env: Environment): string[] {
  const problems: string[] = [];
  if (env.BLOCKED_REGIONS_FILE === undefined && env.BLOCKED_ADDRESSES_FILE === undefined) {
    problems.push(
      'COMPLIANCE: lists need at least one of BLOCKED_REGIONS_FILE and BLOCKED_ADDRESSES_FILE',
    );
  }
  if (env.BLOCKED_REGIONS_FILE !== undefined && env.REGION_HEADER === undefined) {
    problems.push('REGION_HEADER: is missing, but regions are blocked; set it');
  }
  if (env.REGION_HEADER !== undefined && (env.TRUSTED_PROXIES ?? []).length === 0) {
    problems.push(
      'REGION_HEADER: clients could fake their region; list the proxies that set it in TRUSTED_PROXIES',
    );
  }
  for (const name of ['BLOCKED_REGIONS_FILE', 'BLOCKED_ADDRESSES_FILE'] as const) {
    const file = env[name];
    if (file !== undefined && !isReadable(file)) problems.push(`${name}: ${file} cannot be read`);
  }
  return problems;
}

function isReadable(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}

export type ComplianceConfig = ReturnType<typeof readCompliance>;

export function readCompliance(env: Environment) {
  return {
    mode: env.COMPLIANCE ?? 'off',
    region: {
      header: env.REGION_HEADER?.toLowerCase(),
      required: env.REGION_REQUIRED,
      blockedFile: env.BLOCKED_REGIONS_FILE,
    },
    blockedAddressesFile: env.BLOCKED_ADDRESSES_FILE,
    terms:
      env.TERMS_VERSION === undefined
        ? undefined
        : { version: env.TERMS_VERSION, url: env.TERMS_URL },
    retentionDays: env.RETENTION_DAYS,
  };
}
