import { Dialog } from '#components/ui/Dialog.tsx';

const SHORTCUTS = [
  { keys: ['J', 'K'], does: 'Next or previous market of the watchlist' },
  { keys: ['Enter'], does: 'Open it in the current panel' },
  { keys: ['1', '2', '3', '4'], does: 'Go to a panel, or add it' },
  { keys: ['X'], does: 'Close the market in the current panel' },
  { keys: ['B'], does: 'Buy: go to the amount' },
  { keys: ['Y', 'N'], does: 'Buy Yes or No: go to the amount' },
  { keys: ['S'], does: 'Sell: go to the amount' },
  { keys: ['Enter'], does: 'In the amount: review, then place the order' },
  { keys: ['P', 'O'], does: 'Go to your positions or open orders' },
  { keys: ['Esc'], does: 'From there or the ticket back to the market' },
  { keys: ['/'], does: 'Search: open a market in the current panel' },
  { keys: ['?'], does: 'Show these shortcuts' },
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2.5 text-14">
        {SHORTCUTS.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded border border-line px-1.5 text-center font-mono text-13"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-ink-2">{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
