import { existsSync } from 'node:fs';
import { chromium } from 'playwright';

/** A Chromium to run the journeys in, and how it was found. */
export type FoundBrowser = {
  /** Undefined for Playwright's own. */
  executablePath: string | undefined;
  foundBy: string;
};

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Finds a Chromium: the one named by CHROMIUM_PATH, Playwright's own, one of the system, or the
 * one that npm installs on Linux, in this order.
 * @throws {Error} naming every way to get one
 */
export async function findBrowser(): Promise<FoundBrowser> {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which is not there.`);
    return { executablePath: named, foundBy: `CHROMIUM_PATH (${named})` };
  }
  if (existsSync(chromium.executablePath())) {
    return { executablePath: undefined, foundBy: "Playwright's own Chromium" };
  }
  const system = SYSTEM_PATHS.find((path) => existsSync(path));
  if (system) return { executablePath: system, foundBy: `the system's ${system}` };
  const packaged = await packagedChromium();
  if (packaged) return { executablePath: packaged, foundBy: 'the npm package @sparticuz/chromium' };
  throw new Error(
    [
      'No Chromium was found. Any one of these helps:',
      '  npx playwright install --with-deps chromium',
      '  apt-get install chromium',
      '  CHROMIUM_PATH=/path/to/chromium npm test',
    ].join('\n'),
  );
}

/** The package unpacks its libraries and fonts only in an AWS environment. */
async function packagedChromium(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x';
  try {
    const { default: packaged } = await import('@sparticuz/chromium');
    return await packaged.executablePath();
  } catch {
    return undefined;
  }
}
