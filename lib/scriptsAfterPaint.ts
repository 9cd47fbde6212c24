/** The attribute that holds the address of a script which waits for the first paint. */
export const LATER_SCRIPT = 'data-src';

/** Where nothing is painted after this long, scripts are asked for all the same. */
const LONGEST_WAIT_MS = 1_000;

/** Asking for one takes a slow machine milliseconds, in which the page would not answer. */
const SCRIPTS_AT_ONCE = 4;

/**
 * What the server writes before the scripts of a page that it holds back
 * (`server/api/scriptsAfterPaint.ts`): asks for them once the page can be seen. Until then a slow
 * line carries text and style only, and a slow processor draws. A page in a window nobody sees is
 * never painted, so there nothing is waited for. It leaves the document as it found it.
 */
export const START_SCRIPTS_AFTER_PAINT = [
  '(function(){var begun=false;document.currentScript?.remove();',
  `function ask(){var held=[].slice.call(document.querySelectorAll("script[${LATER_SCRIPT}]"));`,
  `(function some(){held.splice(0,${SCRIPTS_AT_ONCE}).forEach(start);if(held.length)setTimeout(some)})()}`,
  'function start(held){if(!held.isConnected)return;',
  'var script=document.createElement("script");script.async=true;script.nonce=held.nonce;',
  `script.src=held.getAttribute("${LATER_SCRIPT}");held.replaceWith(script)}`,
  'function begin(){begun=true;ask()}',
  'document.addEventListener("DOMContentLoaded",function(){if(begun)ask()});',
  'if(document.visibilityState==="hidden"){begin();return}',
  `setTimeout(begin,${LONGEST_WAIT_MS});`,
  'try{new PerformanceObserver(function(list,observer){',
  'if(list.getEntriesByName("first-contentful-paint").length){observer.disconnect();begin()}',
  '}).observe({type:"paint",buffered:true})}catch{begin()}',
  '})()',
].join('');
