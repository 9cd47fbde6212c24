import { z } from 'zod';
import { hasValidChecksum } from '../../checksum.ts';

/** Shapes that several resources share. Every schema of this folder is server-side only. */

export const addressSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be a 0x address of 20 bytes', abort: true })
  .refine(hasValidChecksum, 'has a wrong checksum; check it for typos')
  .meta({
    id: 'Address',
    description: 'An address on the chain: 0x and 40 hex digits, checksummed in responses.',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  });

export const hexSchema = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'must be 0x and an even number of hex digits')
  .meta({ id: 'Hex', description: 'Bytes as 0x and hex digits.', example: '0x1a2b' });

export const transactionHashSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a 0x hash of 32 bytes')
  .meta({
    id: 'TransactionHash',
    description: 'Hash of a transaction on the chain.',
    example: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
  });

export const bytes32Schema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .meta({ id: 'Bytes32', description: '32 bytes as 0x and 64 hex digits.' });

export const decimalSchema = z
  .string()
  .max(62, 'is too long')
  .regex(/^(0|[1-9]\d{0,30})(\.\d{1,30})?$/, 'must be a plain decimal string such as "12.5"')
  .meta({
    id: 'Decimal',
    description: 'A non-negative decimal number as a string, exact, without sign or exponent.',
    example: '12.5',
  });

export const signedDecimalSchema = z
  .string()
  .regex(/^-?(0|[1-9]\d{0,30})(\.\d{1,30})?$/, 'must be a decimal string such as "-12.5"')
  .meta({
    id: 'SignedDecimal',
    description: 'A decimal number as a string, exact, negative with a leading minus.',
    example: '-0.25',
  });

export const dollarsSchema = z
  .string()
  .regex(/^(0|[1-9]\d{0,30})\.\d{2,6}$/, 'must be decimal dollars')
  .meta({
    id: 'Dollars',
    description: 'Exact decimal dollars, with at least four decimals for prices and two for sums.',
    example: '0.5600',
  });

export const timestampSchema = z.iso.datetime({ precision: 3 }).meta({
  id: 'Timestamp',
  description: 'ISO 8601 in UTC with milliseconds.',
  example: '2026-11-21T05:00:00.000Z',
});

export const outcomeSideSchema = z.enum(['yes', 'no']).meta({
  id: 'OutcomeSide',
  description: 'Which outcome of a binary market.',
  example: 'yes',
});

export const chainIdSchema = z
  .int()
  .positive()
  .max(2_147_483_647)
  .meta({ id: 'ChainId', description: 'EIP-155 chain id; 8453 is Base.', example: 8453 });

/** No market has this ticker; the reference replaces it with an existing one. */
export const EXAMPLE_EVENT = 'KXRAIN-26DEC01';
export const EXAMPLE_MARKET = `${EXAMPLE_EVENT}-SF`;

export const marketTickerSchema = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be a ticker: letters, digits, ".", "_" and "-"')
  .meta({
    id: 'MarketTicker',
    description: 'Identifier of a market at the exchange.',
    example: EXAMPLE_MARKET,
  });

export const eventTickerSchema = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be a ticker: letters, digits, ".", "_" and "-"')
  .meta({
    id: 'EventTicker',
    description: 'Identifier of the event a market belongs to.',
    example: EXAMPLE_EVENT,
  });

export const hexColorSchema = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/)
  .meta({ id: 'HexColor', description: 'A colour, #RRGGBB.', example: '#265CFF' });

/** What PostgreSQL stores: it refuses NUL, and in JSON half of a surrogate pair. */
const STORABLE = /^[^\p{Cc}\p{Cs}]*$/u;
const NOT_STORABLE = 'must not contain control or broken characters';

/** One line of text typed by a person. */
export const plainTextSchema = z.string().trim().regex(STORABLE, NOT_STORABLE);

/** A token's id as callers send it. */
export const sentTokenIdSchema = z.string().max(80).regex(STORABLE, NOT_STORABLE);

export const clientIdSchema = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
  .meta({
    id: 'ClientId',
    description:
      'Your own ID for the request, unique per API key. It makes the request idempotent: the same ' +
      'body returns the same intent again, a different body is rejected with 409.',
    example: 'order-2026-11-21-0001',
  });

export const cursorSchema = z
  .string()
  .max(1024)
  .meta({ id: 'Cursor', description: 'Opaque position in a list; empty at the end.', example: '' });

/** The id that the service gives to something. */
export const idSchema = (description: string, example: string) =>
  z
    .string()
    .max(64)
    .regex(/^[\w-]+$/, 'must be an id')
    .meta({ description, example });

/** How much of a list to return, and from where on. */
export const pageFields = (most: number, usual: number) => ({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(most)
    .default(usual)
    .meta({ description: 'Page size.' }),
  cursor: cursorSchema.optional(),
});

/** A field of an EIP-712 struct. */
export const typedFieldSchema = z.object({ name: z.string(), type: z.string() });

/** An EIP-712 domain; made for each use, so that the document repeats it in place. */
export const typedDomainSchema = () =>
  z.object({
    name: z.string(),
    version: z.string(),
    chainId: chainIdSchema,
    verifyingContract: addressSchema,
  });

export type OutcomeSide = z.infer<typeof outcomeSideSchema>;
