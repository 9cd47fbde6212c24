import { test as base, expect, type Page } from 'playwright/test';
import { type Address, createPublicClient, erc20Abi, type Hex, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { type CrossbookClient, createClient } from '#lib/api/client.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import type { AuthTokenRequest, BrowserSession } from '#lib/api/schemas/auth.ts';
import type { Market } from '#lib/api/schemas/market.ts';
import type { CalldataResult } from '#lib/api/schemas/order.ts';
import { parseMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import {
  createTrader,
  giveGrant,
  orderBody,
  signIn,
  WIDE_LIMITS,
} from '#sandbox/testing/trader.ts';
import { buyOn } from '#sandbox/testing/trades.ts';
import { type OrderRow, readOrder } from './database.ts';
import { sandbox } from './sandbox.ts';

/** A book many times as deep as the journeys trade. */
const LIQUID_CENTS = 100_000;

/** Journeys share this many markets; later ones may be settled. */
const OTHERS = 60;

/** A new user with a wallet, and independent access to the chain and the database. */
export class Trader {
  readonly page: Page;
  readonly privateKey: Hex;
  /** Of the wallet; a passkey’s is known once it is made. */
  address: Address;
  readonly api: CrossbookClient;
  #taken = 0;
  readonly #chain = createPublicClient({ transport: http(sandbox().rpcUrl) });

  constructor(page: Page, privateKey: Hex = generatePrivateKey()) {
    this.page = page;
    this.privateKey = privateKey;
    this.address = privateKeyToAccount(privateKey).address;
    const { baseUrl, apiKey } = sandbox();
    this.api = createClient({ baseUrl, apiKey });
  }

  /** Puts the key into the page's demo wallet; call before the first page opens. */
  async prepare(): Promise<void> {
    await this.page.addInitScript((privateKey) => {
      window.crossbookDemoWallet = { privateKeys: [privateKey] };
      const key = 'crossbook.ticket';
      const onePress = JSON.stringify({ execution: 'forMe', slippageBps: 200, onePress: true });
      if (localStorage.getItem(key) === null) localStorage.setItem(key, onePress);
    }, this.privateKey);
  }

  /** Presses are confirmed, as before a trader chooses otherwise; call after `prepare`. */
  async confirmPresses(): Promise<void> {
    await this.page.addInitScript(() => localStorage.removeItem('crossbook.ticket'));
  }

  /** Another tab of the same browser, with the same wallet. */
  async openTab(): Promise<Page> {
    const tab = new Trader(await this.page.context().newPage(), this.privateKey);
    await tab.prepare();
    return tab.page;
  }

  /** The smart account, by the factory on chain. */
  smartAccount(): Promise<Address> {
    return this.#chain.readContract({
      address: sandbox().contracts.accountFactory,
      abi: tradingAccountFactoryAbi,
      functionName: 'addressOf',
      args: [this.address],
    });
  }

  /** USDC of the smart account on chain, in micros. */
  async cashMicros(): Promise<bigint> {
    return this.usdcMicrosOf(await this.smartAccount());
  }

  /** USDC of any address on chain, in micros. */
  usdcMicrosOf(address: Address): Promise<bigint> {
    return this.#chain.readContract({
      address: sandbox().contracts.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [address],
    });
  }

  /** Outcome tokens of the smart account on chain, in contract micros. */
  async heldMicros(ticker: string, side: 'yes' | 'no'): Promise<bigint> {
    const token = await this.api.getTokenByMarket(ticker, side);
    return this.#chain.readContract({
      address: sandbox().contracts.outcomeToken,
      abi: outcomeTokenAbi,
      functionName: 'balanceOf',
      args: [await this.smartAccount(), BigInt(token.properties.tokenId)],
    });
  }

  /** A command to the sandbox exchange itself. */
  async controlExchange(command: string, body: Record<string, unknown>): Promise<void> {
    await controlExchange(sandbox(), command, body);
  }

  /** An open market with offers on both sides and time left. */
  async findMarket(index: number): Promise<Market> {
    const tradable = (await this.#tradable(200)).slice(0, OTHERS);
    const market = tradable[index % tradable.length];
    if (!market) throw new Error('The sandbox has no market to trade in.');
    return market;
  }

  /** Two open markets of one event, which other journeys trade, too. */
  async findSiblings(): Promise<[Market, Market]> {
    const tradable = (await this.#tradable(200)).slice(0, OTHERS);
    for (const [index, market] of tradable.entries()) {
      const isSibling = ({ eventTicker }: Market) => eventTicker === market.eventTicker;
      const sibling = tradable.slice(index + 1).find(isSibling);
      if (sibling) return [market, sibling];
    }
    throw new Error('The sandbox has no event with two markets to trade in.');
  }

  /** Open scalar markets with time left, by volume. A journey that settles one takes the last. */
  async findScalars(): Promise<Market[]> {
    const soon = Date.now() + 60 * 60_000;
    const found: Market[] = [];
    let cursor = '';
    do {
      const query = { limit: 1_000, status: 'open', ...(cursor && { cursor }) } as const;
      const page = await this.api.listMarkets(query);
      const isLasting = ({ closeTime }: Market) => Date.parse(closeTime) > soon;
      found.push(...page.markets.filter((one) => one.marketType === 'scalar' && isLasting(one)));
      cursor = page.cursor;
    } while (cursor);
    return found;
  }

  async #tradable(limit: number): Promise<Market[]> {
    const { markets } = await this.api.listMarkets({ limit });
    const hour = 60 * 60_000;
    return markets.filter(
      (market) =>
        market.yesAsk > 10 &&
        market.yesAsk < 90 &&
        market.yesBid > 5 &&
        market.liquidity > LIQUID_CENTS &&
        Date.parse(market.expectedEndTime) > Date.now() + hour,
    );
  }

  /**
   * A market for one journey, which may settle it. `findMarket` never returns it; the wallet
   * determines which market it is.
   */
  async takeMarket(): Promise<Market> {
    const others = (await this.#tradable(1_000)).slice(OTHERS);
    const first = Number(BigInt(this.address) % 9_973n);
    const market = others[(first + this.#taken) % others.length];
    this.#taken += 1;
    if (!market) throw new Error('The sandbox has no market left.');
    return market;
  }

  async openMarket(ticker: string, query = ''): Promise<void> {
    await this.page.goto(`/markets/${ticker}${query}`);
    await this.showTicket();
  }

  /** Opens the ticket, which is behind the bar on a phone and visible on a desktop. */
  async showTicket(): Promise<void> {
    const bar = this.page.getByRole('button', { name: /^Buy Yes/ });
    // A sheet that opens, or a market that closes, removes the bar meanwhile.
    await expect(async () => {
      if (!(await this.button.isVisible())) await bar.click({ timeout: 1_000 });
      await expect(this.button).toBeVisible({ timeout: 1_000 });
    }).toPass();
  }

  /** The ticket's one button. */
  get button() {
    return this.page.getByTestId('ticket-button');
  }

  async expectStep(reason: string): Promise<void> {
    await expect(this.button).toHaveAttribute('data-reason', reason);
  }

  /** Clicks through a new user's steps up to an empty ticket. */
  async getReady(wallet?: RegExp): Promise<void> {
    await this.connect(wallet);
    await this.expectStep('signIn');
    await this.button.click();
    await this.expectStep('signGrant');
    await expect(this.page.getByRole('region', { name: 'Trading permission' })).toContainText(
      'a day',
    );
    await this.button.click();
    await this.expectStep('getTestFunds');
    await this.button.click();
    await this.expectStep('enterAmount');
  }

  async connect(wallet: RegExp = /Demo wallet 1/): Promise<void> {
    await this.expectStep('connectWallet');
    await this.button.click();
    await this.page.getByRole('button', { name: wallet }).click();
  }

  /**
   * Does through the API what a new user does by clicking: signs in, grants permission, receives
   * funds. Call it before the first page opens.
   */
  async arrive(): Promise<void> {
    const account = privateKeyToAccount(this.privateKey);
    const token = await this.signInDirectly();
    await giveGrant(this.api, account);
    await this.api.requestFunds(this.address);
    // Journeys about a payout redeem it by hand, or turn this on.
    const { baseUrl, apiKey } = sandbox();
    await createClient({ baseUrl, apiKey, token }).putAccountSettings({ autoRedeem: false });
  }

  /** Buys through the API at any price; requires `arrive`. */
  async buyDirectly(ticker: string, contracts: string, side: 'yes' | 'no' = 'yes'): Promise<void> {
    await buyOn(sandbox())(await signIn(sandbox(), this.privateKey), ticker, side, contracts);
  }

  /** Moves dollars of USDC from the account to the wallet itself; requires `arrive`. */
  async fillWallet(dollars: number): Promise<void> {
    await this.#receiveUsdc(await this.newToken(), dollars);
  }

  /** USDC from someone else, as what the visitor's wallet holds before they come here. */
  async receiveUsdc(dollars: number): Promise<void> {
    const { api } = await createTrader(sandbox(), WIDE_LIMITS);
    await this.#receiveUsdc(api, dollars);
  }

  async #receiveUsdc(from: CrossbookClient, dollars: number): Promise<void> {
    await from.withdraw({
      intentType: 'Withdraw',
      destinationAddress: this.address,
      amount: `${dollars}`,
      tokenType: 'erc20',
      tokenAddress: sandbox().contracts.usdc,
    });
    const micros = BigInt(dollars) * 1_000_000n;
    await expect.poll(() => this.usdcMicrosOf(this.address)).toBe(micros);
  }

  /** Requests an order's calls for the wallet, like a program; they are never sent. */
  async issueDirectly(ticker: string, contracts: string): Promise<CalldataResult> {
    const trader = await signIn(sandbox(), this.privateKey);
    const order = {
      direction: 'BUY',
      ticker,
      side: 'yes',
      contracts,
      quoteLimit: contracts,
    } as const;
    return await trader.api.createCalldataOrder(orderBody(sandbox(), trader, order));
  }

  /** Opens a market's ticket and enters an amount; requires `arrive`. */
  async fillTicket(ticker: string, contracts: string): Promise<void> {
    await this.openMarket(ticker);
    await this.enterContracts(contracts);
    await this.expectStep('place');
  }

  /** Continues until the wallet must sign an order's calls; requires `arrive`. */
  async prepareOwnSigning(ticker: string, contracts: string): Promise<void> {
    await this.openMarket(ticker);
    await this.prepareCalls(contracts);
  }

  /** The same on the market's page. */
  async prepareCalls(contracts: string): Promise<void> {
    await this.enterContracts(contracts);
    await this.signMyself();
    await this.button.click();
    await this.expectStep('signCalls');
  }

  /** Opens the ticket's settings, which a price that arrives moves from under the pointer. */
  async openSettings(): Promise<void> {
    const settings = this.page.locator('details').filter({ hasText: 'No network fee' });
    await expect(async () => {
      if ((await settings.getAttribute('open')) === null) await settings.locator('summary').click();
      await expect(settings).toHaveAttribute('open', { timeout: 1_000 });
    }).toPass();
  }

  /** Chooses that the owner's wallet sends the order. */
  async signMyself(): Promise<void> {
    await this.openSettings();
    await this.page.getByText('Sign it myself').click();
    await this.expectStep('prepareCalls');
  }

  /** Changes a contract's offer at the exchange, and waits until the service quotes it. */
  async movePrice(ticker: string, cents: number): Promise<void> {
    const priceDollars = (cents / 100).toFixed(4);
    await this.controlExchange('market', { ticker, priceDollars });
    await expect
      .poll(async () => {
        const quote = await this.api.getQuote(ticker, { side: 'yes', contracts: '1' });
        return Number(quote.bestPriceDollars) * 100;
      })
      .toBeGreaterThan(cents - 3);
  }

  /** The API with the user's own key, without a sign-in. */
  withKey(apiKey: string): CrossbookClient {
    return createClient({ baseUrl: sandbox().baseUrl, apiKey });
  }

  /** The API with another sign-in of the same wallet, as on another device. */
  async newToken(): Promise<CrossbookClient> {
    return (await signIn(sandbox(), this.privateKey)).api;
  }

  /** Signs in through the API, and stores the session for the page. */
  async signInDirectly(): Promise<string> {
    const account = privateKeyToAccount(this.privateKey);
    const message = await this.#signInMessage();
    const signature = await account.signMessage({ message });
    const session = await this.#beginBrowserSession({ message, signature });
    const wallet = { address: this.address, walletName: 'Demo wallet 1' };
    await this.page.addInitScript(
      ([sessionJson, walletJson]) => {
        if (localStorage.getItem('crossbook.session') !== null) return;
        localStorage.setItem('crossbook.session', sessionJson ?? '');
        localStorage.setItem('crossbook.wallet', walletJson ?? '');
        localStorage.setItem('crossbook.demo.0', 'yes');
        localStorage.setItem('crossbook.recentConnectorId', '"crossbook.demo.wallet1"');
      },
      [JSON.stringify(session), JSON.stringify(wallet)],
    );
    return session.token;
  }

  /** While the first browsers start, a busy machine is late for its database: the API says retry. */
  async #signInMessage(): Promise<string> {
    const found = await pollUntil(
      async () => {
        try {
          return await this.api.getSignInMessage(this.address);
        } catch (error) {
          if (isApiProblem(error) && error.code === 'service_unavailable') return undefined;
          throw error;
        }
      },
      { everyMs: 1_000 },
    );
    if (!found) throw new Error('the service stayed unavailable');
    return found.message;
  }

  /** As the page's own sign-in does: the token for the page, the cookie for its browser. */
  async #beginBrowserSession(body: AuthTokenRequest) {
    const { baseUrl } = sandbox();
    const response = await fetch(`${baseUrl}/v1/auth/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: baseUrl },
      body: JSON.stringify(body),
    });
    const [pair = ''] = (response.headers.get('set-cookie') ?? '').split(';', 1);
    const [name = '', value = ''] = pair.split('=');
    const { hostname: domain } = new URL(baseUrl);
    const path = '/v1/auth/session';
    await this.page
      .context()
      .addCookies([{ name, value, domain, path, httpOnly: true, sameSite: 'Strict' }]);
    const { token, expiresAt, renewableUntil, sessionId } =
      (await response.json()) as BrowserSession;
    return {
      token,
      address: this.address,
      expiresAtMs: Date.parse(expiresAt),
      renewableUntilMs: Date.parse(renewableUntil),
      id: sessionId,
    };
  }

  /** Sends an event of the wallet to the page, once the page has connected it. */
  async tellOfWallet(event: 'accountsChanged' | 'chainChanged', payload: unknown): Promise<void> {
    await this.page.waitForFunction(() => window.crossbookDemoWallet?.notify !== undefined);
    await this.page.evaluate(([name, value]) => window.crossbookDemoWallet?.notify?.(name, value), [
      event,
      payload,
    ] as const);
  }

  /** Types a number of contracts into an empty ticket, in contracts or dollars. */
  async enterContracts(text: string): Promise<void> {
    const inDollars = this.page.getByRole('button', { name: 'in dollars, change' });
    const field = this.page.getByRole('textbox', { name: 'Contracts' });
    // The ticket's unit is stored, and applied shortly after the ticket appears.
    await expect(async () => {
      await expect(inDollars.or(field).first()).toBeVisible();
      if (await inDollars.isVisible()) await inDollars.click({ timeout: 1_000 });
      await field.fill(text, { timeout: 1_000 });
    }).toPass();
  }

  /** The ticket's report of the order that it placed. */
  get placed() {
    return this.page.getByTestId('placed-order');
  }

  /** Waits until the ticket reports its order. */
  async waitForPlaced(): Promise<void> {
    // The sandbox's prices move: the ticket shows a worse one, which must be accepted.
    const moved = this.page.getByText('The price has moved').waitFor();
    const accepted = moved.then(() => this.button.click()).catch(() => undefined);
    await Promise.race([this.placed.waitFor(), accepted]);
    await this.placed.waitFor();
  }

  /** Opens the page of the order that was placed; a redemption opens it automatically. */
  async openPlaced(): Promise<void> {
    const isOrderPage = /\/orders\/[0-9a-f-]{36}$/;
    const opened = this.page.waitForURL(isOrderPage).then(() => true);
    const placed = this.waitForPlaced().then(() => false);
    if (await Promise.race([opened, placed])) {
      placed.catch(() => undefined);
      return;
    }
    await this.placed.getByRole('link', { name: 'Details' }).click();
    await opened;
  }

  /** Waits on the order's page until the order has ended; returns its row in the database. */
  async followToEnd(status: 'completed' | 'failed' = 'completed'): Promise<OrderRow> {
    await this.openPlaced();
    await expect(this.page.getByTestId('order-status')).toHaveAttribute('data-status', status);
    return readOrder(this.orderId());
  }

  orderId(): string {
    return new URL(this.page.url()).pathname.split('/').at(-1) ?? '';
  }

  /** An amount of the receipt with every digit, read from the page, in micros. */
  async receiptMicros(label: string): Promise<bigint> {
    const figure = this.page
      .getByRole('region', { name: 'Receipt' })
      .locator('div', { has: this.page.getByText(label, { exact: true }) });
    // A rounded amount is listed again below, exactly.
    const shown = (await figure.locator('dd').last().textContent()) ?? '';
    return parseMicros(shown.replaceAll(/[$,]/g, ''));
  }
}

/** Waits until the page reacts to input: the user menu is hydrated last. */
export async function expectHydrated(page: Page): Promise<void> {
  await expect(page.getByRole('status', { name: 'Your orders' })).toBeAttached();
}

export const test = base.extend<{ trader: Trader }>({
  trader: async ({ page }, use) => {
    const trader = new Trader(page);
    await trader.prepare();
    await use(trader);
  },
});

export { expect };
