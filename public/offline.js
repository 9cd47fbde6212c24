/*
 * Of the page without a network: shows it in the theme that was chosen by hand, and asks for what
 * could not be shown as soon as the browser has a network again.
 */
try {
  const theme = localStorage.getItem('crossbook.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the system's theme holds.
}
addEventListener('online', () => location.reload());
