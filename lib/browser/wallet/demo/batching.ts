import {
  encodeAbiParameters,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  numberToHex,
  zeroHash,
} from 'viem';
import { ACCOUNT_BATCH, BATCH_MODE } from '#lib/accountBatch.ts';
import { contractCallsAbi } from '#lib/contractCalls.ts';
import { type DemoAccount, ProviderRpcError, rpc, sendTransaction } from './transactions.ts';

/**
 * The smart side of a demo wallet (EIP-5792): several calls execute atomically. The address stays
 * the same and takes on code for it (EIP-7702).
 */

/** The deterministic deployment proxy, present on every development chain. */
const DEPLOYER: Hex = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const DELEGATED = '0xef0100';

type Chain = { chainId: number; rpcUrl: string };
type AskedCall = { to: Hex; value?: Hex; data?: Hex };

/** `wallet_sendCalls`: returns the id for `wallet_getCallsStatus`. */
export async function sendCallsAtOnce(
  account: DemoAccount,
  asked: { calls: AskedCall[] },
  chain: Chain,
): Promise<{ id: Hex }> {
  const delegate = await deployedDelegate(account, chain);
  const code = (await rpc(chain.rpcUrl, 'eth_getCode', [account.address, 'latest'])) as Hex;
  const isDelegated = code.toLowerCase() === `${DELEGATED}${delegate.slice(2)}`.toLowerCase();
  const calls = asked.calls.map(({ to, value, data }) => ({
    to,
    value: BigInt(value ?? 0),
    data: data ?? ('0x' as const),
  }));
  const id = await sendTransaction(
    account,
    {
      to: account.address,
      data: encodeFunctionData({
        abi: contractCallsAbi,
        functionName: 'execute',
        args: [BATCH_MODE, encodeAbiParameters(ACCOUNT_BATCH, [calls])],
      }),
      // The gas of a first batch cannot be estimated: the address has no code yet.
      ...(!isDelegated && { delegateTo: delegate, gas: numberToHex(FIRST_BATCH_GAS) }),
    },
    chain,
  );
  return { id };
}

const FIRST_BATCH_GAS = 2_500_000n;

/** The address of the batching code, deployed first if it is missing. */
async function deployedDelegate(account: DemoAccount, chain: Chain): Promise<Hex> {
  const { batchingWalletBytecode } = await import('#contracts/bytecode/batchingWallet.ts');
  const delegate = getCreate2Address({
    from: DEPLOYER,
    salt: zeroHash,
    bytecode: batchingWalletBytecode,
  });
  const codeAt = (address: Hex) => rpc(chain.rpcUrl, 'eth_getCode', [address, 'latest']);
  if ((await codeAt(delegate)) !== '0x') return delegate;
  const data: Hex = `${zeroHash}${batchingWalletBytecode.slice(2)}`;
  const hash = await sendTransaction(account, { to: DEPLOYER, data }, chain);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await rpc(chain.rpcUrl, 'eth_getTransactionReceipt', [hash])) break;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  if ((await codeAt(delegate)) !== '0x') return delegate;
  throw new ProviderRpcError(-32603, 'The batching contract could not be deployed.');
}

type Receipt = {
  status: Hex;
  logs: { address: Hex; data: Hex; topics: Hex[] }[];
  blockHash: Hex;
  blockNumber: Hex;
  gasUsed: Hex;
  transactionHash: Hex;
};

export async function callsStatus(id: Hex, chain: Chain) {
  const receipt = (await rpc(chain.rpcUrl, 'eth_getTransactionReceipt', [id])) as Receipt | null;
  const common = { version: '2.0.0', id, chainId: numberToHex(chain.chainId), atomic: true };
  if (!receipt) return { ...common, status: 100 };
  const { status, logs, blockHash, blockNumber, gasUsed, transactionHash } = receipt;
  return {
    ...common,
    status: status === '0x1' ? 200 : 500,
    receipts: [
      {
        status,
        blockHash,
        blockNumber,
        gasUsed,
        transactionHash,
        logs: logs.map(({ address, data, topics }) => ({ address, data, topics })),
      },
    ],
  };
}
