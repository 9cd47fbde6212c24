import { type Address, concatHex, type Hex } from 'viem';
import type { Chain } from './client.ts';

/** RIP-7212: Base's own check of P-256 signatures, of passkeys and of devices' session keys. */
const PRECOMPILE: Address = '0x0000000000000000000000000000000000000100';

/** A valid signature: hash, r, s, x, y. */
const VALID: Hex = concatHex([
  '0x6284f19bb756ee7bacd8364732440428b0c1892d280bb73994177ad20fdfe8c1',
  '0xd2b9d06e0ac7ce1dcb1c8ffee2e80326324df9698aabc674843011e035e017f9',
  '0x7e363eea1a1f187ec9c7f8b8a5be7f31ad4c008729f03984e543be2612ee928b',
  '0xdff8cb5752678522e907801348d795f1fc57d5bdcff0f0e1df6a1fed2725e114',
  '0x3055713286f04984ca57eecdf7965e946ac05ea8c7cbe3c028f0f165ce5ec564',
]);

/** Whether the chain checks P-256 signatures itself; one without it returns nothing. */
export async function hasP256Check({ client }: Pick<Chain, 'client'>): Promise<boolean> {
  const { data } = await client.call({ to: PRECOMPILE, data: VALID });
  return data !== undefined && BigInt(data) === 1n;
}
