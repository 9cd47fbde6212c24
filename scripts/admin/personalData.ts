import { type Address, getAddress, isAddress } from 'viem';
import { StartProblem } from '#sandbox/problem.ts';
import { erasePersonalData, exportPersonalData } from '#server/domain/compliance/personalData.ts';
import { actOf, argumentOf, type Command, done, type Handler } from './command.ts';

/** Always JSON: the recipient is the person it is about. */
export const exportData: Handler = async (runtime, command) => {
  const data = await exportPersonalData(runtime, walletOf(command));
  return { data, lines: [JSON.stringify(data, null, 2)] };
};

export const eraseData: Handler = async (runtime, command) => {
  const owner = walletOf(command);
  await erasePersonalData(runtime, { owner, ...actOf(command) });
  return done(`The personal data of ${owner} is erased. Orders and books are kept.`);
};

function walletOf(command: Command): Address {
  const text = argumentOf(command, 'the address of a wallet');
  if (isAddress(text, { strict: false })) return getAddress(text);
  throw new StartProblem(
    `“${text}” is not an address.`,
    'Give the owner’s address: 0x and 40 hex digits.',
  );
}
