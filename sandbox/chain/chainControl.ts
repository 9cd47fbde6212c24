import { type Address, isAddress } from 'viem';
import { CHAIN_FAULTS, type ChainFaults, createChainFaults } from './chainFaults.ts';
import { reorganise } from './reorganise.ts';
import { requestChain } from './rpcCall.ts';
import type { TransactionJournal } from './transactionJournal.ts';
import type { WriteGate } from './writeGate.ts';

export type ControlledChain = {
  faults: ChainFaults;
  journal: TransactionJournal;
  chainUrl: string | undefined;
  /** Whether blocks are mined only on request. */
  isMiningHeld: boolean;
  writes: WriteGate;
};

/** A request that cannot be carried out; the message says why. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';
}

type Fields = Record<string, unknown>;

/**
 * The control interface of the local chain, outside JSON-RPC: misbehaviour, time and forks. The
 * gate listens on loopback and accepts no control from a web page, so only programs of this machine
 * reach it.
 * @throws {ControlRefusal}
 */
export async function controlChain(
  chain: ControlledChain,
  name: string,
  fields: Fields,
): Promise<unknown> {
  const command = COMMANDS[name];
  if (!command) throw new ControlRefusal(`no control ${name}`);
  return await command(chain, fields);
}

const COMMANDS: Record<string, (chain: ControlledChain, fields: Fields) => Promise<unknown>> = {
  state: async (chain) => stateOf(chain),
  faults: async (chain, fields) => {
    if (fields.clear === true) Object.assign(chain.faults, createChainFaults());
    for (const fault of Array.isArray(fields.arm) ? (fields.arm as Fields[]) : []) {
      const kind = CHAIN_FAULTS.find((known) => known === fault.kind);
      if (!kind) throw new ControlRefusal(`no fault ${String(fault.kind)}`);
      chain.faults.armed.push({ kind, times: Number(fault.times ?? 1) });
    }
    for (const key of ['lagBlocks', 'lagEvery', 'latencyMs', 'mostLogs'] as const) {
      if (typeof fields[key] === 'number') chain.faults[key] = fields[key];
    }
    return stateOf(chain);
  },
  mining: async (chain, fields) => {
    chain.isMiningHeld = fields.held === true;
    await chain.writes.pass(async () => {
      const url = urlOf(chain);
      await requestChain(url, 'evm_setAutomine', [!chain.isMiningHeld]);
      // Mines everything that arrived while mining was held, in one block.
      if (!chain.isMiningHeld) await requestChain(url, 'evm_mine');
    });
    return stateOf(chain);
  },
  mine: async (chain, fields) => {
    const blocks = `0x${Number(fields.blocks ?? 1).toString(16)}`;
    await chain.writes.pass(() => requestChain(urlOf(chain), 'anvil_mine', [blocks]));
    return stateOf(chain);
  },
  base_fee: async (chain, fields) => {
    const wei = BigInt(String(fields.wei));
    await requestChain(urlOf(chain), 'anvil_setNextBlockBaseFeePerGas', [`0x${wei.toString(16)}`]);
    return stateOf(chain);
  },
  reorganise: async (chain, fields) => {
    const drop = Array.isArray(fields.drop) ? fields.drop.map(String) : [];
    const balances = chain.journal
      .recent()
      .filter((entry) => !entry.method.startsWith('eth_sendRawTransaction'));
    const options = {
      depth: Number(fields.depth),
      drop: drop.filter((text): text is Address => isAddress(text, { strict: false })),
      balances,
      isMiningHeld: chain.isMiningHeld,
    };
    const url = urlOf(chain);
    return await chain.writes
      .alone(() => reorganise(url, options))
      .catch((error: unknown) => {
        throw new ControlRefusal(error instanceof Error ? error.message : String(error));
      });
  },
};

function urlOf(chain: ControlledChain): string {
  if (chain.chainUrl === undefined) throw new ControlRefusal('the chain is not running');
  return chain.chainUrl;
}

function stateOf(chain: ControlledChain) {
  return { faults: chain.faults, isMiningHeld: chain.isMiningHeld };
}
