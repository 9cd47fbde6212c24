import { ArrowRight, Building2, Fuel, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { PlainTable } from './PlainTable.tsx';

/** The network's usual name at exchanges. */
const NETWORK_NAMES = [
  ['Coinbase', 'Base'],
  ['Binance', 'BASE'],
  ['Kraken', 'Base'],
  ['OKX', 'Base'],
  ['Bybit', 'Base Mainnet'],
] as const;

const SENT_WRONGLY = [
  [
    'USDC on another network',
    'It does not arrive, and may be lost: your account exists on Base only. Crossbook cannot return it. Ask the exchange that sent it.',
  ],
  [
    'USDbC, USDT or another token on Base',
    'It is in your account but not counted as cash. Your wallet can move it out with a call to the account’s contract.',
  ],
  ['ETH on Base', 'The same. Your account needs no ETH.'],
] as const;

/** How to send USDC, from where it is, and what happens to what was sent wrongly. */
export function DepositGuide() {
  return (
    <div className="grid content-start gap-8">
      <section aria-labelledby="from-exchange">
        <GuideTitle id="from-exchange" Icon={Building2}>
          From an exchange
        </GuideTitle>
        <ol className="grid gap-2.5 text-14 text-ink-2">
          <Step number={1}>
            Open <b>Withdraw</b> or <b>Send</b> at your exchange and choose <b>USDC</b>.
          </Step>
          <Step number={2}>
            Choose the network <b>Base</b>. If the exchange does not offer it, do not send: use your
            wallet instead.
          </Step>
          <Step number={3}>
            Paste your deposit address and compare its first and last six characters.
          </Step>
          <Step number={4}>
            Send a small amount first. It arrives within minutes of the exchange’s approval, and
            this page shows it.
          </Step>
        </ol>
        <p className="mt-4 mb-2 text-13 text-ink-3">How exchanges usually name the network</p>
        <ul className="flex flex-wrap gap-2 text-13">
          {NETWORK_NAMES.map(([exchange, name]) => (
            <li key={exchange} className="flex items-center gap-1.5 rounded-sm bg-sunken px-2 py-1">
              {exchange}
              <ArrowRight aria-hidden className="size-3 text-ink-3" />
              <b className="font-semibold">{name}</b>
            </li>
          ))}
        </ul>
        <p className="mt-2 text-13 text-ink-3">
          Names can change. Ethereum, ERC-20, Arbitrum, Optimism, Polygon and Solana are other
          networks.
        </p>
      </section>
      <section aria-labelledby="from-wallet">
        <GuideTitle id="from-wallet" Icon={Wallet}>
          From a wallet
        </GuideTitle>
        <dl className="grid gap-3 text-14">
          <Way title="The connected wallet">
            Enter an amount and confirm once. The USDC must be on Base; elsewhere, bridge it first.
          </Way>
          <Way title="A wallet on your phone">
            Scan the code. Wallets that read payment requests fill in token, network and amount;
            others only the address.
          </Way>
          <Way title="A passkey or smart wallet">
            Send to the address as to any other. Some of these wallets pay the network fee for you.
          </Way>
        </dl>
        <p className="mt-3 flex gap-2 text-13 text-ink-3">
          <Fuel aria-hidden className="mt-0.5 size-4 shrink-0" />A transfer that a wallet sends
          itself needs a little ETH on Base, usually less than a cent’s worth. A connected wallet
          without ETH signs instead, where Crossbook pays the network fee.
        </p>
      </section>
      <section aria-labelledby="sent-wrongly">
        <h2 id="sent-wrongly" className="mb-3 font-semibold text-17">
          Sent something else?
        </h2>
        <PlainTable
          caption="What happens to a wrong transfer"
          columns={['Sent', 'What happens']}
          rows={SENT_WRONGLY}
        />
      </section>
    </div>
  );
}

type GuideTitleProps = { id: string; Icon: typeof Wallet; children: ReactNode };

function GuideTitle({ id, Icon, children }: GuideTitleProps) {
  return (
    <h2 id={id} className="mb-3 flex items-center gap-2 font-semibold text-17">
      <Icon aria-hidden className="size-5 text-ink-3" />
      {children}
    </h2>
  );
}

function Step({ number, children }: { number: number; children: ReactNode }) {
  return (
    <li className="flex gap-3 [&_b]:text-ink">
      <span
        aria-hidden
        className="nums grid size-6 shrink-0 place-items-center rounded-full bg-sunken font-semibold text-13 text-ink"
      >
        {number}
      </span>
      <span>{children}</span>
    </li>
  );
}

function Way({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-medium">{title}</dt>
      <dd className="text-ink-2">{children}</dd>
    </div>
  );
}
