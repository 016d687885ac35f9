// The browser that tests, pictures and measurements share: that of CHROME_PATH, or the one that npm brought.
import { tmpdir } from 'node:os';
import chromium from '@sparticuz/chromium';
import { chromium as browserType } from 'playwright-core';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--font-render-hinting=none',
  // What a browser asks of its maker is no request of ours.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launchBrowser(...args) {
  return browserType.launch({
    executablePath: process.env.CHROME_PATH ?? (await chromium.executablePath()),
    args: [...ARGS, ...args],
    // The package unpacks its font there, and the same font makes the same picture everywhere.
    env: { ...process.env, XDG_DATA_HOME: tmpdir() },
  });
}
