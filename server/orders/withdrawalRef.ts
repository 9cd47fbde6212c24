import { type Hex, pad } from 'viem';

/** The account refuses to use a reference twice, so one intent is paid out at most once. */
export function withdrawalRefOf(intentId: string): Hex {
  return pad(`0x${intentId.replaceAll('-', '')}`, { size: 32 });
}
