// Applies the chosen theme, and reloads the requested page once the browser is online.
try {
  const theme = localStorage.getItem('crossbook.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the system's theme applies.
}
addEventListener('online', () => location.reload());
