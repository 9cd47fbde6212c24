import { createPublicClient, http } from 'viem';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { type DeployInput, dryRunDeployment } from '#contracts/deployment/deploy.ts';
import { StartProblem } from '../problem.ts';

/**
 * The contracts are not upgradeable: those of another version live at other addresses, with
 * everything users hold, and the database refers to them. Newly deployed ones would be empty.
 * @throws {StartProblem} when the chain was prepared by a version with other contracts
 */
export async function refuseOtherVersion(input: DeployInput): Promise<void> {
  const { addresses, steps } = await dryRunDeployment(input);
  const creates = steps.map((step) => step.creates);
  if (creates.includes(addresses.usdc) || !creates.includes(addresses.swapVault)) return;
  const client = createPublicClient({ transport: http(input.rpcUrl) });
  // A kill between the two steps of the first start leaves no funds at risk.
  const supply = await client.readContract({
    address: addresses.usdc,
    abi: testUsdcAbi,
    functionName: 'totalSupply',
  });
  if (supply === 0n) return;
  throw new StartProblem(
    'The chain in this data folder carries the contracts of another version of Crossbook.',
    'Use that version, or start again: npm run reset deletes the data folder.',
  );
}
