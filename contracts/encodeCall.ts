import {
  type Abi,
  type AbiStateMutability,
  type ContractFunctionArgs,
  type ContractFunctionName,
  encodeFunctionData,
  type Hex,
} from 'viem';

/** The calldata of a function, with arguments checked against the ABI. */
export function encodeCall<const Contract extends Abi, Name extends ContractFunctionName<Contract>>(
  contract: Contract,
  functionName: Name,
  args: ContractFunctionArgs<Contract, AbiStateMutability, Name>,
): Hex {
  // Checked above; viem cannot check its own generic parameters.
  const call: { abi: Abi; functionName: string; args: readonly unknown[] } = {
    abi: contract,
    functionName,
    args: args as readonly unknown[],
  };
  return encodeFunctionData(call);
}
