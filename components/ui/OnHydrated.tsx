import { useEffect, useEffectEvent } from 'react';

/** Reports that the part of the page around it is hydrated. */
export function OnHydrated({ report }: { report: () => void }) {
  const onHydrated = useEffectEvent(report);
  useEffect(() => onHydrated(), []);
  return null;
}
