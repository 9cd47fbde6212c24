import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { createPublicClient, createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { GrantToSign } from '#lib/api/schemas/account.ts';
import type { AuthMessage } from '#lib/api/schemas/auth.ts';
import type { CalldataResult } from '#lib/api/schemas/order.ts';
import { base } from '#lib/chains.ts';
import { DEMO_WALLETS } from '#sandbox/chain/demoWallets.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';

/**
 * The sandbox's first demo wallet for the shell: reads what responses of /v1 ask to sign or send
 * from standard input, and prints the input of the next request.
 */

const USAGE = `usage: npm run -s wallet <command>
  address        prints the wallet's address
  api-key        prints the sandbox's API key
  sign-message   answer of GET /v1/auth/message in, body of POST /v1/auth/token out
  sign-grant     answer of GET /v1/account/grant in, body of POST /v1/account/grant out
  send           answer of POST /v1/order/calldata in, transaction hashes out`;

/** The wallet's key, and the chain and API key of the sandbox it belongs to. */
type Demo = { privateKey: Hex | undefined; rpcUrl: string; apiKey: string | undefined };

/** Of the sandbox in the data folder, or of one that runs chain and exchange alone. */
function readDemo(): Demo {
  const folder = resolve(process.env.CROSSBOOK_DATA ?? '.data');
  const file = join(folder, 'sandbox.json');
  if (existsSync(file)) {
    const sandbox = JSON.parse(readFileSync(file, 'utf8')) as SandboxDescription;
    return { ...sandbox, privateKey: sandbox.demoWallets[0]?.privateKey };
  }
  const parts = join(folder, 'environment', 'common.env');
  if (!existsSync(parts)) {
    fail(`No sandbox is running (${file} is missing). Start one with: npm start`);
  }
  const { CHAIN_RPC_URL: rpcUrl = '' } = parseEnv(readFileSync(parts, 'utf8'));
  return { rpcUrl, privateKey: DEMO_WALLETS[0]?.privateKey, apiKey: undefined };
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** A response of the API; an error response is printed unchanged. */
async function readResponse<Reply>(field: keyof Reply & string): Promise<Reply> {
  const input = await text(process.stdin);
  try {
    const response = JSON.parse(input) as Reply;
    if (response !== null && typeof response === 'object' && field in response) return response;
  } catch {
    // Not JSON: shown to the user below.
  }
  return fail(`Expected a response with "${field}", got: ${input || 'nothing'}`);
}

async function run(command: string | undefined): Promise<string> {
  const { privateKey, rpcUrl, apiKey } = readDemo();
  if (!privateKey) return fail('This sandbox has no demo wallet.');
  const account = privateKeyToAccount(privateKey);
  switch (command) {
    case 'address':
      return account.address;
    case 'api-key':
      return (
        apiKey ??
        fail('A sandbox of chain and exchange has no API key. Create one with: npm run api-key')
      );
    case 'sign-message': {
      const { message } = await readResponse<AuthMessage>('message');
      return JSON.stringify({ message, signature: await account.signMessage({ message }) });
    }
    case 'sign-grant': {
      const { typedData } = await readResponse<GrantToSign>('typedData');
      const { domain, types, message } = typedData;
      const signature = await account.signTypedData({
        domain: { ...domain, verifyingContract: domain.verifyingContract as Hex },
        types: { Grant: types.Grant },
        primaryType: 'Grant',
        message,
      });
      return JSON.stringify({ grant: message, signature });
    }
    case 'send': {
      const { transactions } = await readResponse<CalldataResult>('transactions');
      return (await sendAll(rpcUrl, account, transactions)).join('\n');
    }
    default:
      return fail(USAGE);
  }
}

async function sendAll(
  rpcUrl: string,
  account: ReturnType<typeof privateKeyToAccount>,
  transactions: CalldataResult['transactions'],
): Promise<Hex[]> {
  const transport = http(rpcUrl);
  const wallet = createWalletClient({ account, chain: base, transport });
  const chain = createPublicClient({ chain: base, transport });
  const hashes: Hex[] = [];
  for (const { to, value, data } of transactions) {
    const hash = await wallet.sendTransaction({
      to: to as Hex,
      value: BigInt(value),
      data: data as Hex,
    });
    const receipt = await chain.waitForTransactionReceipt({ hash, pollingInterval: 100 });
    if (receipt.status !== 'success') fail(`Transaction ${hash} failed; nothing more was sent.`);
    hashes.push(hash);
  }
  return hashes;
}

process.stdout.write(`${await run(process.argv[2])}\n`);
