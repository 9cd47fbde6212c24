/** The part of a label that the heading above does not say; screen readers hear all of it. */
export function OutcomeLabel({ market, label }: { market: { label: string }; label: string }) {
  const said = market.label.slice(0, market.label.length - label.length);
  return (
    <>
      {said && <span className="sr-only">{said}</span>}
      {label}
    </>
  );
}
