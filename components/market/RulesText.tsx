import type { MarketRules } from '#lib/market/marketView.ts';

type RulesTextProps = {
  rules: MarketRules;
  /** The market's name, if the page shows several markets. */
  label?: string;
  common?: string;
};

const LINK = 'tap py-1 text-ink underline underline-offset-4';

export function RulesText({ rules, label, common }: RulesTextProps) {
  return (
    <section aria-labelledby="rules-heading">
      <h2 id="rules-heading" className="mb-2 font-semibold text-17">
        Rules
        {label && <span className="block font-normal text-14 text-ink-2">{label}</span>}
      </h2>
      <div className="grid max-w-prose gap-3 text-ink-2">
        <p>{rules.rulesPrimary}</p>
        {rules.rulesSecondary && <p className="text-14">{rules.rulesSecondary}</p>}
        {common && <p className="text-14">{common}</p>}
        {rules.earlyCloseCondition && <p className="text-14">{rules.earlyCloseCondition}</p>}
        <p className="flex flex-wrap gap-x-4 text-14">
          {rules.settlementSources.map(({ name, url }) => (
            <a key={url} href={url} target="_blank" rel="noreferrer" className={LINK}>
              Source: {name}
            </a>
          ))}
          {rules.contractTermsUrl && (
            <a href={rules.contractTermsUrl} target="_blank" rel="noreferrer" className={LINK}>
              Contract terms
            </a>
          )}
        </p>
      </div>
    </section>
  );
}
