import { Keyboard, PanelBottom, PanelLeft, PanelRight } from 'lucide-react';
import { openPalette } from '#components/search/palette.ts';
import { Button } from '#components/ui/Button.tsx';
import { Segmented } from '#components/ui/Segmented.tsx';
import { type Layout, type LayoutChange, MOST_TILES } from '#lib/browser/workspace/layout.ts';

const COUNTS = Array.from({ length: MOST_TILES }, (_, index) => `${index + 1}`);

const TOGGLES = [
  { panel: 'watchlist', label: 'Watchlist', Icon: PanelLeft },
  { panel: 'holdings', label: 'Positions and orders', Icon: PanelBottom },
  { panel: 'ticket', label: 'Ticket', Icon: PanelRight },
] as const;

type WorkspaceBarProps = {
  layout: Layout;
  change: (change: LayoutChange) => void;
  showHelp: () => void;
};

/** How many markets the workspace shows, and which panels. */
export function WorkspaceBar({ layout, change, showHelp }: WorkspaceBarProps) {
  return (
    <div className="flex items-center gap-2 border-b px-4 py-1.5">
      <Button
        size="s"
        tone="outline"
        onClick={() => {
          change({ type: 'focusEmpty' });
          openPalette();
        }}
      >
        Add market
      </Button>
      <div className="ml-auto flex items-center gap-2">
        <span aria-hidden className="text-13 text-ink-2">
          Markets
        </span>
        <Segmented
          legend="Markets side by side"
          size="s"
          value={`${layout.tiles.length}`}
          onChange={(count) => change({ type: 'setTiles', count: Number(count) })}
          options={COUNTS.map((count) => ({ value: count, label: count }))}
        />
      </div>
      {TOGGLES.map(({ panel, label, Icon }) => (
        <button
          key={panel}
          type="button"
          aria-pressed={!layout.hidden.includes(panel)}
          aria-label={label}
          title={label}
          onClick={() => change({ type: 'toggle', panel })}
          className="grid size-9 place-items-center rounded-md text-ink-3 hover:bg-sunken hover:text-ink aria-pressed:text-ink"
        >
          <Icon aria-hidden className="size-4.5" />
        </button>
      ))}
      <Button size="s" tone="quiet" onClick={showHelp}>
        <Keyboard aria-hidden className="size-4.5" />
        Shortcuts
      </Button>
    </div>
  );
}
