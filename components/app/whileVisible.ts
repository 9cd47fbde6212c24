/** Hidden pages close their connections: a browser allows only a few per host. */
const HIDDEN_MS = 5_000;

/** Reports when the page has been hidden or offline for a while, and when it is back. */
export function whileVisible(onChange: (isVisible: boolean) => void): void {
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let isHidden = false;
  const report = () => onChange(!isHidden && navigator.onLine);
  const hide = (next: boolean) => {
    isHidden = next;
    report();
  };
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(() => hide(true), HIDDEN_MS);
    else hide(false);
  });
  window.addEventListener('online', report);
  window.addEventListener('offline', report);
}
