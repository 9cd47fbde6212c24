import { type Address, createPublicClient, http, parseAbiItem, parseEventLogs } from 'viem';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { base } from '#lib/chains.ts';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';

/** A block's change of a holding; negative for outflows. */
export type Movement = {
  blockNumber: bigint;
  /** Time of the block, ISO 8601. */
  at: string;
  usdcMicros: bigint;
  contractMicros: bigint;
};

const TRANSFER = parseAbiItem(
  'event Transfer(address indexed from, address indexed to, uint256 value)',
);

/**
 * Every change of a holder's USDC and of one outcome, from the logs: the sandbox's chain does not
 * keep the balances of old blocks.
 */
export async function readMovements(
  sandbox: Pick<SandboxDescription, 'rpcUrl' | 'contracts'>,
  holder: Address,
  outcome: { ticker: string; side: 'yes' | 'no' },
): Promise<Movement[]> {
  const chain = createPublicClient({ chain: base, transport: http(sandbox.rpcUrl), cacheTime: 0 });
  const { usdc, outcomeToken } = sandbox.contracts;
  const everywhere = { fromBlock: 0n, toBlock: 'latest' } as const;
  const [money, tokens] = await Promise.all([
    chain.getLogs({ address: usdc, event: TRANSFER, ...everywhere }),
    chain.getLogs({ address: outcomeToken, ...everywhere }),
  ]);
  const blocks = new Map<bigint, { usdcMicros: bigint; contractMicros: bigint }>();
  const at = (blockNumber: bigint) => {
    const known = blocks.get(blockNumber) ?? { usdcMicros: 0n, contractMicros: 0n };
    blocks.set(blockNumber, known);
    return known;
  };
  const sign = (from: Address, to: Address) =>
    (to === holder ? 1n : 0n) - (from === holder ? 1n : 0n);
  for (const { args, blockNumber } of money) {
    const { from, to, value } = args;
    if (from && to && value) at(blockNumber).usdcMicros += sign(from, to) * value;
  }
  const wanted = outcomeTokenId(outcome.ticker, outcome.side);
  const names = ['TransferSingle', 'TransferBatch'] as const;
  for (const log of parseEventLogs({ abi: outcomeTokenAbi, eventName: [...names], logs: tokens })) {
    const { args } = log;
    const moved =
      'ids' in args
        ? args.ids.map((id, n) => [id, args.values[n]] as const)
        : [[args.id, args.value] as const];
    for (const [id, value] of moved) {
      if (id !== wanted) continue;
      at(log.blockNumber).contractMicros += sign(args.from, args.to) * (value ?? 0n);
    }
  }
  const changed = [...blocks].filter(
    ([, one]) => one.usdcMicros !== 0n || one.contractMicros !== 0n,
  );
  return await Promise.all(
    changed.map(async ([blockNumber, amounts]) => {
      const { timestamp } = await chain.getBlock({ blockNumber });
      return { blockNumber, at: new Date(Number(timestamp) * 1000).toISOString(), ...amounts };
    }),
  );
}
