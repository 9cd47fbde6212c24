import { generateSigningKeyJson, rotateSigningKeys } from '#server/auth/signingKeys.ts';

/**
 * Prints a value for JWT_SIGNING_KEYS: a first key, or, when one is set already, a new key in front
 * of the one that signed until now. That one can be left out once its last token has expired.
 */
const current = process.env.JWT_SIGNING_KEYS;
const next = current ? await rotateSigningKeys(current) : await generateSigningKeyJson();
process.stdout.write(`${next}\n`);
