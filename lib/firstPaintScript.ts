/** Where the browser stores the last connected wallet, so that a reload picks it up again. */
export const REMEMBERED_WALLET_KEY = 'crossbook.wallet';

/** The page sets `data-network` when the browser has no network. */
const FOLLOW_NETWORK = [
  '(function(){var d=document.documentElement.dataset,',
  's=function(){if(navigator.onLine)delete d.network;else d.network="none"};',
  's();addEventListener("online",s);addEventListener("offline",s)})();',
].join('');

/**
 * Applies browser state before the first paint: a chosen theme (without a choice CSS follows the
 * system), and whether a wallet is remembered, so that a connected visitor sees no connect prompt
 * while the page loads. It also reports a lost network before the page's scripts have loaded. It is
 * the only inline script: the content security policy allows it by its hash.
 */
export const FIRST_PAINT_SCRIPT = [
  FOLLOW_NETWORK,
  'try{var d=document.documentElement.dataset,t=localStorage.getItem("crossbook.theme");',
  'if(t==="light"||t==="dark")d.theme=t;',
  `if(localStorage.getItem("${REMEMBERED_WALLET_KEY}"))d.wallet="remembered"`,
  '}catch{}',
].join('');
