import { isPasskeyPresent } from './ownerWords.ts';

/** Errors between the page and a wallet, in kinds that the page can handle. */
export type WalletProblem =
  | 'rejected'
  | 'wrong_network'
  | 'disconnected'
  | 'other_account'
  | 'timed_out'
  | 'reverted'
  | 'no_gas'
  | 'not_found'
  | 'failed';

export class WalletError extends Error {
  override readonly name = 'WalletError';
  readonly problem: WalletProblem;

  constructor(problem: WalletProblem, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.problem = problem;
  }
}

const WORDS: Record<WalletProblem, string> = {
  rejected: 'You rejected the request in your wallet. Nothing was sent.',
  wrong_network:
    'Your wallet is on another network. Nothing was sent. Switch to Base and try again.',
  disconnected: 'Your wallet disconnected. Reconnect to continue.',
  other_account: 'Your wallet is using another account. Nothing was sent.',
  timed_out: 'Your wallet did not respond in time. Check it before you try again.',
  reverted: 'Transaction reverted. No funds moved.',
  no_gas: 'Not enough ETH for the network fee. Nothing was sent. Add ETH on Base and try again.',
  not_found: 'This wallet is no longer available in the browser.',
  failed: 'Your wallet could not complete the request.',
};

/** The same of a passkey, which is always on the right network and needs no ether. */
const PASSKEY_WORDS: Partial<Record<WalletProblem, string>> = {
  rejected: 'You closed the passkey’s prompt, or it did not recognise you. Nothing was sent.',
  disconnected: 'Your passkey is no longer connected. Sign in again to continue.',
  other_account: 'Another passkey is connected now. Nothing was sent.',
  timed_out: 'The passkey’s prompt was not answered in time. Try again.',
  not_found: 'This browser has no passkey of Crossbook.',
  failed: 'Your passkey could not complete the request.',
};

/** Classifies a wallet's error by walking its causes; wallets nest and word them differently. */
export function toWalletError(error: unknown, isPasskey = isPasskeyPresent()): WalletError {
  if (error instanceof WalletError) return error;
  const problem = problemOf(error);
  const detail = problem === 'failed' ? shortMessageOf(error) : undefined;
  const words = (isPasskey ? PASSKEY_WORDS[problem] : undefined) ?? WORDS[problem];
  return new WalletError(problem, detail ?? words, { cause: error });
}

function problemOf(error: unknown): WalletProblem {
  for (const layer of causes(error)) {
    if (layer.code === 4001 || layer.code === 5720 || layer.name === 'UserRejectedRequestError') {
      return 'rejected';
    }
    // The browser's own, when a passkey's prompt is closed.
    if (layer.name === 'NotAllowedError') return 'rejected';
    if (layer.code === 4902 || layer.code === 5710) return 'wrong_network';
    if (layer.name === 'ChainMismatchError' || layer.name === 'ConnectorChainMismatchError') {
      return 'wrong_network';
    }
    if (layer.code === 4900 || layer.code === 4901) return 'disconnected';
    if (layer.name === 'ConnectorNotConnectedError') return 'disconnected';
    if (layer.name === 'ConnectorAccountNotFoundError') return 'other_account';
    if (layer.name.includes('Timeout')) return 'timed_out';
    if (isOutOfGasMoney(layer)) return 'no_gas';
    if (layer.name === 'ExecutionRevertedError' || layer.code === 3) return 'reverted';
  }
  return 'failed';
}

/** Nodes have no error code for it; each wallet passes on their text in its own way. */
function isOutOfGasMoney({ name, message }: Layer): boolean {
  if (name === 'InsufficientFundsError') return true;
  return typeof message === 'string' && /insufficient funds (for|to pay)/i.test(message);
}

type Layer = { name: string; code: unknown; shortMessage: unknown; message: unknown };

function causes(error: unknown): Layer[] {
  const layers: Layer[] = [];
  let current: unknown = error;
  while (typeof current === 'object' && current !== null && layers.length < 10) {
    const layer = current as Record<string, unknown>;
    layers.push({
      name: typeof layer.name === 'string' ? layer.name : '',
      code: layer.code,
      shortMessage: layer.shortMessage,
      message: layer.message,
    });
    current = layer.cause;
  }
  return layers;
}

function shortMessageOf(error: unknown): string | undefined {
  const [first] = causes(error);
  if (typeof first?.shortMessage === 'string') return first.shortMessage;
  return typeof first?.message === 'string' && first.message.length < 200
    ? first.message
    : undefined;
}
