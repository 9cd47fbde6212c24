/**
 * Applies a theme chosen by hand before the first paint; without a choice CSS follows the system.
 * The one inline script of our own: the pages' security policy knows it by its hash.
 */
export const THEME_SCRIPT = `try{var t=localStorage.getItem('crossbook.theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`;
