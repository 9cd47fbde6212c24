import { Bell } from 'lucide-react';
import { type MouseEvent, useEffect, useId, useState } from 'react';
import { useVisitor } from '#components/wallet/useSetup.ts';
import {
  markNotificationsRead,
  unreadOf,
  useReadNotifications,
} from '#lib/browser/notifications/readNotifications.ts';
import { NotificationPanel, useNotifications } from './NotificationPanel.tsx';

export function NotificationBell() {
  const { session } = useVisitor();
  return session && <SignedInBell />;
}

function SignedInBell() {
  const panelId = useId();
  const notifications = useNotifications();
  const { owner, items } = notifications;
  const read = useReadNotifications(owner);
  const unread = unreadOf(items ?? [], read);
  const count = unread.length > MOST_COUNTED ? `${MOST_COUNTED}+` : `${unread.length}`;
  /** The items shown as new while the panel is open, although opening it marks them read. */
  const [marked, setMarked] = useState<readonly string[]>();
  const isOpen = marked !== undefined;
  const isFirst = items !== undefined && read === undefined;
  // Anything from before this browser's first visit is not new.
  useEffect(() => {
    if (isFirst) markNotificationsRead(owner, listedIn(items));
  }, [isFirst, owner, items]);
  const onToggle = (next: boolean) => {
    setMarked(next ? unread.map(({ id }) => id) : undefined);
    if (items) markNotificationsRead(owner, listedIn(items));
  };
  return (
    <>
      <button
        type="button"
        popoverTarget={panelId}
        aria-expanded={isOpen}
        aria-controls={panelId}
        aria-label={unread.length === 0 ? 'Notifications' : `Notifications, ${count} new`}
        data-notifications
        className="relative grid size-11 shrink-0 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink md:size-9"
      >
        <Bell aria-hidden className="size-5" strokeWidth={1.75} />
        {unread.length > 0 && <Count count={count} />}
      </button>
      {/* The browser closes it on Escape or a press elsewhere and restores the focus. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click, too */}
      <section
        id={panelId}
        popover="auto"
        aria-label="Notifications"
        onToggle={(event) => onToggle(event.newState === 'open')}
        onClick={closeForLink}
        className="news-panel"
      >
        {isOpen && (
          <NotificationPanel
            notifications={notifications}
            marked={[...marked, ...unread.map(({ id }) => id)]}
          />
        )}
      </section>
    </>
  );
}

/** More digits would cover the bell. */
const MOST_COUNTED = 99;

const listedIn = (items: readonly { id: string }[]) => items.map(({ id }) => id);

/** Links navigate without a page load and would leave it open. */
function closeForLink(event: MouseEvent<HTMLElement>): void {
  if (event.target instanceof Element && event.target.closest('a')) {
    event.currentTarget.hidePopover();
  }
}

/** The button's name includes the count. */
function Count({ count }: { count: string }) {
  return (
    <span
      aria-hidden
      className="nums absolute top-1 right-0.5 grid h-[1.45em] min-w-[1.45em] place-items-center rounded-full bg-accent px-1 font-semibold text-11 text-on-solid leading-none md:-top-0.5 md:-right-0.5"
    >
      {count}
    </span>
  );
}
