import { Resolver } from 'node:dns';
import { type Hex, isAddress, isHex } from 'viem';
import { z } from 'zod';
import { ipRangeSchema } from '#lib/api/schemas/network.ts';
import { type KeySource, serviceKeyId } from '../keys/keyService.ts';

/** Types shared by several variables. */

export const addressField = z
  .string()
  .refine(
    (text): text is Hex => isAddress(text, { strict: false }),
    'must be a 0x address of 20 bytes',
  );

export const flagField = z.enum(['true', 'false']).transform((text) => text === 'true');
export const urlField = z.url({ error: 'must be a URL' });
export const portField = z.coerce.number().int().min(1).max(65_535);

export const ipRangesField = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(ipRangeSchema));

/** Several, separated by commas. */
export const nameServersField = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine(areNameServers, 'must be IP addresses, each with a port or without');

function areNameServers(servers: string[]): boolean {
  try {
    new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
}

export const postgresField = z.string().regex(/^postgres(ql)?:\/\//, 'must start with postgres://');

/** Several, separated by commas, spaces or line ends. */
export const postgresListField = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .pipe(z.array(postgresField).min(1));

/** A private key, or `kms:<id>` of one that the key service holds. */
export const chainKeyField = z.string().transform((text, context): KeySource<Hex> => {
  const keyId = serviceKeyId(text);
  if (keyId !== undefined) return { kind: 'service', keyId };
  if (isHex(text) && text.length === 66) return { kind: 'local', value: text };
  context.addIssue('must be a 0x private key of 32 bytes, or kms:<key id>');
  return z.NEVER;
});

/** Several, separated by commas or line ends. */
export const chainKeysField = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .pipe(z.array(chainKeyField).min(1));

/** A PEM private key, in which line ends may be written as \n, or `kms:<id>`. */
export const pemKeyField = z.string().transform((text, context): KeySource => {
  const keyId = serviceKeyId(text);
  if (keyId !== undefined) return { kind: 'service', keyId };
  const value = text.replaceAll('\\n', '\n');
  if (value.includes('PRIVATE KEY')) return { kind: 'local', value };
  context.addIssue('must be a PEM private key (RSA or Ed25519), or kms:<key id>');
  return z.NEVER;
});

/** Keys of 32 bytes in base64, separated by commas or line ends. */
export const dataKeysField = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .pipe(z.array(z.string().refine(isDataKey, 'must be 32 random bytes in base64')).min(1));

function isDataKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && new Set(bytes).size >= 8;
}
