import {
  type Abi,
  type AbiEvent,
  type AbiParameter,
  type Address,
  type ContractEventName,
  decodeAbiParameters,
  getAddress,
  type Hex,
  type Log,
  type ParseEventLogsReturnType,
  toEventSelector,
} from 'viem';

type Names<Contract extends Abi> = ContractEventName<Contract>;

/** Selects and decodes logs. */
type EventFilter<Contract extends Abi, Name extends Names<Contract>> = {
  /** The logs of one or several contracts that are such events. */
  select(address: Address | readonly Address[], logs: readonly Log[]): Log[];
  /** The same with their arguments, or only those of one name. */
  read<Wanted extends Name = Name>(
    address: Address | readonly Address[],
    logs: readonly Log[],
    name?: Wanted,
  ): ParseEventLogsReturnType<Contract, Wanted[], true>;
};

/**
 * Selects only these events of a contract. viem hashes an ABI's signatures again for every log and
 * decodes all of its data; here each signature is hashed once, and data is decoded on demand.
 */
export function eventFilter<Contract extends Abi, Name extends Names<Contract>>(
  abi: Contract,
  names: readonly Name[],
): EventFilter<Contract, Name> {
  const wanted: readonly string[] = names;
  const readers = new Map<string | undefined, Reader>(
    abi.flatMap((item) =>
      item.type === 'event' && wanted.includes(item.name)
        ? [[toEventSelector(item), readerOf(item)] as const]
        : [],
    ),
  );
  const select = (address: Address | readonly Address[], logs: readonly Log[]) => {
    const lower = new Set([address].flat().map((one) => one.toLowerCase()));
    return logs.filter(
      ({ address: from, topics: [selector] }) =>
        readers.has(selector) && lower.has(from.toLowerCase()),
    );
  };
  return {
    select,
    read: (address, logs, name) =>
      select(address, logs).flatMap((log) => {
        const reader = readers.get(log.topics[0]);
        if (!reader || (name !== undefined && reader.name !== name)) return [];
        const args = reader.read(log);
        return args ? [{ ...log, eventName: reader.name, args }] : [];
      }) as never,
  };
}

type Reader = { name: string; read(log: Log): Record<string, unknown> | undefined };

/** Types whose topic holds only a hash, and the one as long as a topic. */
const PLAIN = /^(string|bytes|tuple|bytes32)$|]$/;

function readTopic(input: AbiParameter, topic: Hex): unknown {
  if (PLAIN.test(input.type)) return topic;
  if (input.type === 'address' && topic.length === TOPIC_LENGTH) {
    return getAddress(`0x${topic.slice(-ADDRESS_DIGITS)}`);
  }
  return decodeAbiParameters([input], topic)[0];
}

const TOPIC_LENGTH = 66;
const ADDRESS_DIGITS = 40;

function readerOf({ name, inputs }: AbiEvent): Reader {
  const indexed = inputs.filter((input) => input.indexed);
  const rest = inputs.filter((input) => !input.indexed);
  return {
    name,
    read({ topics: [, ...topics], data }) {
      // A different event of the same name.
      if (topics.length !== indexed.length) return undefined;
      const args: Record<string, unknown> = {};
      for (const [place, input] of indexed.entries()) {
        const topic = topics[place] ?? '0x';
        args[input.name ?? place] = readTopic(input, topic);
      }
      let values: readonly unknown[] | undefined;
      for (const [place, input] of rest.entries()) {
        Object.defineProperty(args, input.name ?? indexed.length + place, {
          enumerable: true,
          get() {
            values ??= decodeAbiParameters(rest, data);
            return values[place];
          },
        });
      }
      return args;
    },
  };
}
