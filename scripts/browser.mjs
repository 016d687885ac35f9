// The browser for tests, screenshots and measurements: the one in CHROME_PATH, or the one that npm installed.
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
    executablePath: process.env.CHROME_PATH ?? (await chromium.executablePath()),
    args: [...ARGS, ...args],
    // The package unpacks its font there. The same font makes the same picture on every machine.
    env: { ...process.env, XDG_DATA_HOME: tmpdir() },
  });
}
