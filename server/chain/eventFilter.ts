import { type Abi, type Address, type Log, toEventSelector } from 'viem';

/** Which logs are read, and the part of the ABI that this takes. */
type EventFilter<Contract extends Abi> = {
  abi: Contract;
  /** Those of one contract that are such events. */
  select(address: Address, logs: readonly Log[]): Log[];
};

/**
 * Only these events of a contract. Whoever decodes a log hashes the signatures of the ABI until one
 * fits, for every log anew; so logs of other events and signatures of other events are left out.
 */
export function eventFilter<Contract extends Abi>(
  abi: Contract,
  names: readonly string[],
): EventFilter<Contract> {
  const events = abi.flatMap((item) =>
    item.type === 'event' && names.includes(item.name) ? [item] : [],
  );
  const selectors = new Set<string | undefined>(events.map((event) => toEventSelector(event)));
  return {
    abi: events as readonly Abi[number][] as Contract,
    select(address, logs) {
      const wanted = address.toLowerCase();
      return logs.filter(
        ({ address: from, topics: [selector] }) =>
          selectors.has(selector) && from.toLowerCase() === wanted,
      );
    },
  };
}
