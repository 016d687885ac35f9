/**
 * Tools for agents of the browser.
 *
 * @see {@link https://webmachinelearning.github.io/webmcp/ | WebMCP}
 * @module
 */
import { initializeWebMCPPolyfill } from '@mcp-b/webmcp-polyfill';
import type { PageTool } from './tool.ts';

/** What came of offering a tool: by the browser's own interface, by one that the page brought, or not at all. */
export type Offer = 'native' | 'none' | 'polyfill';

interface ModelContext {
  registerTool(tool: PageTool): Promise<void>;
}

/** Where agents look: the name of the draft, and the one that it had before. */
const PLACES: readonly { modelContext?: ModelContext }[] = [
  document as { modelContext?: ModelContext },
  navigator as { modelContext?: ModelContext },
];

/** Offers a tool for as long as the page is there: who comes back to it finds it still offered. */
export async function offerTool(tool: PageTool): Promise<Offer> {
  const isNative = contextThere() !== undefined;
  try {
    if (!isNative) initializeWebMCPPolyfill();
    const context = contextThere();
    if (!context) return 'none';
    putWhereMissing(context);
    await context.registerTool(tool);
    return isNative ? 'native' : 'polyfill';
  } catch {
    // Where the page is in a frame that may not, or was not sent over https.
    return 'none';
  }
}

function contextThere(): ModelContext | undefined {
  return PLACES.find(({ modelContext }) => modelContext)?.modelContext;
}

function putWhereMissing(context: ModelContext): void {
  for (const place of PLACES) {
    // The stand-in complains on the console to who reads the old name.
    if ('modelContext' in place) continue;
    Object.defineProperty(place, 'modelContext', { configurable: true, get: () => context });
  }
}
