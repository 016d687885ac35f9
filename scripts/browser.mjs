// The browser for tests, screenshots and measurements: the one in CHROME_PATH, the one that npm installed on Linux x64,
// or the system's Chrome or Edge.
import { tmpdir } from 'node:os';
import chromium from '@sparticuz/chromium';
import { chromium as browserType } from 'playwright-core';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--font-render-hinting=none',
  // Turn off the browser's own requests to its vendor.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launchBrowser(...args) {
  return browserType.launch({
    ...(await browserOf(process)),
    args: [...ARGS, ...args],
    // The package unpacks its font there. The same font makes the same picture on every machine.
    env: { ...process.env, XDG_DATA_HOME: tmpdir() },
  });
}

/** Where Playwright finds the browser of a system. Every Windows has Edge. */
export async function browserOf({ env, platform, arch }) {
  if (env.CHROME_PATH) return { executablePath: env.CHROME_PATH };
  if (platform === 'linux' && arch === 'x64')
    return { executablePath: await chromium.executablePath() };
  return { channel: platform === 'win32' ? 'msedge' : 'chrome' };
}
