type Payment = { chainId: number; usdc: string; account: string; micros: bigint | undefined };

/**
 * The content of the QR code. With an amount it is a transfer of USDC (EIP-681), which the wallet
 * fills in; without one it is the plain address, which exchanges read as well.
 */
export function paymentLink({ chainId, usdc, account, micros }: Payment): string {
  if (micros === undefined) return `ethereum:${account}@${chainId}`;
  return `ethereum:${usdc}@${chainId}/transfer?address=${account}&uint256=${micros}`;
}
