import type { CDPSession, Page } from 'playwright/test';
import { type Address, createPublicClient, getAddress, type Hex, http } from 'viem';
import { passkeyWalletAbi } from '#contracts/abi/passkeyWallet.ts';
import { sandbox } from './sandbox.ts';
import type { Trader } from './trader.ts';
import { expect } from './trader.ts';

type Credentials = Awaited<ReturnType<typeof readCredentials>>;

/** An authenticator of the browser's own, which recognises its user. */
export class Authenticator {
  readonly #cdp: CDPSession;
  readonly #id: string;

  private constructor(cdp: CDPSession, id: string) {
    this.#cdp = cdp;
    this.#id = id;
  }

  /** The device's own, whose passkeys a manager brings to other devices. */
  static async addTo(page: Page): Promise<Authenticator> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    return await Authenticator.#create(cdp, 'internal');
  }

  /** A security key beside it. */
  async addSecurityKey(): Promise<Authenticator> {
    return await Authenticator.#create(this.#cdp, 'usb');
  }

  static async #create(cdp: CDPSession, transport: 'internal' | 'usb'): Promise<Authenticator> {
    const isBackedUp = transport === 'internal';
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
        defaultBackupEligibility: isBackedUp,
        defaultBackupState: isBackedUp,
      },
    });
    return new Authenticator(cdp, authenticatorId);
  }

  /** The passkeys that it holds, with their secrets. */
  async credentials(): Promise<Credentials> {
    return await readCredentials(this.#cdp, this.#id);
  }

  /** Whether its user touches it when asked. */
  async setPresence(isPresent: boolean): Promise<void> {
    await this.#cdp.send('WebAuthn.setAutomaticPresenceSimulation', {
      authenticatorId: this.#id,
      enabled: isPresent,
    });
  }

  /** Removes a security key; returns the passkeys that it holds. */
  async unplug(): Promise<Credentials> {
    const held = await this.credentials();
    await this.#cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: this.#id });
    return held;
  }

  /** Takes over passkeys, as a passkey manager does on a second device. */
  async sync(credentials: Credentials): Promise<void> {
    for (const credential of credentials) {
      await this.#cdp.send('WebAuthn.addCredential', { authenticatorId: this.#id, credential });
    }
  }
}

async function readCredentials(cdp: CDPSession, authenticatorId: string) {
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
  return credentials;
}

/** The address that the page shows as connected. */
export async function connectedAddress(page: Page): Promise<Hex> {
  const text = await page.evaluate(() => localStorage.getItem('crossbook.wallet'));
  return getAddress((JSON.parse(text ?? '{}') as { address: string }).address);
}

/** From the open dialog of wallets to a connected account with the passkey of this device. */
export async function usePasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await page.getByRole('button', { name: 'Use a passkey I have' }).click();
}

/** Opens a funded account with a new passkey, by clicking in a market's ticket. */
export async function openAccount(trader: Trader, ticker: string): Promise<void> {
  const { page } = trader;
  await trader.openMarket(ticker);
  await trader.expectStep('connectWallet');
  await trader.button.click();
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await trader.expectStep('signIn');
  trader.address = await connectedAddress(page);
  for (const next of ['signGrant', 'getTestFunds', 'enterAmount']) {
    await trader.button.click();
    await trader.expectStep(next);
  }
}

/** The ids of a passkey wallet's owners, from the chain. */
export async function ownersOnChain(wallet: Address): Promise<readonly Hex[]> {
  const chain = createPublicClient({ transport: http(sandbox().rpcUrl) });
  return await chain.readContract({
    address: wallet,
    abi: passkeyWalletAbi,
    functionName: 'owners',
  });
}

/** Signs in on a page that asks for it. */
export async function signInHere(page: Page): Promise<void> {
  const wallet = page.getByRole('region', { name: 'Sign-in' });
  await wallet.getByRole('button', { name: 'Sign in' }).click();
  await expect(wallet.getByRole('button', { name: 'Sign out' })).toBeVisible();
}
