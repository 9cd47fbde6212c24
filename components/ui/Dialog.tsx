import clsx from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, useCallback, useId } from 'react';

type DialogProps = { title: string; children: ReactNode; onClose: () => void; className?: string };

/**
 * A modal dialog, open while it is rendered: on a desktop it is anchored at the top, so that its
 * content stays in place when it grows; on a phone it is a bottom sheet. The native element traps
 * the focus, closes on Escape and restores the focus.
 */
export function Dialog({ title, children, onClose, className }: DialogProps) {
  const titleId = useId();
  const open = useCallback((element: HTMLDialogElement | null) => {
    if (!element) return undefined;
    if (!element.open) element.showModal();
    // A hidden modal would still block the rest of the page.
    return () => element.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes; the click is for the backdrop
    <dialog
      ref={open}
      aria-labelledby={titleId}
      onClose={(event) => {
        // It may have been reopened since.
        if (!event.currentTarget.open) onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) event.currentTarget.close();
      }}
      className={clsx(
        'mx-auto mb-auto w-full max-w-[26.25rem] rounded-lg border border-line bg-surface p-0 text-ink shadow-(--shadow-float) backdrop:bg-black/40 md:mt-[max(16px,12dvh)] md:max-h-[76dvh]',
        'max-md:mx-0 max-md:mt-auto max-md:mb-0 max-md:max-w-none max-md:rounded-b-none motion-safe:animate-[rise_var(--calm)_ease]',
        className,
      )}
    >
      <div className="p-5 pb-[max(20px,env(safe-area-inset-bottom))]">
        <div className="mb-4 flex items-center justify-between gap-4">
          <h2 id={titleId} className="font-semibold text-18">
            {title}
          </h2>
          <form method="dialog">
            <button
              type="submit"
              aria-label="Close"
              className="-m-2 grid size-11 place-items-center rounded-md text-ink-2 hover:bg-sunken"
            >
              <X aria-hidden className="size-5" />
            </button>
          </form>
        </div>
        {children}
      </div>
    </dialog>
  );
}
