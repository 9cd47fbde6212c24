declare global {
  interface Window {
    /** To be called when the page lives: answers what was pressed before. There until then. */
    crossbookLives?: () => void;
  }
}

/**
 * Keeps presses of buttons and choices, and of the keys that search, until the page lives; part of
 * the inline script. Nothing else sees them meanwhile: neither the browser, which would send a form
 * away, nor React, which answers some before all of the page lives. A choice stays chosen as the
 * browser has it, but React hears of it only when it changes again. Then the page says so in
 * `data-lives`, and somebody has been there.
 */
export const KEEP_EARLY_PRESSES = [
  '(function(){var kept=[],key;',
  'function keep(e){var t=e.target.closest?.("button,[type=radio]");if(!t)return;',
  // The first press of a choice brings it to life, and only the next is heard as a change. A form's
  // own button that is pressed again is impatience: what it does next was not to be seen.
  'if(t.type==="radio")kept.push(t);else{e.preventDefault();e.stopPropagation();',
  'if(t.type==="submit"&&kept.includes(t))return}kept.push(t)}',
  'addEventListener("click",keep,true);',
  // However often they are pressed, they open one palette.
  'function search(e){if(e.ctrlKey||e.metaKey?e.key!=="k":e.key!=="/"||e.target.matches("input,textarea,select"))return;',
  'e.preventDefault();key=e}addEventListener("keydown",search,true);',
  'window.crossbookLives=function(){removeEventListener("click",keep,true);removeEventListener("keydown",search,true);',
  'delete window.crossbookLives;document.documentElement.dataset.lives="";',
  'if(kept.length||key)dispatchEvent(new Event("pointermove"));',
  // Each in a turn of its own: it may depend on what the one before has changed, and React brings to
  // life what is pressed and does not live yet, but not while it is at work itself.
  'function next(){var t=kept.shift();if(!t)return;',
  'if(t.checked)t.checked=false;t.click();setTimeout(next)}setTimeout(next);',
  'if(key)setTimeout(function(){dispatchEvent(new KeyboardEvent("keydown",key))})}})();',
].join('');
