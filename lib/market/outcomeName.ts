/** The outcome that a market is about; undefined for a plain question, which names it already. */
export function outcomeOf(question: string, label: string): string | undefined {
  return label === 'Yes' || question.includes(label) ? undefined : label;
}

/** "Cut of 25 bps · What will the Federal Reserve do?": a tab shows the first words. */
export function marketTitle({ title, label }: { title: string; label: string }): string {
  const outcome = outcomeOf(title, label);
  return outcome === undefined ? title : `${outcome} · ${title}`;
}

export function sideWord(side: 'yes' | 'no'): 'Yes' | 'No' {
  return side === 'yes' ? 'Yes' : 'No';
}

export type PositionName = {
  outcome: string;
  /** The outcome without the side. */
  subject: string;
  question: string | undefined;
};

type Position = { side: 'yes' | 'no'; name: string; subtitle: string };

/**
 * A position by its outcome: "Yes · Cut of 25 bps" with the question beside it, or "Yes · Will it
 * rain?" for a plain question. The outcome is never cut; the question may be.
 */
export function positionName({ side, name, subtitle }: Position): PositionName {
  const outcome = outcomeOf(name, subtitle);
  const subject = outcome ?? name;
  return {
    outcome: `${sideWord(side)} · ${subject}`,
    subject,
    question: outcome === undefined ? undefined : name,
  };
}
