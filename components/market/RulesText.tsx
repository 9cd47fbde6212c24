import type { MarketRules } from '#lib/market/marketView.ts';

type RulesTextProps = {
  rules: MarketRules;
  /** The market's name, if the page shows several markets. */
  label?: string;
  common?: string;
};

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
      </div>
    </section>
  );
}
