import { ImageDown, Share2 } from 'lucide-react';
import { useId, useState } from 'react';
import { buttonStyle } from '#components/ui/buttonStyle.ts';
import { Dialog } from '#components/ui/Dialog.tsx';
import { SwitchField } from '#components/ui/Field.tsx';
import { SHARE_ICON_BUTTON } from '#components/ui/shareIconButton.ts';
import {
  type SharedPosition,
  sharedPicturePath,
  sharedPositionPath,
} from '#lib/share/sharedPosition.ts';
import { ShareLink } from './ShareLink.tsx';

type SharePositionProps = {
  ticker: string;
  /** What the button shares, for screen readers where it shows only its icon. */
  label: string;
  withWord?: boolean;
  /** Everything that can be shown; the user chooses from it. */
  position: SharedPosition;
};

/** Opens a dialog that makes a picture of a position or a trade. */
export function SharePosition({ withWord = false, label, ...props }: SharePositionProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label={withWord ? undefined : label}
        aria-haspopup="dialog"
        title={withWord ? undefined : label}
        onClick={() => setIsOpen(true)}
        className={withWord ? buttonStyle('outline', 's') : SHARE_ICON_BUTTON}
      >
        <Share2 aria-hidden className="size-[17px]" />
        {withWord && label}
      </button>
      {isOpen && <PictureDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

type PictureDialogProps = Pick<SharePositionProps, 'ticker' | 'position'> & {
  onClose: () => void;
};

function PictureDialog({ ticker, position, onClose }: PictureDialogProps) {
  const isSale = position.kind === 'sold';
  const [showsPrice, setShowsPrice] = useState(true);
  const [showsContracts, setShowsContracts] = useState(false);
  const textId = useId();
  const shared: SharedPosition = {
    side: position.side,
    kind: position.kind,
    ...(showsPrice && { priceMicros: position.priceMicros }),
    ...(showsContracts && { contractMicros: position.contractMicros }),
  };
  const picture = sharedPicturePath(ticker, shared);
  return (
    <Dialog
      title={isSale ? 'Share this trade' : 'Share this position'}
      onClose={onClose}
      // Its button may be in a cell with figures, which are aligned right.
      className="text-left"
    >
      {/* biome-ignore lint/performance/noImgElement: made for this request; the box is reserved */}
      <img
        src={picture}
        alt="Preview of what the link shows"
        aria-describedby={textId}
        width={1200}
        height={630}
        className="h-auto w-full rounded-md border border-line bg-sunken"
      />
      <div className="my-3 grid">
        {position.priceMicros !== undefined && (
          <SwitchField isOn={showsPrice} onChange={setShowsPrice}>
            {isSale
              ? 'Show price received, after the fee'
              : 'Show return in percent and price paid, fee included'}
          </SwitchField>
        )}
        {position.contractMicros !== undefined && (
          <SwitchField isOn={showsContracts} onChange={setShowsContracts}>
            Show the number of contracts
          </SwitchField>
        )}
      </div>
      <p id={textId} className="mb-3 text-13 text-ink-3">
        The link contains only what the picture shows, not your account or the order.
      </p>
      <ShareLink url={`${window.location.origin}${sharedPositionPath(ticker, shared)}`}>
        <a
          href={picture}
          download={`crossbook-${ticker}.png`}
          className={buttonStyle('outline', 's')}
        >
          <ImageDown aria-hidden className="size-4" />
          Download picture
        </a>
      </ShareLink>
    </Dialog>
  );
}
